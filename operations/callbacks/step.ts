/** One step of a slice: reads what is due next, sends it, and records what became of it. */
import { readDue, readFresh } from '../../db/queries/callbacks/read.ts';
import type { EndpointRow, FreshEvents, OwedEvent } from '../../db/queries/callbacks/read.ts';
import {
  makeAllDue,
  promoteLanes,
  recordDeliveries,
  recordEndpoint,
} from '../../db/queries/callbacks/write.ts';
import type { EndpointProgress } from '../../db/queries/callbacks/write.ts';
import { inTenant } from '../../db/connection/tenancy.ts';
import { moreAtOnce, pauseAfter } from '../../domain/callbacks/pace.ts';
import { sendBatch } from './batch.ts';
import type { SentBatch } from './batch.ts';
import type { Send, SenderWork } from './sender.ts';

export interface SliceWork extends SenderWork {
  /** Ends the slice between two posts. */
  readonly signal: AbortSignal;
}

export interface Step {
  readonly delivered: number;
  /** There may be more to send at once. */
  readonly hasMore: boolean;
}

/** Of a customer whose events wait, in one batch. */
const EVENTS_PER_LANE_MAX = 20;
/** New events in a batch, for each post at once. */
const EVENTS_PER_POST = 8;

interface Next {
  readonly due: readonly OwedEvent[];
  readonly fresh: FreshEvents;
}

export async function sendNext(work: SliceWork, endpoint: EndpointRow, send: Send): Promise<Step> {
  const { dependencies, tenant, signal } = work;
  const { due, fresh } = await readNext(work, endpoint);
  const events = [...due, ...fresh.events];
  if (events.length === 0 && fresh.upTo === endpoint.cursor)
    return { delivered: 0, hasMore: false };
  const now = dependencies.realNow;
  const sent = await sendBatch(events, { send, atOnce: endpoint.atOnce, now, signal });
  const progress = progressAfter(endpoint, sent, { cursor: cursorAfter(fresh, sent), now: now() });
  await inTenant(dependencies.db, tenant.id, (tx) => {
    const at = new Date(now());
    recordDeliveries(tx, { endpointId: endpoint.id, now: at, records: sent.records });
    // What failed while the endpoint was away need not wait for its own pause.
    if (endpoint.outages > 0 && progress.outages === 0) makeAllDue(tx, endpoint.id, at);
    const lanes = [...new Set(sent.records.map(({ lane }) => lane))];
    promoteLanes(tx, { endpointId: endpoint.id, now: at, lanes });
    recordEndpoint(tx, endpoint.id, progress);
    return Promise.resolve();
  });
  return { delivered: sent.delivered, hasMore: true };
}

/** After an outage, one delivery that waits and one new event show whether the endpoint is back. */
function readNext({ dependencies, tenant }: SliceWork, endpoint: EndpointRow): Promise<Next> {
  const { id: endpointId, cursor, atOnce } = endpoint;
  const isLook = endpoint.outages > 0;
  const lanes = {
    lanesMax: isLook ? 1 : atOnce,
    eventsPerLaneMax: isLook ? 1 : EVENTS_PER_LANE_MAX,
  };
  const eventsMax = isLook ? 1 : atOnce * EVENTS_PER_POST;
  const now = new Date(dependencies.realNow());
  return inTenant(
    dependencies.db,
    tenant.id,
    async (tx) => {
      const due = await readDue(tx, { endpointId, now, ...lanes });
      return { due, fresh: await readFresh(tx, { endpointId, cursor, eventsMax }) };
    },
    { readOnly: true },
  );
}

/** New events that were not sent are read again. */
function cursorAfter(fresh: FreshEvents, { unsent }: SentBatch): number {
  const isNew = new Set(fresh.events);
  const left = unsent.filter((event) => isNew.has(event)).map(({ sequence }) => sequence);
  return Math.min(fresh.upTo, ...left.map((sequence) => sequence - 1));
}

interface After {
  readonly cursor: number;
  readonly now: number;
}

function progressAfter(
  endpoint: EndpointRow,
  { delivered, failed, outage, records }: SentBatch,
  { cursor, now }: After,
): EndpointProgress {
  const lastError = records.findLast((record) => record.lastError !== null)?.lastError ?? null;
  // A look that failed is an outage, whatever the reason.
  const isAway = outage !== null || (endpoint.outages > 0 && delivered === 0 && failed > 0);
  if (isAway) {
    const outages = endpoint.outages + 1;
    const pausedUntil = new Date(now + pauseAfter(outages));
    const failingSince = endpoint.failingSince ?? new Date(now);
    return {
      cursor,
      atOnce: 1,
      outages,
      failingSince,
      pausedUntil,
      lastError: outage ?? lastError,
    };
  }
  const { outages, failingSince, pausedUntil } = endpoint;
  if (delivered === 0 && outages > 0) {
    const { atOnce } = endpoint;
    return { cursor, atOnce, outages, failingSince, pausedUntil, lastError: endpoint.lastError };
  }
  const atOnce = moreAtOnce(endpoint.atOnce);
  return { cursor, atOnce, outages: 0, failingSince: null, pausedUntil: null, lastError };
}
