/** Records and voids what is due of a tenant at its tax provider: one pass of its workflow. */
import {
  claimTaxRecords,
  PUT_OFF_AT_ONCE_MAX,
  putOffNextDue,
  releaseCalls,
  writeFailed,
  writeRecorded,
  writeVoided,
  type ClaimedCall,
  type FailedCall,
  type RecordedCall,
} from '../../db/queries/tax-records/calls.ts';
import { readOpenTaxRecords, readTroubledRecords } from '../../db/queries/tax-records/records.ts';
import { inTenant, type Tx } from '../../db/connection/tenancy.ts';
import { TaxProviderError, type TaxProvider } from '../../providers/tax/tax-provider.ts';
import { COUNTED_MAX } from '../../workflows/contract/contract.ts';
import { tenantInfo, type Dependencies, type TenantInfo } from '../context/context.ts';
import { since } from '../context/work-log.ts';
import { openedProvider } from '../tax/providers.ts';
import { inLanes } from '../context/lanes.ts';

/** A batch is claimed in one statement, and its outcomes are written in one transaction. */
const CLAIMED_AT_ONCE_MAX = 100;
/** A pass ends after these, so that other tenants have their turn. */
const PASS_CALLS_MAX = 2_000;
const PASS_MS_MAX = 30_000;
/** The last troubles that the workflow shows. */
const SHOWN_MAX = 3;

/** A record that the provider refused, or did not answer. */
export interface TaxRecordTrouble {
  readonly invoiceId: string;
  /** It gives back a part of the invoice; histories of before returns say nothing of it. */
  readonly isReturn?: boolean;
  readonly state: 'toRecord' | 'toVoid';
  /** The provider's, or ours. */
  readonly code: string;
  /** The next attempt, in milliseconds since 1970. */
  readonly nextAt: number;
}

/** What a pass did, and what is left. */
export interface TaxRecordProgress {
  readonly recorded: number;
  readonly voided: number;
  /** Put off, with a call or without. */
  readonly failed: number;
  /** COUNTED_MAX + 1 stands for any more. */
  readonly open: number;
  /** Until the next one is due, in milliseconds; null if none is open. */
  readonly waitMs: number | null;
  /** Since when the provider does not answer, in milliseconds since 1970. */
  readonly silentSince: number | null;
  /** The last ones, refused ones first. */
  readonly troubles: readonly TaxRecordTrouble[];
}

export interface TaxRecordPass {
  readonly signal: AbortSignal;
}

export async function recordTaxes(
  dependencies: Dependencies,
  tenantId: number,
  { signal }: TaxRecordPass,
): Promise<TaxRecordProgress> {
  const tenant = await tenantInfo(dependencies, tenantId);
  const counts = { recorded: 0, voided: 0, failed: 0 };
  const inIts = <Result>(work: (tx: Tx) => Promise<Result>) =>
    inTenant(dependencies.db, tenantId, work);
  const before = await inIts((tx) => readOpenTaxRecords(tx, 1));
  if (before.waitMs === 0) await callDue({ dependencies, tenant, counts, inIts, signal });
  const [after, troubled] = await inTenant(
    dependencies.db,
    tenantId,
    async (tx) =>
      [
        await readOpenTaxRecords(tx, COUNTED_MAX + 1),
        await readTroubledRecords(tx, SHOWN_MAX),
      ] as const,
    { readOnly: true },
  );
  const troubles = troubled.map(({ invoiceId, ...each }) => ({
    invoiceId: String(invoiceId),
    ...each,
  }));
  return { ...counts, ...after, troubles };
}

interface Calling {
  readonly dependencies: Dependencies;
  readonly tenant: TenantInfo;
  readonly counts: { recorded: number; voided: number; failed: number };
  readonly inIts: <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>;
  readonly signal: AbortSignal;
}

/** Batch after batch, until nothing is due, the pass is over, or the provider does not answer. */
async function callDue(calling: Calling): Promise<void> {
  const { dependencies, tenant, counts, inIts, signal } = calling;
  const provider = await openedProvider(dependencies, tenant.id);
  if (provider instanceof TaxProviderError) return putOffAll(calling, provider.code);
  const endAt = performance.now() + PASS_MS_MAX;
  for (let left = PASS_CALLS_MAX; left > 0 && performance.now() < endAt && !signal.aborted;) {
    const began = performance.now();
    const limit = Math.min(left, CLAIMED_AT_ONCE_MAX);
    const claimed = await inIts((tx) => claimTaxRecords(tx, limit));
    if (claimed.length === 0) return;
    const { onBug } = dependencies;
    const testsFirst = left === PASS_CALLS_MAX;
    left -= claimed.length;
    const how = { signal, testsFirst, ...(onBug && { onBug }) };
    const called = await callAll(provider, claimed, how);
    await inIts((tx) => Promise.resolve(writeOutcomes(tx, called)));
    counts.recorded += called.recorded.length;
    counts.voided += called.voided.length;
    counts.failed += called.failed.length;
    logPass(calling, called, began);
    if (called.silence !== null) return putOffAll(calling, called.silence);
  }
}

function writeOutcomes(tx: Tx, { recorded, voided, failed, unsent }: CalledBatch): void {
  writeRecorded(tx, recorded);
  writeVoided(tx, voided);
  writeFailed(tx, failed);
  releaseCalls(tx, unsent);
}

/** All that is due waits, some thousand in a transaction. */
async function putOffAll({ dependencies, tenant, counts, inIts }: Calling, code: string) {
  let failed = 0;
  for (let last = PUT_OFF_AT_ONCE_MAX; last === PUT_OFF_AT_ONCE_MAX; failed += last) {
    last = await inIts((tx) => putOffNextDue(tx, code));
  }
  counts.failed += failed;
  dependencies.onWork?.({ work: 'retry', of: 'tax records', tenant: tenant.label, failed, code });
}

function logPass(
  { dependencies, tenant }: Calling,
  { recorded, voided, failed }: CalledBatch,
  began: number,
): void {
  const counts = { recorded: recorded.length, voided: voided.length, failed: failed.length };
  const its = { tenant: tenant.label, ...counts, milliseconds: since(began) };
  dependencies.onWork?.({ work: 'tax records', ...its });
  for (const { code: record, did, trouble, error: code } of failed) {
    if (trouble !== 'refused') continue;
    const what = { tenant: tenant.label, record, did, code };
    dependencies.onWork?.({ work: 'retry', of: 'tax records', ...what });
  }
}

/* Calls a tax provider for a batch of claimed records, and sorts the outcomes. */

/** As many as the provider's guard lets through. */
const CALLS_AT_ONCE = 8;
/** After as many calls in a row without an answer the others are not tried. */
const SILENT_MAX = 5;
/** A call that began later might end after its lease, when another one is under way. */
const BEGUN_WITHIN_MS = 60_000;

interface CalledBatch {
  readonly recorded: readonly RecordedCall[];
  readonly voided: readonly ClaimedCall[];
  readonly failed: readonly FailedCall[];
  /** Claimed, and not called for. */
  readonly unsent: readonly ClaimedCall[];
  /** The code of the last failure if the provider answers nobody; null if it answers. */
  readonly silence: string | null;
}

interface CallOptions {
  readonly signal: AbortSignal;
  /**
   * The first call is made alone. After an outage it tests the provider, and the breaker would keep
   * back those that are made beside it.
   */
  readonly testsFirst: boolean;
  readonly onBug?: (error: Error) => void;
}

export async function callAll(
  provider: TaxProvider,
  claimed: readonly ClaimedCall[],
  { signal, testsFirst, onBug }: CallOptions,
): Promise<CalledBatch> {
  const began = performance.now();
  const recorded: RecordedCall[] = [];
  const voided: ClaimedCall[] = [];
  const failed: FailedCall[] = [];
  const sent = new Set<ClaimedCall>();
  let silentInARow = 0;
  let silence: string | null = null;

  async function one(call: ClaimedCall): Promise<void> {
    sent.add(call);
    const { code, returnOf, attempts, document } = call;
    const record = { code, returnOf };
    try {
      if (document !== null) {
        const made = await provider.record({ ...document, ...record });
        recorded.push({ code, attempts, ...made });
      } else {
        // What the provider does not know was never recorded there.
        await provider.void(record);
        voided.push(call);
      }
      silentInARow = 0;
    } catch (error) {
      const failure = failureOf(error, onBug);
      const did = document === null ? 'void' : 'record';
      failed.push({ code, attempts, did, ...failure });
      silentInARow = failure.trouble === 'silent' ? silentInARow + 1 : 0;
      if (failure.error === 'circuit_open' || silentInARow >= SILENT_MAX) silence = failure.error;
    }
  }

  const mayContinue = (): boolean =>
    silence === null && !signal.aborted && performance.now() - began < BEGUN_WITHIN_MS;
  const alone = testsFirst ? 1 : 0;
  await inLanes(claimed.slice(0, alone), one, { lanes: 1, mayContinue });
  await inLanes(claimed.slice(alone), one, { lanes: CALLS_AT_ONCE, mayContinue });
  const unsent = claimed.filter((call) => !sent.has(call));
  return { recorded, voided, failed, unsent, silence };
}

function failureOf(
  error: unknown,
  onBug: CallOptions['onBug'],
): Pick<FailedCall, 'trouble' | 'error'> {
  if (error instanceof TaxProviderError) return { trouble: error.kind, error: error.code };
  onBug?.(error instanceof Error ? error : new Error(String(error)));
  return { trouble: 'silent', error: 'failed' };
}
