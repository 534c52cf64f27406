/** The wake of an order's workflow: bills and pays what is due, and returns the next wake. */
import { setTimeout as sleep } from 'node:timers/promises';
import { addDays, type IsoDate } from '../../domain/calendar/calendar.ts';
import { startOfDay } from '../../domain/calendar/zone.ts';
import { readRunState } from '../../db/queries/due/billing-runs.ts';
import { numberInPlaceOf } from '../../db/queries/orders/write.ts';
import { readWokenOrder, type WokenOrder } from '../../db/queries/orders/wake.ts';
import { noteSeen } from '../../db/queries/clock/workflows-seen.ts';
import { inTenant, type Tx } from '../../db/connection/tenancy.ts';
import type { OrderWake, NextStep, SeenOrder } from '../../workflows/contract.ts';
import { billCustomers } from '../billing/bill-customers.ts';
import type { BilledBatch } from '../billing/batch.ts';
import type { Dispatcher } from '../outbox/dispatch-after-commit.ts';
import { WAKE_DELAY_MS, wakePace, fractionOf } from '../outbox/wake-pace.ts';
import type { Gateways } from '../../providers/gateway/gateway.ts';
import { claimAutopay } from '../collection/autopay.ts';
import { payAtOnce } from '../gateway-calls/pay-at-once.ts';
import { tenantTimeOf, tenantInfo, inOperation, type TenantInfo } from '../context/context.ts';
import type { BillingDependencies } from '../billing/apart.ts';
import { kinds } from '../context/kinds.ts';
import { shownReference } from '../workflow-kinds/shown-reference.ts';
import { nextUsage, type UsageStep } from './next-usage.ts';
import { storyOf, couponFact } from './story.ts';
import { transitionText, usageFact } from './words.ts';

/** The wait for a suspect, which is being billed separately; the next wake checks again. */
const APART_WAIT_MS = 5_000;
const YIELD_MS = 10_000;
const YIELD_SPREAD_MS = 5_000;
/** Pay, bill, pay the new invoices: usually nothing is due after that. */
const ROUNDS_MAX = 5;
/** A wake is short: it bills some slices of a customer, and the next wake continues. */
const SLICES_PER_WAKE_MAX = 3;
const GO_ON_MS = 1_000;
const LEFT_TO_ASK = 'left it to the billing run, which asks the tax provider';
const awaitedOrder = { name: 'order', table: kinds.order.table };
const terminal = new Set(['Complete', 'Superseded', 'Canceled']);

export interface WakeRequest {
  readonly orderId: number;
  /** How often in a row the due order was left to the billing run. */
  readonly yields: number;
  /** The state that the previous wake saw; undefined at the first wake. */
  readonly seen?: SeenOrder | undefined;
}

export interface WakeHooks {
  /** Nudges workflows after a commit; never waits, never fails. */
  readonly dispatch: Dispatcher['dispatch'];
  readonly gateways: Gateways;
}

export async function wakeOrder(
  dependencies: BillingDependencies,
  tenantId: number,
  request: WakeRequest,
  { dispatch, gateways }: WakeHooks,
): Promise<OrderWake> {
  const tenant = await tenantInfo(dependencies, tenantId);
  let did = 'looked at the order';
  const paid: string[] = [];
  let slices = 0;
  for (let round = 1; round <= ROUNDS_MAX; round++) {
    const read = await inTenant(
      dependencies.db,
      tenantId,
      (tx) => readRow(dependencies, tenant, tx, request),
      tenant.hasTestClock ? { isForgettable: true } : { readOnly: true },
    );
    const { order, today, nowMs, run, usage } = read;
    if (!order) return gone(read, request.seen);
    if (order.autopayOn !== null && order.autopayOn <= today) {
      const { orderId } = request;
      const { payments } = await inOperation(dependencies, tenantId, (work) =>
        claimAutopay(work, { orderId }),
      );
      const options = { dispatch, lanes: 1, mayContinue: () => true };
      await payAtOnce(dependencies, gateways, tenantId, payments, options);
      did = 'paid what was due';
      paid.push(...payments.map((each) => `${today}: payment ${each.cascadeId} by autopay`));
      continue;
    }
    const found = describe(tenant, order, { today, before: request.seen, paid, usage });
    const seen = { ...found, did };
    if (seen.ended || tenant.hasTestClock || seen.next === null) return seen;
    // The order before it decides the change of the day, and nudges this workflow then.
    if (seen.next.what === 'starts') return seen;
    const wakeAt = seen.next.at + (await wakePace(dependencies, tenantId))(order.customerId);
    if (order.heldCode !== null) {
      // Releasing the hold nudges the workflow; the wake on the next day is a safeguard.
      const tomorrow = startOfDay(tenant.timezone, addDays(today, 1));
      return { ...seen, waitMs: Math.max(wakeAt, tomorrow + WAKE_DELAY_MS) - nowMs };
    }
    if (nowMs < wakeAt) return { ...seen, waitMs: wakeAt - nowMs };
    const yieldMs = YIELD_MS + YIELD_SPREAD_MS * fractionOf(order.customerId);
    if (order.taxWait !== null) {
      const tryMs = Math.max(0, order.taxWait.nextTryAt - dependencies.realNow());
      return { ...seen, did: LEFT_TO_ASK, waitMs: tryMs + yieldMs, yielded: true };
    }
    if (run === 'running' || (run === 'none' && request.yields === 0)) {
      return { ...seen, did: 'left it to the billing run', waitMs: yieldMs, yielded: true };
    }
    const batch = await billOne(dependencies, tenantId, order.customerId);
    if (batch === undefined) {
      return { ...seen, did: 'left it to the billing of suspects', waitMs: yieldMs, yielded: true };
    }
    const { skipped, waiting } = batch;
    if (waiting.length > 0) return { ...seen, did: LEFT_TO_ASK, waitMs: yieldMs, yielded: true };
    did = skipped.length === 0 ? 'billed what was due' : 'billed some of what was due';
    if (skipped.length === 0) continue;
    slices += 1;
    if (slices >= SLICES_PER_WAKE_MAX) return { ...seen, did, waitMs: GO_ON_MS };
  }
  throw new Error(`order ${request.orderId} stays due`);
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
function gone({ today, inItsPlace }: ReadRow, before: SeenOrder | undefined): OrderWake {
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

interface ReadRow {
  readonly order: WokenOrder | undefined;
  /** What it bills next of its usage. */
  readonly usage: UsageStep | null;
  /** The number of the order that replaced it, if it was removed. */
  readonly inItsPlace: number | null;
  readonly today: IsoDate;
  readonly nowMs: number;
  /** The state of the tenant's billing run of today; read only if the order is due. */
  readonly run: Awaited<ReturnType<typeof readRunState>>;
}

async function readRow(
  dependencies: BillingDependencies,
  tenant: TenantInfo,
  tx: Tx,
  { orderId, seen }: WakeRequest,
): Promise<ReadRow> {
  // Only a test clock waits until workflows have seen their objects.
  if (tenant.hasTestClock) noteSeen(tx, awaitedOrder, orderId);
  const [{ now, today }, order] = await Promise.all([
    tenantTimeOf(dependencies, tenant, tx, 'none'),
    readWokenOrder(tx, orderId, seen?.line, seen?.earned),
  ]);
  const due = order?.nextActionOn != null && order.nextActionOn <= today;
  const run = due && !tenant.hasTestClock ? await readRunState(tx, today) : 'none';
  const inItsPlace = order === undefined ? await numberInPlaceOf(tx, orderId) : null;
  const { usageGraceDays } = tenant.settings;
  const usage =
    order === undefined
      ? null
      : await nextUsage(dependencies.db, tx, { id: orderId, ...order }, { today, usageGraceDays });
  return { order, usage, inItsPlace, today, nowMs: now.getTime(), run };
}

interface Found {
  readonly today: IsoDate;
  readonly before: SeenOrder | undefined;
  /** Describes what this wake paid. */
  readonly paid: readonly string[];
  readonly usage: UsageStep | null;
}

/** The state of the row for the workflow; the caller adds how long to wait. */
function describe(tenant: TenantInfo, order: WokenOrder, { today, before, paid, usage }: Found) {
  const { status, heldCode, customerId: id, customerRef } = order;
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
  const { nextActionOn: acts, autopayOn: pays } = order;
  if (pays !== null && (acts === null || pays < acts)) return { what: 'pays', on: pays };
  if (acts !== null) return { what: whatOf(order), on: acts };
  const isPending = order.status === 'Provisioning' && order.previousNumber !== null;
  return isPending ? { what: 'starts', on: order.startDate } : null;
}

function whatOf(order: WokenOrder): NextStep['what'] {
  if (order.changeOn === order.nextActionOn) return 'changes';
  if (order.billOn === order.nextActionOn) return 'bills';
  return transitionText(order);
}
