/** The sandbox gateway's own tables: the methods in its vault, and the log of what it did. */
import { compare, type Decimal } from '../../../domain/money/money.ts';
import type { Database } from '../../../db/connection/database.ts';
import type { Tx } from '../../../db/connection/tenancy.ts';
import { GatewayError } from '../gateway.ts';
import { oneRow } from '../../../db/queries/context/insertion.ts';
import { SandboxTransaction, SandboxMethod } from '../../../db/entities/gateways.ts';
import type { RowOf } from '../../../db/entities/rows.ts';

type EntryColumn =
  | 'operation'
  | 'token'
  | 'chargeId'
  | 'amount'
  | 'currency'
  | 'status'
  | 'errorCode'
  /** The tenant's day on which a charge is approved, or returned. */
  | 'newsOn';

export interface NewEntry extends RowOf<typeof SandboxTransaction, EntryColumn> {
  readonly key: string;
}

export interface Entry extends NewEntry {
  readonly id: number;
  readonly calls: number;
}

/** An open record, which the driver's row types require. */
type EntryRow = Entry & Record<string, unknown>;

/** As a call begins it: approved, or declined by the code. */
export function newEntry(
  operation: NewEntry['operation'],
  call: { readonly idempotencyKey: string; readonly amount: Decimal; readonly currency: string },
  errorCode: string | null,
): NewEntry {
  return {
    key: call.idempotencyKey,
    operation,
    token: null,
    chargeId: null,
    amount: call.amount,
    currency: call.currency,
    status: errorCode === null ? 'Approved' : 'Declined',
    errorCode,
    newsOn: null,
  };
}

const columns = `id, idempotency_key as key, operation, token, charge_id,
  amount::text, currency, status, error_code, calls, news_on::text as news_on`;

const entryRow = oneRow({
  into: SandboxTransaction,
  as: 'log',
  columns: [
    'idempotencyKey',
    'operation',
    'token',
    'chargeId',
    'amount',
    'currency',
    'status',
    'errorCode',
    'newsOn',
  ],
  ending: `on conflict (tenant_id, idempotency_key) do update set calls = log.calls + 1
    returning ${columns}`,
});

/** Logs a call. An existing key keeps its entry, with the outcome of that call. */
export async function enter(tx: Tx, entry: NewEntry): Promise<Entry> {
  const row = await logCall(entry, tx, tx.query);
  assertSameCall(row, entry);
  return row;
}

/**
 * The same as the last statement of its transaction; the caller asserts that it is the same call.
 */
export function enterLast(tx: Tx, entry: NewEntry): Promise<Entry> {
  return logCall(entry, tx, tx.finish);
}

async function logCall(entry: NewEntry, { tenantId }: Tx, query: Tx['query']): Promise<Entry> {
  const { key: idempotencyKey, ...call } = entry;
  const values = entryRow.values(tenantId, { ...call, idempotencyKey });
  const [row] = await query<EntryRow>(entryRow.text, values, 'sandbox-enter');
  if (!row) throw new Error('an entry was neither made nor found');
  return row;
}

/** Throws a GatewayError, without details, if the key belongs to another call. */
export function assertSameCall(row: Entry, asked: NewEntry): void {
  const isSame =
    row.operation === asked.operation &&
    row.token === asked.token &&
    row.chargeId === asked.chargeId &&
    row.currency === asked.currency &&
    compare(row.amount, asked.amount) === 0;
  if (!isSame) throw new GatewayError('unknown', 'idempotency_mismatch');
}

export type Ending = Pick<Entry, 'status' | 'errorCode' | 'newsOn'>;

const approved: Ending = { status: 'Approved', errorCode: null, newsOn: null };

/** The entry, which ends so now if it was still in progress. */
export async function finish(
  tx: Tx,
  { id }: Entry,
  { status, errorCode, newsOn }: Ending = approved,
): Promise<Entry> {
  const [row] = await tx.query<EntryRow>(
    `update sandbox_transaction
     set status = case status when 'Processing' then $3 else status end,
         news_on = case status when 'Processing' then $5 else news_on end,
         error_code = case status when 'Processing' then $4 else error_code end
     where tenant_id = $1 and id = $2 returning ${columns}`,
    [tx.tenantId, id, status, errorCode, newsOn],
  );
  if (!row) throw new Error('an entry of the log is gone');
  return row;
}

/** Whether a charge by the method was approved. */
export async function isCharged(tx: Tx, token: string): Promise<boolean> {
  const [row] = await tx.query<{ found: boolean }>(
    `select exists (select from sandbox_transaction where tenant_id = $1 and token = $2
       and operation = 'charge' and status = 'Approved') as found`,
    [tx.tenantId, token],
  );
  return row?.found ?? false;
}

/** Locks what is or was waiting for its payer. */
export async function lockAsked(tx: Tx, id: string): Promise<Entry | undefined> {
  if (!/^\d{1,15}$/.test(id)) return undefined;
  const [row] = await tx.query<EntryRow>(
    `select ${columns} from sandbox_transaction where tenant_id = $1 and id = $2 for update`,
    [tx.tenantId, id],
  );
  return row;
}

export type AskedEnding = Pick<Entry, 'status' | 'errorCode' | 'amount' | 'newsOn'>;

/** What became of an entry that waited for its payer; the caller has locked it. */
export async function endAsked(tx: Tx, entry: Entry, ending: AskedEnding): Promise<Entry> {
  const { status, errorCode, amount, newsOn } = ending;
  const [row] = await tx.query<EntryRow>(
    `update sandbox_transaction set status = $3, error_code = $4, amount = $5, news_on = $6
     where tenant_id = $1 and id = $2 and status = 'Asks' returning ${columns}`,
    [tx.tenantId, entry.id, status, errorCode, amount, newsOn],
  );
  return row ?? entry;
}

export async function entryOf(tx: Tx, key: string): Promise<Entry | undefined> {
  const [row] = await tx.query<EntryRow>(
    `select ${columns} from sandbox_transaction where tenant_id = $1 and idempotency_key = $2`,
    [tx.tenantId, key],
  );
  return row;
}

/** Locks an approved charge, so that of two simultaneous refunds the second sees the first. */
export async function lockCharge(tx: Tx, transactionId: string): Promise<Entry | undefined> {
  if (!/^\d{1,15}$/.test(transactionId)) return undefined;
  const [row] = await tx.query<EntryRow>(
    `select ${columns} from sandbox_transaction
     where tenant_id = $1 and id = $2 and operation = 'charge' and status = 'Approved'
     for update`,
    [tx.tenantId, transactionId],
  );
  return row;
}

/** The amount of a charge refunded so far, except by the call of `key`. */
export async function goneBack(tx: Tx, charge: Entry, key: string): Promise<Decimal> {
  const [row] = await tx.query<{ sum: string }>(
    `select coalesce(sum(amount), 0)::text as sum from sandbox_transaction
     where tenant_id = $1 and charge_id = $2 and idempotency_key <> $3
       and operation in ('refund', 'void', 'return') and status = 'Approved'`,
    [tx.tenantId, String(charge.id), key],
  );
  return row?.sum ?? '0';
}

/** The charge was returned, so it has no further news. */
export async function endNews(tx: Tx, { id }: Entry): Promise<void> {
  await tx.query('update sandbox_transaction set news_on = null where tenant_id = $1 and id = $2', [
    tx.tenantId,
    id,
  ]);
}

/** The returns of a charge. */
export function returnsOf(tx: Tx, charge: Entry): Promise<Entry[]> {
  return tx.query<EntryRow>(
    `select ${columns} from sandbox_transaction
     where tenant_id = $1 and charge_id = $2 and operation = 'return' order by id`,
    [tx.tenantId, String(charge.id)],
  );
}

/** What is known of a stored method. */
export interface MethodRow {
  readonly sealed: string;
  /** Its payer confirmed that it is put on file. */
  readonly isAuthenticated: boolean;
}

export async function sealedMethod(tx: Tx, token: string): Promise<MethodRow | undefined> {
  const [row] = await tx.query<MethodRow & Record<string, unknown>>(
    `select sealed, authenticated_at is not null as is_authenticated
     from sandbox_method where tenant_id = $1 and token = $2`,
    [tx.tenantId, token],
    'sandbox-method',
  );
  return row;
}

export function forgetMethod(tx: Tx, token: string): void {
  tx.send(
    'delete from sandbox_method where tenant_id = $1 and token = $2',
    [tx.tenantId, token],
    'forget-sandbox-method',
  );
}

export type SealedMethod = RowOf<typeof SandboxMethod, 'token' | 'sealed'>;

const methodRow = oneRow({
  into: SandboxMethod,
  as: 'kept',
  columns: ['token', 'idempotencyKey', 'sealed'],
  ending: `on conflict (tenant_id, idempotency_key) do update set sealed = kept.sealed
    returning token, sealed`,
});

/** The method of the key: this one, or the one that was stored under the key before. */
export async function storeMethod(
  tx: Tx,
  key: string,
  method: SealedMethod,
): Promise<SealedMethod> {
  const values = methodRow.values(tx.tenantId, { ...method, idempotencyKey: key });
  const [row] = await tx.query<{ token: string; sealed: string }>(methodRow.text, values);
  if (!row) throw new Error('a method was neither stored nor found');
  return row;
}

const keyLock = `hashtextextended('sandbox/' || $1::text || '/' || $2::text, 0)`;

/** Whether a process is working on the key now. */
export async function isAtWork(tx: Tx, key: string): Promise<boolean> {
  const [row] = await tx.query<{ free: boolean }>(
    `select pg_try_advisory_xact_lock_shared(${keyLock}) as free`,
    [tx.tenantId, key],
  );
  return row?.free !== true;
}

export interface Maker {
  readonly release: () => Promise<void>;
}

/**
 * Locks the key for this process until it releases the lock or dies. Undefined if another process
 * has the lock. It uses a separate connection, because one of the pool's would keep the pool from
 * closing.
 */
export async function atWork(
  db: Database,
  { tenantId, key }: { readonly tenantId: number; readonly key: string },
): Promise<Maker | undefined> {
  // A lost connection releases the lock, and the next call takes over the work.
  const client = await db.openBeside();
  // It does not keep the process alive.
  (client as unknown as { readonly unref: () => void }).unref();
  const release = (): Promise<void> => client.end().catch(() => undefined);
  try {
    const { rows } = await client.query<{ had: boolean }>(
      `select pg_try_advisory_lock(${keyLock}) as had`,
      [tenantId, key],
    );
    if (rows[0]?.had) return { release };
  } catch (error) {
    await release();
    throw error;
  }
  await release();
  return undefined;
}
