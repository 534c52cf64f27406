/** The wake of an order's workflow: bills and pays what is due, and returns the next wake. */
import { setTimeout as sleep } from 'node:timers/promises';
import { addDays, type IsoDate } from '../../domain/calendar/calendar.ts';
import { startOfDay } from '../../domain/calendar/zone.ts';
import { numberInPlaceOf } from '../../db/queries/orders/write.ts';
import { readWokenOrder, type WokenOrder } from '../../db/queries/orders/wake.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import type { OrderWake, NextStep, SeenOrder } from '../../workflows/contract/contract.ts';
import { shownOrder } from '../../workflows/story/shown.ts';
import { lastOf } from '../../workflows/story/story.ts';
import { billCustomers } from '../billing/bill-customers.ts';
import type { BilledBatch } from '../billing/batch.ts';
import { WAKE_DELAY_MS, yieldMsOf } from '../outbox/wake-pace.ts';
import { claimAutopay } from '../collection/autopay.ts';
import type { BillingDependencies } from '../billing/apart.ts';
import { firstLook, type Beginning } from '../wakes/first-look.ts';
import {
  wake,
  type Done,
  type Look,
  type Moment,
  type WakeHooks,
  type WakeParts,
} from '../wakes/wake.ts';
import type { FirstLook } from '../workflow-kinds/description.ts';
import { shownReference } from '../workflow-kinds/shown-reference.ts';
import { nextUsage, type UsageStep } from './next-usage.ts';
import { storyOf, couponFact } from './story.ts';
import { ownStepsOf, usageFact } from './words.ts';

/** The wait for a suspect, which is being billed separately; the next wake checks again. */
const APART_WAIT_MS = 5_000;
/** A wake is short: it bills some slices of a customer, and the next wake continues. */
const SLICES_PER_WAKE_MAX = 3;
const GO_ON_MS = 1_000;
const LEFT_TO_ASK = 'left it to the billing run, which asks the tax provider';
const terminal = new Set(['Complete', 'Superseded', 'Canceled']);

export interface WakeRequest {
  readonly orderId: number;
  /** How often in a row the due order was left to the billing run. */
  readonly yields: number;
  /** The state that the previous wake saw; undefined at the first wake. */
  readonly seen?: SeenOrder | undefined;
}

export function wakeOrder(
  dependencies: BillingDependencies,
  tenantId: number,
  request: WakeRequest,
  hooks: WakeHooks,
): Promise<OrderWake> {
  return wake(dependencies, tenantId, orderParts(dependencies, request), hooks);
}

export function firstLookAtOrder(
  dependencies: BillingDependencies,
  tx: Tx,
  beginning: Beginning,
  orderId: number,
): Promise<FirstLook | null> {
  const parts = orderParts(dependencies, { orderId, yields: 0 });
  return firstLook(dependencies, tx, beginning, parts, (found, nowMs) => {
    const story = lastOf(found.happened ?? []);
    return { shown: shownOrder(found, nowMs), story, input: { seen: found.seen, story } };
  });
}

function orderParts(
  dependencies: BillingDependencies,
  { orderId, yields, seen }: WakeRequest,
): WakeParts<ReadOrder, OrderWake> {
  /** What this wake has paid. */
  const paid: string[] = [];
  return {
    kind: 'order',
    objectId: orderId,
    yields,
    looked: 'looked at the order',
    read: (tx, moment) => readOrder(dependencies, tx, moment, { orderId, seen }),
    describe: (look) => describe(look, { before: seen, paid }),
    gone: async (tx, { today }) => gone(today, await numberInPlaceOf(tx, orderId), seen),
    pays: {
      when: 'first',
      isDue: ({ row: { autopayOn: on }, today }) => on !== null && on <= today,
      claim: (context) => claimAutopay(context, { orderId }),
      did: (payments, today) => {
        paid.push(...payments.map((each) => `${today}: payment ${each.cascadeId} by autopay`));
        return 'paid what was due';
      },
    },
    rests: (look, { next }, wakeAt) => restOf(dependencies, look, next, wakeAt),
    acts: {
      dueOn: ({ nextActionOn }) => nextActionOn,
      yieldsTo: 'the billing run',
      act: billing(dependencies),
    },
  };
}

function restOf(
  { realNow }: BillingDependencies,
  { tenant, row: order, today, nowMs }: Look<ReadOrder>,
  next: NextStep | null,
  wakeAt: number,
): Partial<OrderWake> | null {
  // The order before it decides the change of the day, and nudges this workflow then.
  if (next?.what === 'starts') return {};
  if (order.heldCode !== null) {
    // Releasing the hold nudges the workflow; the wake on the next day is a safeguard.
    const tomorrow = startOfDay(tenant.timezone, addDays(today, 1));
    return { waitMs: Math.max(wakeAt, tomorrow + WAKE_DELAY_MS) - nowMs };
  }
  if (nowMs < wakeAt || order.taxWait === null) return null;
  const tryMs = Math.max(0, order.taxWait.nextTryAt - realNow());
  return { did: LEFT_TO_ASK, waitMs: tryMs + yieldMsOf(order.customerId), yielded: true };
}

/** Bills some slices of the order's customer. */
function billing(dependencies: BillingDependencies) {
  let slices = 0;
  return async ({ tenant, row }: Look<ReadOrder>, waitMs: number): Promise<Done<OrderWake>> => {
    const leaves = { waitMs, yielded: true };
    const batch = await billOne(dependencies, tenant.id, row.customerId);
    if (batch === undefined) return { did: 'left it to the billing of suspects', rest: leaves };
    const { skipped, waiting } = batch;
    if (waiting.length > 0) return { did: LEFT_TO_ASK, rest: leaves };
    if (skipped.length === 0) return { did: 'billed what was due' };
    const did = 'billed some of what was due';
    slices += 1;
    return slices < SLICES_PER_WAKE_MAX ? { did } : { did, rest: { waitMs: GO_ON_MS } };
  };
}

/** Undefined for a suspect, whose billing in a separate process takes longer than a wake may. */
async function billOne(
  dependencies: BillingDependencies,
  tenantId: number,
  customerId: number,
): Promise<BilledBatch | undefined> {
  // A wake is too short for the calls to a tax provider.
  const how = { wait: true, asks: false };
  const batch = await billCustomers(dependencies, tenantId, [customerId], how);
  if (batch.suspects.length === 0) return batch;
  const late = new AbortController();
  const apart = dependencies.apart?.bill(tenantId, customerId).finally(() => late.abort());
  const tooLate = sleep(APART_WAIT_MS, undefined, late).catch(() => undefined);
  return Promise.race([apart, tooLate]);
}

/** The row was removed; a look for a nudge that came meanwhile tells it once. */
function gone(today: IsoDate, inItsPlace: number | null, before: SeenOrder | undefined): OrderWake {
  const did = inItsPlace === null ? 'found no order' : `removed, order ${inItsPlace} replaces it`;
  const phase = 'Gone';
  return {
    did,
    happened: before?.status === phase ? [] : [`${today}: ${did}`],
    phase,
    next: null,
    waitMs: null,
    yielded: false,
    failureCode: null,
    ended: true,
    seen: { line: before?.line ?? 0, status: phase, heldCode: null, next: null },
  };
}

interface ReadOrder extends WokenOrder {
  /** What it bills next of its usage. */
  readonly usage: UsageStep | null;
}

async function readOrder(
  { db }: BillingDependencies,
  tx: Tx,
  { tenant, today }: Moment,
  { orderId, seen }: Pick<WakeRequest, 'orderId' | 'seen'>,
): Promise<ReadOrder | undefined> {
  const order = await readWokenOrder(tx, orderId, seen?.line, seen?.earned);
  if (order === undefined) return undefined;
  const { usageGraceDays } = tenant.settings;
  const usage = await nextUsage(db, tx, { id: orderId, ...order }, { today, usageGraceDays });
  return { ...order, usage };
}

interface Before {
  readonly before: SeenOrder | undefined;
  /** Describes what this wake paid. */
  readonly paid: readonly string[];
}

function describe({ tenant, row: order, today }: Look<ReadOrder>, { before, paid }: Before) {
  const { status, heldCode, customerId: id, customerRef, usage } = order;
  const isDue = order.nextActionOn !== null && order.nextActionOn <= today;
  const waits = isDue ? order.taxWait : null;
  const step = nextOf(order);
  const { happened, ...told } = storyOf(order, { today, next: step, before });
  const next = step && { ...step, at: startOfDay(tenant.timezone, step.on) };
  return {
    // First, as it is what people look for in a history.
    did: '',
    happened: [...happened, ...paid],
    phase: heldCode === null ? status : 'Held',
    next,
    waitMs: null,
    yielded: false,
    failureCode: heldCode ?? (waits === null ? null : 'tax.unavailable'),
    ...(waits === null ? {} : { waitsSince: waits.since }),
    ended: next === null && terminal.has(status),
    tenant: tenant.label,
    customer: { customerId: String(id), customerRef: shownReference(customerRef) },
    coupon: order.coupon && couponFact(order.coupon),
    ...(usage === null ? {} : { usage: usageFact(usage) }),
    clockOn: tenant.hasTestClock ? today : null,
    ...told,
  } satisfies OrderWake;
}

function nextOf(order: WokenOrder): Omit<NextStep, 'at'> | null {
  const [acts] = ownStepsOf(order);
  const { autopayOn: pays } = order;
  if (pays !== null && (acts === undefined || pays < acts.on)) return { what: 'pays', on: pays };
  if (acts !== undefined) return acts;
  const isPending = order.status === 'Provisioning' && order.previousNumber !== null;
  return isPending ? { what: 'starts', on: order.startDate } : null;
}
