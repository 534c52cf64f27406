/** `npm run tenant -- export-customer` and `erase-customer`: what a person may ask for of its data. */
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { loadConfig } from '../../config.ts';
import { customerFiles } from '../../api/resources/personal-data/export.ts';
import { inTenant } from '../../db/connection/tenancy.ts';
import { DomainError, DomainErrors } from '../../domain/errors.ts';
import { writeCommand } from '../../operations/access/audit-log.ts';
import { type Dependencies, inOperation, tenantInfo } from '../../operations/context/context.ts';
import { findCustomer } from '../../operations/context/locks.ts';
import { type Erasure, eraseCustomer } from '../../operations/customers/erase.ts';
import { keepEventDocuments } from '../../operations/feed/event-views.ts';
import { withRunningSystem } from '../../providers/embedded/running-system.ts';
import { open, tenantNamed, UsageError } from './database.ts';
import { zipTo } from './zip.ts';

interface Named {
  readonly dependencies: Dependencies;
  readonly tenantId: number;
  readonly customerId: number;
  readonly operator: string;
}

const EXPORT_USAGE = 'Usage: npm run tenant -- export-customer TENANT ID [--out FOLDER|X.zip]';

/** Returns the text to print. */
export function exportCustomer(
  words: readonly string[],
  { out }: { readonly out: string | undefined },
): Promise<string> {
  return withCustomer(words, EXPORT_USAGE, async (named) => {
    const { dependencies, tenantId, customerId, operator } = named;
    const target = resolve(out ?? `customer-${customerId}`);
    if (existsSync(target)) throw new UsageError(`${target} is there already.`);
    await inTenant(dependencies.db, tenantId, async (tx) => {
      await findCustomer(tx, { id: customerId });
      const object = { type: 'customer', id: customerId } as const;
      writeCommand(tx, { operator, command: 'tenant export-customer', object });
    });
    const tenant = await tenantInfo(dependencies, tenantId);
    const files = customerFiles(dependencies, tenant, customerId);
    // Whoever finds the target finds all of it.
    const part = `${target}.part`;
    await rm(part, { recursive: true, force: true });
    const count = await (target.endsWith('.zip') ? zipTo(part, files) : writeAll(part, files));
    await rename(part, target);
    return `customer ${customerId} of ${tenant.label}: ${count} files in ${target}\n`;
  });
}

/** Returns how many files it has written below the folder. */
async function writeAll(folder: string, files: ReturnType<typeof customerFiles>): Promise<number> {
  let count = 0;
  for await (const { path, content } of files) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
    count += 1;
  }
  return count;
}

const ERASE_USAGE = 'Usage: npm run tenant -- erase-customer TENANT ID [--dry-run]';

/** Returns the text to print. */
export function eraseOne(
  words: readonly string[],
  { isDryRun }: { readonly isDryRun: boolean },
): Promise<string> {
  return withCustomer(words, ERASE_USAGE, async ({ dependencies, tenantId, ...named }) => {
    const { customerId: id, operator } = named;
    const erasing = inOperation(dependencies, tenantId, async (context) => {
      const erasure = await eraseCustomer(context, { id });
      if (isDryRun) throw new DryRun(erasure);
      const object = { type: 'customer', id } as const;
      writeCommand(context.tx, { operator, command: 'tenant erase-customer', object });
      return erasure;
    });
    const erasure = await erasing.catch((error: unknown) => {
      if (error instanceof DryRun) return error.erasure;
      throw error;
    });
    return textOf(erasure, isDryRun);
  });
}

/** Undoes the transaction that has found what an erasure would do. */
class DryRun extends Error {
  readonly erasure: Erasure;

  constructor(erasure: Erasure) {
    super('a dry run');
    this.erasure = erasure;
  }
}

function textOf({ customerId, isRepeated, rows, methods }: Erasure, isDryRun: boolean): string {
  if (isRepeated) return `customer ${customerId} is erased already\n`;
  const lines = [...rows].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const asked = methods === 1 ? 'a payment method' : `${methods} payment methods`;
  return [
    `customer ${customerId} ${isDryRun ? 'would be' : 'is'} erased`,
    ...lines.map(([table, count]) => `  ${table}: ${count} ${count === 1 ? 'row' : 'rows'}`),
    ...(methods === 0 ? [] : [`  the gateway is asked to remove ${asked}`]),
    ...(isDryRun ? ['(dry run: nothing was written)'] : []),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

async function withCustomer(
  [label, id = '', ...more]: readonly string[],
  usage: string,
  work: (named: Named) => Promise<string>,
): Promise<string> {
  if (!label || !/^[1-9]\d{0,14}$/.test(id) || more.length > 0) throw new UsageError(usage);
  const config = withRunningSystem(loadConfig());
  const db = await open(config, 'sundial_app');
  try {
    const tenantId = await tenantNamed(db, label);
    const dependencies = { db, realNow: Date.now, keepDocuments: keepEventDocuments };
    const { operator } = config;
    return await work({ dependencies, tenantId, customerId: Number(id), operator });
  } catch (error) {
    const refusals = error instanceof DomainErrors ? error.errors : [error];
    if (!refusals.every((each) => each instanceof DomainError)) throw error;
    const lines = refusals.map(({ code, message }) => `${code}: ${message}`);
    throw new UsageError(lines.join('\n'), { cause: error });
  } finally {
    await db.close();
  }
}
