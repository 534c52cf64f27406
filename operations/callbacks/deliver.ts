/** Sends an endpoint what it is owed, for some seconds, and says what comes next. */
import { inTenant, type Tx } from '../../db/connection/tenancy.ts';
import {
  readEndpoint,
  readFresh,
  readOutlook,
  type EndpointRow,
  type Outlook,
  readDue,
  type FreshEvents,
  type OwedEvent,
} from '../../db/queries/callbacks/read.ts';
import {
  giveUpUnsent,
  endOutage,
  promoteLanes,
  recordDeliveries,
  recordEndpoint,
  type EndpointProgress,
} from '../../db/queries/callbacks/write.ts';
import {
  POSTS_AT_ONCE_MAX,
  overdueBefore,
  LANES_PER_LOOK,
  moreAtOnce,
  pauseAfter,
} from '../../domain/callbacks/pace.ts';
import { DomainError } from '../../domain/errors.ts';
import type { CallbackLine } from '../../providers/callbacks/line.ts';
import { COUNTED_MAX, type CallbackProgress } from '../../workflows/contract/contract.ts';
import { tenantInfo, type Dependencies } from '../context/context.ts';
import { since } from '../context/work-log.ts';
import { sendBatch, type SentBatch } from './batch.ts';
import { openSender, type CallbackOptions, type Send, type SenderWork } from './sender.ts';

export interface CallbackSlice {
  readonly endpointId: number;
  /** Called every second as a heartbeat of the slice. */
  readonly onProgress: () => void;
  /** Ends the slice between two posts. */
  readonly signal: AbortSignal;
}

/** The length of a slice, after which the workflow shows the progress. */
const SLICE_MS = 10_000;
const BEAT_MS = 1_000;

/** Throws callbacks.unknown. What an endpoint owes that is off is given up. */
export async function deliverCallbacks(
  dependencies: Dependencies,
  tenantId: number,
  options: CallbackOptions,
  { endpointId, onProgress, signal }: CallbackSlice,
): Promise<CallbackProgress> {
  const began = performance.now();
  const tenant = await tenantInfo(dependencies, tenantId);
  const work: SliceWork = { dependencies, tenant, options, signal };
  const timer = setInterval(onProgress, BEAT_MS);
  const mayContinue = (): boolean => !signal.aborted && performance.now() - began < SLICE_MS;
  const lineOptions = { ...options, connectionsMax: POSTS_AT_ONCE_MAX };
  let line: CallbackLine | undefined;
  let delivered = 0;
  try {
    for (let hasMore = true; hasMore && mayContinue();) {
      const endpoint = await endpointOf(work, endpointId);
      const isPaused = isPausedAt(endpoint, dependencies.realNow());
      if (!endpoint.isOn || isPaused) {
        hasMore = (await giveUp(work, endpoint)) > 0;
        continue;
      }
      line ??= await options.openLine(endpoint.url, lineOptions);
      const sender = openSender(work, endpoint, line);
      const step = await sendNext(work, endpoint, sender);
      delivered += step.delivered;
      hasMore = step.hasMore;
    }
  } finally {
    clearInterval(timer);
    line?.close();
  }
  const progress = await look(work, endpointId, delivered);
  const { failureCode: code, waiting, givenUp } = progress;
  const facts = { tenant: tenant.label, endpointId, delivered, waiting, givenUp, code };
  dependencies.onWork?.({ work: 'callbacks', ...facts, milliseconds: since(began) });
  return progress;
}

function isPausedAt({ pausedUntil }: EndpointRow, now: number): boolean {
  return pausedUntil !== null && pausedUntil.getTime() > now;
}

function endpointOf({ dependencies, tenant }: SliceWork, id: number): Promise<EndpointRow> {
  return inTenant(dependencies.db, tenant.id, (tx) => endpointIn(tx, id), {
    readOnly: true,
    single: true,
  });
}

async function endpointIn(tx: Tx, id: number): Promise<EndpointRow> {
  const endpoint = await readEndpoint(tx, id);
  if (endpoint) return endpoint;
  throw new DomainError('callbacks.unknown', `there is no callback endpoint with id ${id}`, {
    value: String(id),
    id,
  });
}

/**
 * Everything if the endpoint is off; what is older than three days if it does not answer. An
 * endpoint is looked at before, so one that answers again gets older events, too.
 */
function giveUp({ dependencies, tenant }: SliceWork, endpoint: EndpointRow): Promise<number> {
  const now = dependencies.realNow();
  return inTenant(dependencies.db, tenant.id, (tx) =>
    giveUpUnsent(tx, {
      endpointId: endpoint.id,
      cursor: endpoint.cursor,
      now: new Date(now),
      createdUntil: endpoint.isOn ? new Date(overdueBefore(now)) : null,
      why: endpoint.isOn ? (endpoint.lastError ?? 'no_answer') : 'endpoint_off',
    }),
  );
}

function look(
  { dependencies, tenant }: SliceWork,
  endpointId: number,
  delivered: number,
): Promise<CallbackProgress> {
  return inTenant(
    dependencies.db,
    tenant.id,
    async (tx) => {
      const endpoint = await endpointIn(tx, endpointId);
      const { events, hasMore } = await readFresh(tx, { ...endpoint, endpointId, eventsMax: 1 });
      const outlook = await readOutlook(tx, endpointId, COUNTED_MAX + 1);
      const hasNew = events.length > 0 || hasMore;
      return progressOf(endpoint, { ...outlook, delivered, hasNew, now: dependencies.realNow() });
    },
    { readOnly: true },
  );
}

/* What an endpoint waits for, as its workflow shows it. */

interface Looked extends Outlook {
  readonly delivered: number;
  /** There are events that nobody has looked at. */
  readonly hasNew: boolean;
  readonly now: number;
}

function progressOf(endpoint: EndpointRow, looked: Looked): CallbackProgress {
  const { delivered, waiting, givenUp, oldestAt } = looked;
  const { isOn, lastError, failingSince } = endpoint;
  const nextAt = nextOf(endpoint, looked);
  const isOver = nextAt === null && (givenUp === 0 || !isOn);
  return {
    done: isOver,
    phase: phaseOf(endpoint, looked, nextAt),
    // Without its path, which may contain a token.
    endpoint: new URL(endpoint.url).host,
    delivered,
    waiting,
    givenUp,
    failureCode: waiting > 0 || failingSince !== null ? lastError : null,
    waitMs: nextAt === null ? null : Math.max(0, nextAt - looked.now),
    oldestAt: oldestAt?.getTime() ?? null,
    failingSince: failingSince?.getTime() ?? null,
  };
}

/** The instant of the next look; null if there is nothing to wait for. */
function nextOf({ isOn, pausedUntil }: EndpointRow, looked: Looked): number | null {
  const { hasNew, waiting, retryAt, now } = looked;
  if (!hasNew && waiting === 0) return null;
  if (!isOn) return now;
  const paused = pausedUntil?.getTime() ?? 0;
  if (hasNew) return Math.max(paused, now);
  return Math.max(paused, retryAt?.getTime() ?? now);
}

function phaseOf(
  { isOn, pausedUntil }: EndpointRow,
  { now, givenUp }: Looked,
  nextAt: number | null,
): CallbackProgress['phase'] {
  if (!isOn) return 'Off';
  if (nextAt === null) return givenUp > 0 ? 'GivenUp' : 'Done';
  if (pausedUntil !== null && pausedUntil.getTime() > now) return 'Paused';
  return nextAt > now ? 'Retrying' : 'Delivering';
}

/* One step of a slice: reads what is due next, sends it, and records what became of it. */

interface SliceWork extends SenderWork {
  /** Ends the slice between two posts. */
  readonly signal: AbortSignal;
}

interface Step {
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

async function sendNext(work: SliceWork, endpoint: EndpointRow, send: Send): Promise<Step> {
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
