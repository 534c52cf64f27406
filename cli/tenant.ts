/** Entry of `npm run tenant`: applies tenant files, lists and shows tenants of the installation. */

import './node-version.ts';
import { runCommand } from './run-command.ts';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Config, loadConfig, secretFromEnvironment } from '../config.ts';
import { withRunningSystem } from '../providers/embedded/running-system.ts';
import { prepareDatabase } from '../db/connection/prepare.ts';
import { tenantIdOf, type Dependencies } from '../operations/context/context.ts';
import { retried } from '../operations/billing/batch.ts';
import { moveUsageDates, mustMove, type MoveSome } from '../operations/standing/usage-days.ts';
import { applyTenantFile, type Applied } from '../operations/tenants/apply.ts';
import { changeText } from '../operations/tenants/file/changes.ts';
import { formatDocument } from '../operations/tenants/document.ts';
import { listTenants, type ListedTenant } from '../operations/tenants/show.ts';
import { mistakeText } from '../operations/tenants/file/mistakes.ts';
import { checkTemplates } from '../providers/mail/check-templates.ts';
import { filesBeside } from './tenant/beside.ts';
import { open, UsageError, vaultOf } from './tenant/database.ts';
import { payment, user } from './tenant/mending.ts';
import { eraseOne, exportCustomer } from './tenant/personal.ts';
import { show } from './tenant/show.ts';

const HELP = `npm run tenant -- COMMAND

  apply FILE    checks a tenant file, applies it, and prints what changed
    --dry-run   checks and prints, and writes nothing
    --strict    makes an unset secret of a callback a mistake instead of a warning
  list          lists the tenants of the installation
  show LABEL    prints what is in force for a tenant, as a file; secrets are shown as set or not
  user list TENANT
                lists the users, their rights, and when an old password was last used
  user suspend TENANT USERNAME
                suspends a user: within ten seconds no process takes its passwords
  user enable TENANT USERNAME
                enables a suspended user, also one who tried objects of other tenants
  payment close TENANT PAYMENT REASON
                closes the findings gateway.lateApproval, gateway.lateDecline and
                gateway.withdrawnExcess of the audit, once a person has handled the money
  export-customer TENANT ID
                writes all that there is of a customer: XML, PDF and CSV
    --out PATH  the folder, or the file X.zip; customer-ID by default
  erase-customer TENANT ID
                empties for ever what is personal of a customer that owes nothing any more
    --dry-run   says what would be emptied, or why it cannot be, and writes nothing
  format        prints the documentation of the file, as in docs/tenant-file.md

  --json        prints the result of apply, list or show as JSON
  --help        prints this

What apply, user, payment, export-customer and erase-customer do is in the audit log of the tenant, with the name in OPERATOR or that
of the machine's user. The command uses the system that npm start runs in DATA_DIR (.data), or the database at DATABASE_URL
(with its SECRET_KEY if the file has secrets to store), as the login that API and workers have. With MIGRATE_URL, apply brings the
schema to the newest first. It exits with 0 only on success.
`;

interface Options {
  readonly isDryRun: boolean;
  readonly isStrict: boolean;
  readonly isJson: boolean;
}

async function main(): Promise<void> {
  const { values, positionals } = readArguments();
  const [command, ...rest] = positionals;
  const options = {
    isDryRun: values['dry-run'] ?? false,
    isStrict: values.strict ?? false,
    isJson: values.json ?? false,
  };
  if (values.help) return print(HELP);
  switch (command) {
    case 'apply':
      if (rest.length !== 1 || rest[0] === undefined) throw new UsageError('apply takes one FILE.');
      return await apply(rest[0], options);
    case 'list':
      if (rest.length > 0) throw new UsageError('list takes nothing else.');
      return await list(options);
    case 'show':
      if (rest.length !== 1 || !rest[0]) throw new UsageError('show takes one LABEL.');
      return print(await show(rest[0], options.isJson));
    case 'user':
      return print(await user(rest));
    case 'payment':
      return print(await payment(rest));
    case 'export-customer':
      return print(await exportCustomer(rest, { out: values.out }));
    case 'erase-customer':
      return print(await eraseOne(rest, options));
    case 'format':
      return print(formatDocument());
    default:
      throw new UsageError(command === undefined ? HELP : `Unknown command ${command}. ${HELP}`);
  }
}

function readArguments() {
  const flag = { type: 'boolean' } as const;
  const options = {
    'dry-run': flag,
    strict: flag,
    json: flag,
    out: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  } as const;
  try {
    return parseArgs({ options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n\n${HELP}`);
  }
}

async function apply(file: string, options: Options): Promise<void> {
  const text = readText(file);
  const given = loadConfig();
  const config = withRunningSystem(given);
  if (!options.isDryRun) await migrateFirst(given);
  const db = await open(config, 'sundial_app');
  try {
    const dependencies = { db, realNow: Date.now };
    const vault = await vaultOf(config, db, options);
    const applied = await applyTenantFile(dependencies, {
      text,
      ...filesBeside(file),
      vault,
      secretOf: secretFromEnvironment,
      checkTemplates,
      allowPrivateCallbacks: given.callbackAllowPrivate,
      operator: given.operator,
      ...options,
    });
    if (options.isJson) print(`${JSON.stringify({ dryRun: options.isDryRun, ...applied })}\n`);
    else report(file, applied, options);
    if (!applied.isValid) process.exitCode = 1;
    else if (!options.isDryRun) await moveDates(dependencies, applied.tenant);
  } finally {
    await db.close();
  }
}

/** The embedded system has the newest schema; another database may not have been migrated yet. */
async function migrateFirst({ databaseUrl, migrateUrl }: Config): Promise<void> {
  if (databaseUrl !== undefined) await prepareDatabase({ databaseUrl, migrateUrl });
}

/** The dates of orders follow a change of usageGraceDays at once; a worker looks at them once more. */
async function moveDates(dependencies: Dependencies, label: string): Promise<void> {
  const id = await tenantIdOf(dependencies.db, label);
  if (id === null || !(await mustMove(dependencies, id))) return;
  try {
    const each = (ids: readonly number[], work: MoveSome) => retried(() => work(ids));
    const { moved } = await moveUsageDates(dependencies, id, { each });
    if (moved > 0) complain(`usageGraceDays: ${moved} orders have other dates`);
  } catch (error) {
    complain(`usageGraceDays: a worker will date the other orders (${(error as Error).message})`);
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`);
  }
}

function report(file: string, applied: Applied, { isDryRun }: Options): void {
  if (!applied.isValid) {
    const { mistakes } = applied;
    complain(`${file} has ${mistakes.length === 1 ? 'a mistake' : `${mistakes.length} mistakes`}:`);
    for (const mistake of mistakes) complain(`  ${mistakeText(mistake)}`);
    complain('Nothing was applied.');
    return;
  }
  for (const warning of applied.warnings) complain(`warning: ${mistakeText(warning)}`);
  for (const remark of applied.remarks) complain(`remark: ${mistakeText(remark)}`);
  for (const change of applied.changes) print(`${changeText(change)}\n`);
  if (applied.changes.length === 0) print('nothing changed\n');
  if (applied.notInForce.length > 0) {
    complain('Not in force yet: these parts are checked and stored, and nothing acts on them.');
    for (const part of applied.notInForce) complain(`  ${mistakeText(part)}`);
  }
  if (isDryRun) print('(dry run: nothing was written)\n');
}

async function list({ isJson }: Options): Promise<void> {
  const config = withRunningSystem(loadConfig());
  const relay = await open(config, 'sundial_relay');
  try {
    const app = await open(config, 'sundial_app');
    try {
      const tenants = await listTenants(relay, app);
      print(isJson ? `${JSON.stringify(tenants)}\n` : table(tenants));
    } finally {
      await app.close();
    }
  } finally {
    await relay.close();
  }
}

function table(tenants: readonly ListedTenant[]): string {
  const head = ['TENANT', 'NAME', 'TIMEZONE', 'CURRENCY', 'CLOCK', 'USERS', 'PLANS'];
  const rows = tenants.map((tenant) => [
    tenant.tenant,
    tenant.name,
    tenant.timezone,
    tenant.currency,
    tenant.testClock ?? 'real time',
    String(tenant.users),
    String(tenant.plans),
  ]);
  const widths = head.map((name, column) =>
    Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  return [head, ...rows]
    .map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
}

function print(text: string): void {
  process.stdout.write(text);
}

function complain(line: string): void {
  process.stderr.write(`${line}\n`);
}

await runCommand(main);
