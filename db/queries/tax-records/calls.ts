/** Calls to a tax provider as rows see them: claimed one at a time, and ended by their outcome. */
import type { Tx } from '../../connection/tenancy.ts';
import type { RowOf } from '../../entities/rows.ts';
import { TaxRecord } from '../../entities/taxes.ts';
import { given, type GivenBy } from '../context/insertion.ts';
import { isInTurn, isOpen, type StoredDocument } from './records.ts';

/** A call is begun within a minute of its claim, and takes some seconds. */
export const LEASE_SECONDS = 120;

export interface ClaimedCall extends RowOf<
  typeof TaxRecord,
  /** The record's name at the provider. */
  | 'code'
  | 'invoiceId'
  /** The number of the claim: an outcome of another one changes nothing. */
  | 'attempts'
> {
  /** The record's name of the invoice of which it gives back a part; null if it is none. */
  readonly returnOf: string | null;
  /** What to record; null to void. */
  readonly document: StoredDocument | null;
}

/** Claims those that wait longest: nobody else calls for them before the lease is over. */
export function claimTaxRecords(tx: Tx, limit: number): Promise<ClaimedCall[]> {
  return tx.query<ClaimedCall & Record<string, unknown>>(
    // Materialized: a join could run the selection again for each row, and claim them all.
    `with next as materialized (
       select code from tax_record t
       where tenant_id = $1 and ${isOpen} and next_attempt_at <= now() and ${isInTurn('t')}
       order by next_attempt_at, invoice_id, code limit $2 for update skip locked)
     update tax_record r set attempts = attempts + 1,
       next_attempt_at = now() + make_interval(secs => ${LEASE_SECONDS}),
       leased_until = now() + make_interval(secs => ${LEASE_SECONDS})
     from next where r.tenant_id = $1 and r.code = next.code
     returning r.code, r.invoice_id,
       coalesce((select i.credit_note_of from invoice i
           where i.tenant_id = r.tenant_id and i.id = r.invoice_id),
         case when r.payment_id is not null then r.invoice_id end)::text as return_of,
       r.attempts, r.document`,
    [tx.tenantId, limit],
    'claim-tax-records',
  );
}

const calls = given(TaxRecord, ['code', 'attempts']);
const recordedCalls = given(TaxRecord, {
  code: 'code',
  attempts: 'attempts',
  total: 'expectedTotal',
  tax: 'expectedTax',
});
const failedCalls = given(
  TaxRecord,
  { code: 'code', attempts: 'attempts', error: 'errorCode', trouble: 'trouble' },
  { besides: { did: 'text' } },
);

type Call = GivenBy<typeof calls>;

export type RecordedCall = GivenBy<typeof recordedCalls>;

/** Of a call that the provider has carried out. */
const settled = `failures = 0, failing_since = null, trouble = null, error_code = null,
  leased_until = null`;
/** The rows of calls in one order, so that two processes that end the same do not deadlock. */
const locked = ({ recordset }: { readonly recordset: string }): string => `called as (
  select r.*, t.state from ${recordset}
  join tax_record t on t.tenant_id = $1 and t.code = r.code
  order by r.code for update of t)`;

/**
 * What the provider has recorded. An invoice that was cancelled meanwhile is voided next, even if a
 * late answer comes after its record seemed to be void: then the number of the claim goes up, so
 * that a call which voids it at the moment counts for nothing.
 */
export function writeRecorded(tx: Tx, rows: readonly RecordedCall[]): void {
  if (rows.length === 0) return;
  tx.send(
    `with ${locked(recordedCalls)}
     update tax_record t set ${settled}, recorded_total = c.total, recorded_tax = c.tax,
       document = null, next_attempt_at = now(),
       opened_at = case t.state when 'voided' then now() else t.opened_at end,
       attempts = case t.attempts when c.attempts then t.attempts else t.attempts + 1 end,
       state = case when t.state in ('toRecord', 'recorded') then 'recorded' else 'toVoid' end
     from called c where t.tenant_id = $1 and t.code = c.code
       and (t.attempts = c.attempts or t.state in ('toVoid', 'voided'))`,
    [tx.tenantId, recordedCalls.json(rows)],
    'tax-records-recorded',
  );
}

export function writeVoided(tx: Tx, rows: readonly Call[]): void {
  if (rows.length === 0) return;
  tx.send(
    `with ${locked(calls)}
     update tax_record t set ${settled}, state = 'voided'
     from called c where t.tenant_id = $1 and t.code = c.code
       and t.attempts = c.attempts and t.state = 'toVoid'`,
    [tx.tenantId, calls.json(rows.map(nameOf))],
    'tax-records-voided',
  );
}

export interface FailedCall extends Call {
  readonly did: 'record' | 'void';
  readonly trouble: 'refused' | 'silent';
  /** The provider's, or ours. */
  readonly error: string;
}

/**
 * Calls that failed are repeated after a pause. A provider that did not answer may still carry out
 * the call until its lease is over, so a record that was cancelled meanwhile is voided after that.
 */
export function writeFailed(tx: Tx, rows: readonly FailedCall[]): void {
  if (rows.length === 0) return;
  tx.send(
    `with ${locked(failedCalls)}
     update tax_record t set
       failures = case when is_same then t.failures + 1 else 0 end,
       failing_since = case when is_same then coalesce(t.failing_since, now()) end,
       trouble = case when is_same then c.trouble end,
       error_code = case when is_same then c.error end,
       leased_until = case c.trouble when 'silent' then t.leased_until end,
       next_attempt_at = case when is_same then now()
         + case c.trouble when 'refused' then ${PAUSE_OF_REFUSED} else ${pauseAfter('t.failures')} end
         when c.trouble = 'silent' then t.leased_until else now() end
     from called c cross join lateral (
       select (c.state = 'toVoid') = (c.did = 'void') as is_same) s
     where t.tenant_id = $1 and t.code = c.code
       and t.attempts = c.attempts and t.${isOpen}`,
    [tx.tenantId, failedCalls.json(rows)],
    'tax-records-failed',
  );
}

/** Claims without a call: others may claim them at once, or the rest of them is put off. */
export function releaseCalls(tx: Tx, rows: readonly Call[]): void {
  if (rows.length === 0) return;
  tx.send(
    `with ${locked(calls)}
     update tax_record t set next_attempt_at = now()
     from called c where t.tenant_id = $1 and t.code = c.code
       and t.attempts = c.attempts and t.${isOpen}`,
    [tx.tenantId, calls.json(rows.map(nameOf))],
    'release-tax-records',
  );
}

function nameOf({ code, attempts }: Call): Call {
  return { code, attempts };
}

/** One statement stays far below the limit of its time. */
export const PUT_OFF_AT_ONCE_MAX = 5_000;

/** The provider answers nobody: a failure of each of the next that are due. Returns their number. */
export async function putOffNextDue(tx: Tx, error: string): Promise<number> {
  const rows = await tx.query(
    `update tax_record t set failures = failures + 1, failing_since = coalesce(failing_since, now()),
       trouble = 'silent', error_code = $2,
       next_attempt_at = now() + ${pauseAfter('failures')}
     where tenant_id = $1 and code = any(array(
       select code from tax_record
       where tenant_id = $1 and ${isOpen} and next_attempt_at <= now()
       order by next_attempt_at, invoice_id limit ${PUT_OFF_AT_ONCE_MAX} for update skip locked))
     returning code`,
    [tx.tenantId, error],
    'put-off-tax-records',
  );
  return rows.length;
}

/* How long a tax provider that did not answer is left alone, before it is asked or told again. */

const PAUSE_MINUTES_MAX = 15;

/** In SQL: 1, 2, 4, 8 minutes and then always 15, by the number of failures before this one. */
export const pauseAfter = (failuresBefore: string): string =>
  `make_interval(mins => least(power(2, least(${failuresBefore}, 10)), ${PAUSE_MINUTES_MAX})::int)`;

/** In SQL: what was refused is refused again, so it waits longest. */
const PAUSE_OF_REFUSED = `make_interval(mins => ${PAUSE_MINUTES_MAX})`;
