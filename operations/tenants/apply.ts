/** Applies a tenant file: checks the whole file, then writes it in one transaction. */
import { handleType, retry } from 'cockatiel';
import type { AuditChange } from '../../domain/access/audit-log.ts';
import type { HashCost } from '../access/passwords.ts';
import { writeCommand } from '../access/audit-log.ts';
import { type Database, rowTypes } from '../../db/connection/database.ts';
import { type Tx, inTenant } from '../../db/connection/tenancy.ts';
import { enqueue } from '../outbox/enqueue.ts';
import { type Dependencies, tenantIdOf } from '../context/context.ts';
import { allForgotten } from '../context/timed-cache.ts';
import { type Change, fieldsOf, isSame } from './file/changes.ts';
import type { Mistake, Report } from './file/mistakes.ts';
import { MovedMeanwhile } from './file/part.ts';
import { type ClearSecrets, type SecretVault, unsetText } from './file/secrets.ts';
import {
  type Applying,
  type Part,
  type PartKey,
  type StoredFile,
  type TenantFile,
  partKeys,
  parts,
} from './parts.ts';
import { type PreparedPasswords, preparePasswords, readUsers } from './parts/users.ts';
import { applyNumbers } from './numbers.ts';
import { type CheckedFile, type CheckOptions, checkTenantFile } from './read.ts';
import {
  applyToExisting,
  insertTenant,
  presentOf,
  readTenantRow,
  updateTenant,
} from './tenant-row.ts';

export interface ApplyRequest extends CheckOptions {
  /** The file's text. */
  readonly text: string;
  readonly vault: SecretVault;
  /** Of the hashes of its passwords; by default that of all. */
  readonly hashCost?: HashCost | undefined;
  /** Who applies it by a command, which the audit log then has. */
  readonly operator?: string | undefined;
  /** Checks and compares everything, and writes nothing. */
  readonly isDryRun: boolean;
}

export type Applied =
  | { readonly isValid: false; readonly mistakes: readonly Mistake[] }
  | {
      readonly isValid: true;
      readonly tenant: string;
      /** Empty if the tenant already matched the file. */
      readonly changes: readonly Change[];
      readonly warnings: readonly Mistake[];
      /** What is no mistake, and that the file's author may not expect. */
      readonly remarks: readonly Mistake[];
      /** The parts of the file that nothing acts on yet. */
      readonly notInForce: readonly Mistake[];
    };

/** How often it begins again if another apply of the tenant wrote between reading and writing. */
const RETRIES_MAX = 4;
/** How long to wait for another apply of the same tenant. */
const WAIT_MS = 60_000;

/** When it answers the file holds: whatever begins afterwards uses it, in every process. */
export async function applyTenantFile(
  dependencies: Dependencies,
  request: ApplyRequest,
): Promise<Applied> {
  const reading = await checkTenantFile(request.text, request);
  if (!reading.isValid) return reading;
  const { checked } = reading;
  const label = checked.file.tenant;
  return retry(handleType(MovedMeanwhile), { maxAttempts: RETRIES_MAX }).execute(async () => {
    const known = await tenantIdOf(dependencies.db, label);
    const stored =
      known === null ? [] : await inTenant(dependencies.db, known, readUsers, { readOnly: true });
    const passwords = await preparePasswords({
      users: checked.file.users,
      clear: checked.secrets.clear,
      stored,
      hashCost: request.hashCost,
    });
    const id = known ?? (await newId(dependencies.db));
    const applied = await attemptIn(dependencies, id, (tx) =>
      applyOnce(tx, { dependencies, request, checked, passwords }),
    );
    // Also if nothing changed: an apply a moment ago may have been interrupted.
    if (known !== null && applied.isValid && !request.isDryRun) await allForgotten();
    return applied;
  });
}

/** Returns a result from a transaction that must be rolled back. */
class NotKept extends Error {
  readonly outcome: Applied;

  constructor(outcome: Applied) {
    super('rolled back on purpose');
    this.outcome = outcome;
  }
}

async function attemptIn(
  dependencies: Dependencies,
  id: number,
  work: (tx: Tx) => Promise<Applied>,
): Promise<Applied> {
  try {
    return await inTenant(dependencies.db, id, work, { statementTimeoutMs: WAIT_MS });
  } catch (error) {
    if (error instanceof NotKept) return error.outcome;
    throw error;
  }
}

interface Attempt {
  readonly dependencies: Dependencies;
  readonly request: ApplyRequest;
  readonly checked: CheckedFile;
  readonly passwords: PreparedPasswords;
}

async function applyOnce(tx: Tx, attempt: Attempt): Promise<Applied> {
  const { dependencies, request, checked, passwords } = attempt;
  const { file, secrets, mistakeAt } = checked;
  await lockLabel(tx, file.tenant);
  const existing = await readTenantRow(tx);
  const owner = await ownerOf(tx, file.tenant);
  if (owner !== (existing ? tx.tenantId : null)) throw new MovedMeanwhile();
  const time = await presentOf(tx, { file, existing, realNow: dependencies.realNow() });
  const previous = existing?.file;
  const { clear } = secrets;
  const stored = storedFile({ file, clear, vault: request.vault, previous });
  const changes: Change[] = existing
    ? []
    : [{ subject: `tenant ${file.tenant}`, change: 'created' }];
  if (!existing) await insertTenant(tx, file, stored, time.now);
  else if (!isSame(previous, stored)) await updateTenant(tx, file, stored, time.now);
  const audited: AuditChange[] = [];
  const note = (key: PartKey, made: readonly Change[]): void => {
    changes.push(...made);
    audited.push(...fieldsOf(key, made, { before: previous?.[key], after: stored[key] }));
  };
  for (const key of partKeys) note(key, partChanges(key, previous, stored));
  const { templates } = checked;
  const applying: Applying = { ...time, file, stored, previous, passwords, templates };
  for (const key of partKeys) note(key, (await parts[key].apply?.(tx, applying)) ?? []);
  enqueue({ tx, tenant: { label: file.tenant } }, [{ kind: 'billing', objectId: null }]);
  const { operator } = request;
  if (operator !== undefined) {
    writeCommand(tx, { operator, command: 'tenant apply', changes: audited });
  }
  // The counters come last, because orders and invoices wait for them.
  const refusals = [
    ...(existing ? await applyToExisting(tx, file, existing) : []),
    ...(await applyNumbers(tx, { file, previous, today: time.today })),
  ];
  if (refusals.length > 0) {
    const mistakes = refusals.map(({ path, message }) => mistakeAt(path, message));
    throw new NotKept({ isValid: false, mistakes });
  }
  const warnings = [...unsetWarnings(checked, stored), ...checked.warnings];
  if (existing && file.testClock !== previous?.testClock) {
    warnings.push(mistakeAt(['testClock'], 'has started already; applying does not move a clock'));
  }
  const remarks = [...checked.remarks, ...(await remarksOfRows(tx, checked))];
  const { notInForce } = checked;
  const told = { changes, warnings, remarks, notInForce };
  const applied = { isValid: true, tenant: file.tenant, ...told } as const;
  if (request.isDryRun) throw new NotKept(applied);
  return applied;
}

async function remarksOfRows(tx: Tx, { file, mistakeAt }: CheckedFile): Promise<Mistake[]> {
  const found: Mistake[] = [];
  const remark: Report = (path, message) => void found.push(mistakeAt(path, message));
  for (const key of partKeys) await parts[key].remarksOfRows?.(tx, file, remark);
  return found;
}

function unsetWarnings({ secrets, mistakeAt }: CheckedFile, stored: StoredFile): Mistake[] {
  return secrets.unset.map(({ path, variable }) => {
    const callback = stored.callbacks[Number(path[1])];
    const rest = callback?.secret ? 'the stored secret is kept' : 'this callback stays off';
    return mistakeAt(path, `${unsetText(variable)}: ${rest}`);
  });
}

/** Whoever writes the tenant's file waits for its turn. */
export async function lockLabel(tx: Tx, label: string): Promise<void> {
  await tx.query(`select set_config('lock_timeout', $1, true)`, [String(WAIT_MS)]);
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`tenant-file/${label}`]);
}

async function ownerOf(tx: Tx, label: string): Promise<number | null> {
  const [row] = await tx.query<{ id: number | null }>('select tenant_by_host($1) as id', [label]);
  return row?.id ?? null;
}

async function newId(db: Database): Promise<number> {
  const { rows } = await db.pool.query<{ id: number }>({
    text: `select nextval('id_seq') as id`,
    types: rowTypes,
  });
  if (!rows[0]) throw new Error('a sequence gave no id');
  return rows[0].id;
}

/* Turns a checked file into its stored form, and names what is new in it. */

interface FileToStore {
  readonly file: TenantFile;
  readonly clear: ClearSecrets;
  readonly vault: SecretVault;
  /** The file as it is stored so far; undefined for a new tenant. */
  readonly previous: StoredFile | undefined;
}

function storedFile(given: FileToStore): StoredFile {
  return Object.fromEntries(partKeys.map((key) => [key, storedPart(key, given)])) as StoredFile;
}

function storedPart<Key extends PartKey>(
  key: Key,
  { file, clear, vault, previous }: FileToStore,
): unknown {
  const part: Part<Key> = parts[key];
  const storing = { label: file.tenant, clear, vault, previous: previous?.[key] };
  return part.store ? part.store(file[key], storing) : file[key];
}

/** What applying the rows does not find by itself. */
function partChanges<Key extends PartKey>(
  key: Key,
  before: StoredFile | undefined,
  after: StoredFile,
): Change[] {
  const part: Part<Key> = parts[key];
  if (part.changes) return part.changes(before?.[key], after[key]);
  if (!before || isSame(before[key], after[key])) return [];
  return [{ subject: key, change: 'changed' }];
}
