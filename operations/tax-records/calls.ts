/** Calls a tax provider for a batch of claimed records, and sorts the outcomes. */
import type { ClaimedCall, FailedCall, RecordedCall } from '../../db/queries/tax-records/calls.ts';
import { TaxProviderError, type TaxProvider } from '../../providers/tax/tax-provider.ts';
import { inLanes } from '../context/lanes.ts';

/** As many as the provider's guard lets through. */
const CALLS_AT_ONCE = 8;
/** After as many calls in a row without an answer the others are not tried. */
const SILENT_MAX = 5;
/** A call that began later might end after its lease, when another one is under way. */
const BEGUN_WITHIN_MS = 60_000;

export interface CalledBatch {
  readonly recorded: readonly RecordedCall[];
  readonly voided: readonly ClaimedCall[];
  readonly failed: readonly FailedCall[];
  /** Claimed, and not called for. */
  readonly unsent: readonly ClaimedCall[];
  /** The code of the last failure if the provider answers nobody; null if it answers. */
  readonly silence: string | null;
}

export interface CallOptions {
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
    const { code, invoiceId, attempts, document } = call;
    const record = { code, returnOf: call.isReturn ? String(invoiceId) : null };
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
