/** Sends a batch of events to one endpoint: customers at once, the events of one in order. */
import type { DeliveryRecord } from '../../db/queries/callbacks/write.ts';
import type { OwedEvent } from '../../db/queries/callbacks/read.ts';
import { giveUpAt, isOutage, retryAt } from '../../domain/callbacks/pace.ts';
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
}

export interface SentBatch {
  readonly records: readonly DeliveryRecord[];
  /** Events that no attempt was made at, because the endpoint is away or the worker stops. */
  readonly unsent: readonly OwedEvent[];
  readonly delivered: number;
  readonly failed: number;
  /** The code of the failure that showed that the endpoint is away. */
  readonly outage: string | null;
}

/** A customer whose posts take long leaves its turn, and continues in a later batch. */
const LANE_MS_MAX = 2_000;

export async function sendBatch(
  events: readonly OwedEvent[],
  options: BatchOptions,
): Promise<SentBatch> {
  const records: DeliveryRecord[] = [];
  const sent = new Set<OwedEvent>();
  const failing = { inARow: 0, lanes: new Set<number>() };
  let delivered = 0;
  let failed = 0;
  let outage: string | null = null;
  const mayGoOn = (): boolean => outage === null && !options.signal.aborted;

  function note(event: OwedEvent, attempt: Attempt): 'next' | 'stop' {
    const record = recordOf(event, attempt, options.now());
    records.push(record);
    sent.add(event);
    if (attempt.kind === 'delivered') {
      delivered += 1;
      failing.inARow = 0;
      failing.lanes.clear();
    } else if (attempt.kind !== 'hopeless') {
      failed += 1;
      failing.inARow += 1;
      failing.lanes.add(event.lane);
      const isAway = isOutage({ inARow: failing.inARow, customers: failing.lanes.size });
      if (attempt.kind === 'unreachable' || isAway) outage ??= attempt.code;
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
      if (!mayGoOn()) return;
      if (event.isBehind) return park(lane, null);
      if (performance.now() - began > LANE_MS_MAX) return park(lane, options.now());
      if (note(event, await options.send(event)) === 'stop') return park(lane, null);
    }
  }

  const lanes = [...Map.groupBy(events, ({ lane }) => lane).values()];
  await inLanes(lanes, sendLane, { lanes: options.atOnce, mayGoOn });
  return { records, unsent: events.filter((event) => !sent.has(event)), delivered, failed, outage };
}

function recordOf(event: OwedEvent, attempt: Attempt, now: number): DeliveryRecord {
  const until = giveUpOf(event);
  const attempts = event.attempts + 1;
  const base = { eventId: event.eventId, lane: event.lane, attempts, giveUpAt: until };
  const { document } = attempt;
  if (attempt.kind === 'delivered') {
    return { ...base, state: 'Delivered', retryAt: null, lastError: null, document };
  }
  const lastError = attempt.code;
  const again =
    attempt.kind === 'hopeless' ? null : retryAt({ attempts, now, giveUpAt: until.getTime() });
  return again === null
    ? { ...base, state: 'GivenUp', retryAt: null, lastError, document }
    : { ...base, state: 'Waiting', retryAt: new Date(again), lastError, document };
}

function waitingRecord(event: OwedEvent, at: number | null): DeliveryRecord {
  const { eventId, lane, attempts, lastError } = event;
  const again = at === null ? null : new Date(at);
  const unchanged = { eventId, lane, attempts, lastError, document: null };
  return { ...unchanged, state: 'Waiting', retryAt: again, giveUpAt: giveUpOf(event) };
}

function giveUpOf({ giveUpAt: given, createdAt }: OwedEvent): Date {
  return given ?? new Date(giveUpAt(createdAt.getTime()));
}
