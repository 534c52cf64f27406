/** Sends a batch of events to one endpoint: customers at once, the events of one in order. */
import type { DeliveryRecord } from '../../db/queries/callbacks/write.ts';
import type { OwedEvent } from '../../db/queries/callbacks/read.ts';
import { giveUpAt, hasFailedBefore, isOutage, retryAt } from '../../domain/callbacks/pace.ts';
import { inLanes } from '../context/lanes.ts';

/** What became of one attempt. */
export type Attempt =
  | { readonly kind: 'delivered'; readonly document: DeliveryRecord['document'] }
  | {
      /** `hopeless`: no further attempt could succeed. */
      readonly kind: 'refused' | 'unreachable' | 'hopeless';
      readonly code: string;
      readonly document: DeliveryRecord['document'];
    };

export interface BatchOptions {
  readonly send: (event: OwedEvent) => Promise<Attempt>;
  readonly atOnce: number;
  /** In milliseconds since 1970. */
  readonly now: () => number;
  readonly signal: AbortSignal;
  /** Since when the endpoint is in an outage. */
  readonly outageSince: number | null;
}

export interface Outage {
  /** Of the failure that showed it. */
  readonly code: string;
  /** There is no connection to the endpoint. */
  readonly isUnreachable: boolean;
}

export interface SentBatch {
  readonly records: readonly DeliveryRecord[];
  /** Events that no attempt was made at, because the endpoint is away or the worker stops. */
  readonly unsent: readonly OwedEvent[];
  readonly delivered: number;
  readonly failed: number;
  readonly outage: Outage | null;
}

/** A customer whose posts take long leaves its turn, and continues in a later batch. */
const LANE_MS_MAX = 2_000;

export async function sendBatch(
  events: readonly OwedEvent[],
  options: BatchOptions,
): Promise<SentBatch> {
  const records: DeliveryRecord[] = [];
  const sent = new Set<OwedEvent>();
  const failing = { inARow: 0, first: 0, lanes: new Set<number>() };
  let delivered = 0;
  let failed = 0;
  let outage: Outage | null = null;
  // A success ends a look, and the outage: what follows is sent faster.
  const isDecided = (): boolean => options.outageSince !== null && delivered > 0;
  const mayContinue = (): boolean => outage === null && !isDecided() && !options.signal.aborted;

  function note(event: OwedEvent, attempt: Attempt): 'next' | 'stop' {
    const record = recordOf(event, attempt, options);
    records.push(record);
    sent.add(event);
    if (attempt.kind === 'delivered') {
      delivered += 1;
      Object.assign(failing, { inARow: 0, first: 0, lanes: new Set() });
      // Faster failures came first.
      outage = null;
    } else if (attempt.kind !== 'hopeless') {
      failed += 1;
      failing.inARow += 1;
      if (!isKnown(event, options)) {
        failing.first += 1;
        failing.lanes.add(event.lane);
      }
      const isUnreachable = attempt.kind === 'unreachable';
      const { inARow, first, lanes } = failing;
      if (isUnreachable || isOutage({ inARow, first, customers: lanes.size })) {
        outage ??= { code: attempt.code, isUnreachable };
      }
    }
    return record.state === 'Waiting' ? 'stop' : 'next';
  }

  function park(lane: readonly OwedEvent[], at: number | null): void {
    const [first, ...others] = lane.filter((event) => !sent.has(event));
    if (first) records.push(waitingRecord(first, at));
    for (const event of others) records.push(waitingRecord(event, null));
    for (const event of lane) sent.add(event);
  }

  async function sendLane(lane: readonly OwedEvent[]): Promise<void> {
    const began = performance.now();
    for (const event of lane) {
      if (!mayContinue()) return;
      if (event.isBehind) return park(lane, null);
      if (performance.now() - began > LANE_MS_MAX) return park(lane, options.now());
      if (note(event, await options.send(event)) === 'stop') return park(lane, null);
    }
  }

  const lanes = [...Map.groupBy(events, ({ lane }) => lane).values()];
  // What has failed before goes last: it may fail again, and slowly.
  const ordered = lanes.toSorted((one, other) => failuresOf(one) - failuresOf(other));
  await inLanes(ordered, sendLane, { lanes: options.atOnce, mayContinue });
  return { records, unsent: events.filter((event) => !sent.has(event)), delivered, failed, outage };
}

function isKnown({ failedAt }: OwedEvent, { outageSince }: BatchOptions): boolean {
  return hasFailedBefore({ failedAt: failedAt?.getTime() ?? null, outageSince });
}

/** 0 or 1: a lane fails at its first event. */
function failuresOf([first]: readonly OwedEvent[]): number {
  return first?.failedAt ? 1 : 0;
}

function recordOf(event: OwedEvent, attempt: Attempt, options: BatchOptions): DeliveryRecord {
  const now = options.now();
  const until = giveUpOf(event);
  const attempts = event.attempts + 1;
  const base = { eventId: event.eventId, lane: event.lane, attempts, giveUpAt: until };
  const { document } = attempt;
  if (attempt.kind === 'delivered') {
    return {
      ...base,
      state: 'Delivered',
      retryAt: null,
      failedAt: null,
      lastError: null,
      document,
    };
  }
  const lastError = attempt.code;
  const failedAt = event.failedAt ?? new Date(now);
  // Looks say nothing of an event that failed in the outage: its own pauses begin afterwards.
  const isOfOutage = options.outageSince !== null && !isKnown(event, options);
  const failures = isOfOutage ? 1 : attempts;
  const failed = { attempts: failures, now, giveUpAt: until.getTime() };
  const again = attempt.kind === 'hopeless' ? null : retryAt(failed);
  return again === null
    ? { ...base, state: 'GivenUp', retryAt: null, failedAt, lastError, document }
    : { ...base, state: 'Waiting', retryAt: new Date(again), failedAt, lastError, document };
}

function waitingRecord(event: OwedEvent, at: number | null): DeliveryRecord {
  const { eventId, lane, attempts, failedAt, lastError } = event;
  const again = at === null ? null : new Date(at);
  const unchanged = { eventId, lane, attempts, failedAt, lastError, document: null };
  return { ...unchanged, state: 'Waiting', retryAt: again, giveUpAt: giveUpOf(event) };
}

function giveUpOf({ giveUpAt: given, createdAt }: OwedEvent): Date {
  return given ?? new Date(giveUpAt(createdAt.getTime()));
}
