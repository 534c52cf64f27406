/** One step of a slice: reads what is due next, sends it, and records what became of it. */
import { readDue, readFresh } from '../../db/queries/callbacks/read.ts';
import type { EndpointRow, FreshEvents, OwedEvent } from '../../db/queries/callbacks/read.ts';
import {
  endOutage,
  promoteLanes,
  recordDeliveries,
  recordEndpoint,
} from '../../db/queries/callbacks/write.ts';
import type { EndpointProgress } from '../../db/queries/callbacks/write.ts';
import { inTenant } from '../../db/connection/tenancy.ts';
import { LANES_PER_LOOK, moreAtOnce, pauseAfter } from '../../domain/callbacks/pace.ts';
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
/** New events that a look reads; most of them wait behind others. */
const EVENTS_PER_LOOK_MAX = 256;

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
  const { atOnce, failingSince } = endpoint;
  const began = now();
  const outageSince = failingSince?.getTime() ?? null;
  const sent = await sendBatch(events, { send, atOnce, now, signal, outageSince });
  const cursor = cursorAfter(fresh, sent);
  const progress = progressAfter(endpoint, sent, { cursor, began, now: now() });
  await inTenant(dependencies.db, tenant.id, (tx) => {
    const at = new Date(now());
    recordDeliveries(tx, { endpointId: endpoint.id, now: at, records: sent.records });
    if (failingSince && progress.outages === 0) {
      endOutage(tx, { endpointId: endpoint.id, since: failingSince, now: at });
    }
    const lanes = [...new Set(sent.records.map(({ lane }) => lane))];
    promoteLanes(tx, { endpointId: endpoint.id, now: at, lanes });
    recordEndpoint(tx, endpoint.id, progress);
    return Promise.resolve();
  });
  return { delivered: sent.delivered, hasMore: true };
}

/**
 * In an outage a look shows whether the endpoint is back: by new events, one after the other, until
 * so many fail that it is not; and by few deliveries that wait, which may be the ones that it never
 * takes. New events that wait behind those are passed over first.
 */
function readNext({ dependencies, tenant }: SliceWork, endpoint: EndpointRow): Promise<Next> {
  const { id: endpointId, cursor, atOnce } = endpoint;
  const isLook = endpoint.outages > 0;
  const lanes = isLook
    ? { lanesMax: LANES_PER_LOOK, eventsPerLaneMax: 1 }
    : { lanesMax: atOnce, eventsPerLaneMax: EVENTS_PER_LANE_MAX };
  const eventsMax = isLook ? EVENTS_PER_LOOK_MAX : atOnce * EVENTS_PER_POST;
  const now = new Date(dependencies.realNow());
  return inTenant(
    dependencies.db,
    tenant.id,
    async (tx) => {
      const fresh = await readFresh(tx, { endpointId, cursor, eventsMax });
      const isPassing = isLook && fresh.hasMore && fresh.events.every(({ isBehind }) => isBehind);
      const due = isPassing ? [] : await readDue(tx, { endpointId, now, ...lanes });
      return { due, fresh };
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
  readonly began: number;
  readonly now: number;
}

function progressAfter(
  endpoint: EndpointRow,
  { delivered, failed, outage, records }: SentBatch,
  { cursor, began, now }: After,
): EndpointProgress {
  const lastError = records.findLast((record) => record.lastError !== null)?.lastError ?? null;
  const { outages, failingSince, pausedUntil } = endpoint;
  const isLook = outages > 0;
  // A look that failed is an outage, whatever the reason.
  if (outage !== null || (isLook && delivered === 0 && failed > 0)) {
    const unreachable = outage?.isUnreachable === true ? outages + 1 : 0;
    return {
      cursor,
      atOnce: 1,
      outages: Math.max(unreachable, 1),
      // What failed in this batch failed in the outage.
      failingSince: failingSince ?? new Date(began),
      pausedUntil: new Date(now + pauseAfter({ unreachable })),
      lastError: outage?.code ?? lastError,
    };
  }
  if (delivered === 0 && isLook) {
    const { atOnce } = endpoint;
    return { cursor, atOnce, outages, failingSince, pausedUntil, lastError: endpoint.lastError };
  }
  const atOnce = moreAtOnce(endpoint.atOnce);
  return { cursor, atOnce, outages: 0, failingSince: null, pausedUntil: null, lastError };
}
