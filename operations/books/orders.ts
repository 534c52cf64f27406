/** Compares every order's dates with the rules, applied to everything that was billed for it. */
import { planIdsOf } from '../../domain/billing/due/new-prices.ts';
import assert from 'node:assert';
import { type IsoDate, addDays, firstIndex } from '../../domain/calendar/calendar.ts';
import { DomainError } from '../../domain/errors.ts';
import type { CustomerStatus } from '../../domain/customers/status.ts';
import type { Plan } from '../../domain/plans/plan.ts';
import type { BillableLine, BilledDays } from '../../domain/standing/line.ts';
import { billsFrom } from '../../domain/standing/trial.ts';
import { standsOf } from '../../db/queries/context/billed.ts';
import { type OrderRow, loadOrders } from '../../db/queries/billing/load.ts';
import { undatedVersions } from '../../db/queries/due/price-moves.ts';
import { allOnAgenda } from '../../db/queries/due/agenda.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import {
  type BillableBasis,
  type BillableOrder,
  type OrderToRate,
  billableOn,
  scheduleOfOrder,
} from '../../domain/billing/order-to-rate.ts';
import { mayBillUsage, withWindows } from '../standing/windows.ts';
import { planVersions } from '../plans/versions.ts';
import type { DueAudit, DueAuditOptions, Fault } from './report.ts';
import { type OrderDates, reschedule } from '../../domain/billing/due/dates.ts';
import { isUsage } from '../../domain/billing/kinds.ts';
import { lineDays, orderWindow, walkOrder } from '../../domain/billing/due/walks.ts';
import {
  type LineUsage,
  passedWindows,
  unbilledWindows,
} from '../../db/queries/billing/usage-windows.ts';

const ORDERS_AT_ONCE = 1_000;

/**
 * An order that is due must have been billed by the latest 00:00. Any other order must have the
 * dates that the rules give for its whole history. Orders of held customers are excluded, and due
 * ones of customers that wait for their tax provider.
 */
export async function auditOrders(tx: Tx, options: DueAuditOptions): Promise<DueAudit> {
  const faults: Fault[] = [];
  const due = new Set(await allOnAgenda(tx, 'order', options.today));
  const undated = new Set(await undatedVersions(tx));
  let underWay = 0;
  for (let after = 0; ;) {
    const heads = await nextOrders(tx, after, options.today);
    const last = heads.at(-1);
    if (last === undefined) return { faults, underWay };
    after = last.id;
    const statuses = new Map(heads.map((head) => [head.id, head.customerStatus]));
    const loaded = await loadOrders(
      tx,
      heads.map((head) => head.id),
    );
    const plans = await planVersions(options.db, tx, loaded.flatMap(planIdsOf));
    const { today, usageGraceDays } = options;
    const basisOf = ({ id }: Pick<OrderToRate, 'id'>): BillableBasis => {
      const customerStatus = statuses.get(id);
      assert(customerStatus, `order ${id} has a customer`);
      return { customerStatus, today, usageGraceDays };
    };
    const rows = await withWindows(tx, loaded, { plans, basisOf });
    const billed = await everBilled(tx, rows);
    for (const row of rows) {
      if (!due.has(row.id)) {
        const whole = withWholeHistory(row, plans, billed);
        const isUndated = undated.has(row.planId);
        faults.push(...misplaced(row, whole, { plans, isUndated, ...basisOf(row) }));
      } else if (options.isBilling) underWay += 1;
      else faults.push(overdueFault(row, options.today));
    }
    const asked = { plans, basisOf, isDue: ({ id }: OrderToRate) => due.has(id), ...options };
    faults.push(...(await usageFaults(tx, rows, asked)), ...(await passedFaults(tx, rows, asked)));
  }
}

interface Head {
  readonly id: number;
  readonly customerStatus: CustomerStatus;
}

function nextOrders(tx: Tx, after: number, today: IsoDate): Promise<Head[]> {
  return tx.query<Head>(
    `select o.id, c.status as customer_status
     from subscription_order o
     join customer c on c.tenant_id = o.tenant_id and c.id = o.customer_id
     where o.tenant_id = $1 and o.id > $2 and c.billing_held_at is null
       and not (o.next_action_on <= $4 and exists (
         select from tax_wait w where w.tenant_id = c.tenant_id and w.customer_id = c.id))
     order by o.id limit $3`,
    [tx.tenantId, after, ORDERS_AT_ONCE, today],
    'audit-orders',
  );
}

/** Billed days by order line. They ignore the line's pointer, which this audit checks. */
async function everBilled(
  tx: Tx,
  rows: readonly OrderRow[],
): Promise<ReadonlyMap<number, (BilledDays & { readonly segment: number })[]>> {
  const billed = await tx.query<BilledDays & { readonly line: number; readonly segment: number }>(
    `select l.id as line, b.period_index, 0 as segment, b.billed_from as "from",
       b.billed_to as "to"
     from order_line l join billed b on ${standsOf('l')} and not b.is_usage
     where l.tenant_id = $1 and l.order_id = any($2)`,
    [tx.tenantId, rows.map((row) => row.id)],
    'audit-billed',
  );
  return Map.groupBy(billed, ({ line }) => line);
}

function withWholeHistory(
  row: OrderRow,
  plans: ReadonlyMap<number, Plan>,
  billed: Awaited<ReturnType<typeof everBilled>>,
): OrderRow {
  const plan = plans.get(row.planId);
  assert(plan, `order ${row.id} has a plan`);
  const first = firstIndex(scheduleOfOrder(row, plan), billsFrom(row));
  // A line that was billed once keeps its charge when its order takes the prices of another version.
  const charges = planIdsOf(row).flatMap((id) => plans.get(id)?.charges ?? []);
  const oneTime = new Set(
    charges.filter((it) => it.chargeType === 'OneTimeCharge').map((it) => it.id),
  );
  const lines = row.lines.map((line) => {
    // A period of usage that passed before its order was stored has no window.
    if (line.windows !== undefined) return line;
    const periods = billed.get(line.id) ?? [];
    // For a one-time charge the pointer shows only whether it was billed.
    const once = periods.length === 0 ? 0 : 1;
    return {
      ...line,
      nextPeriodIndex: oneTime.has(line.chargeId) ? once : first,
      billed: periods,
    };
  });
  return { ...row, lines };
}

function overdueFault(row: OrderRow, today: IsoDate): Fault {
  const { changeOn } = row;
  if (changeOn !== null && changeOn <= today && row.status === 'Active') {
    const detail = `should have been replaced on ${changeOn}`;
    return { check: 'change.due', object: `order ${row.orderNumber}`, detail };
  }
  const bills = row.billOn !== null && row.billOn <= today;
  return {
    check: bills ? 'order.unbilled' : 'order.overdue',
    object: `order ${row.orderNumber}`,
    detail: bills
      ? `should have been billed on ${row.billOn}, due since ${row.nextBillableDate}`
      : `is still ${row.status}, which should have changed on ${row.transitionOn}`,
  };
}

interface Basis extends BillableBasis {
  readonly plans: ReadonlyMap<number, Plan>;
  /** The next run dates the order by the newest version of its plan. */
  readonly isUndated: boolean;
}

function misplaced(row: OrderRow, whole: OrderRow, basis: Basis): Fault[] {
  const object = `order ${row.orderNumber}`;
  let expected: OrderDates;
  try {
    expected = reschedule(whole, basis.plans, basis);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const detail = `cannot be billed (${error.code}), but its customer is not held`;
    return [{ check: 'order.dates', object, detail }];
  }
  const fields = [
    ['orderStatus', row.status, expected.status],
    ['endDate', row.endDate, expected.endDate],
    ['nextBillableDate', row.nextBillableDate, expected.nextBillableDate],
    ['billOn', row.billOn, expected.billOn],
    ...(basis.isUndated
      ? []
      : ([
          ['transitionOn', row.transitionOn, expected.transitionOn],
          ['priceChangeDate', row.priceChangeOn, expected.priceChangeOn],
        ] as const)),
  ] as const;
  const wrong = fields.filter(([, stored, right]) => stored !== right);
  if (wrong.length === 0) return [];
  const detail = wrong.map(([name, stored, right]) => `${name} ${stored}, should be ${right}`);
  return [{ check: 'order.dates', object, detail: detail.join('; ') }];
}

/* Finds usage that no run will bill, or that was not billed on its day, from the windows themselves. */

interface UsageAudit {
  readonly plans: ReadonlyMap<number, Plan>;
  readonly basisOf: (row: OrderRow) => BillableBasis;
  /** Whether the order is to be billed, or to change, by now. */
  readonly isDue: (row: OrderRow) => boolean;
  readonly isBilling: boolean;
  readonly today: IsoDate;
}

/**
 * The open windows of some orders that have records to bill: their order must have a bill day in time,
 * also after its end. It reads the windows, and not the pointers of lines, by which orders get their
 * dates. Orders that bill nothing now, as in a pause, are left out, and inactive lines.
 */
async function usageFaults(
  tx: Tx,
  rows: readonly OrderRow[],
  { plans, basisOf, isDue, isBilling, today }: UsageAudit,
): Promise<Fault[]> {
  const billing = new Map<number, BillingLine>();
  for (const row of rows) {
    if (!mayBillUsage(row, plans) || (isDue(row) && isBilling)) continue;
    const order = billableOn(row, plans, basisOf(row));
    for (const line of usageLines(order, today)) billing.set(line.id, { row, order, line });
  }
  if (billing.size === 0) return [];
  const windows = await unbilledWindows(tx, [...billing.values()].map(usageOf));
  return windows.flatMap(({ lineId, periodIndex }) => {
    const its = billing.get(lineId);
    assert(its, 'a window of a line that was asked for');
    const { row, order, line } = its;
    const dueOn = orderWindow(order, line, periodIndex)?.dueOn ?? null;
    const fault = faultOf(row, dueOn, { isDue: isDue(row), today });
    if (fault === null) return [];
    const detail = `line ${line.position}, usage of period ${periodIndex} ${fault}`;
    return [{ check: 'usage.due', object: `order ${row.orderNumber}`, detail }];
  });
}

/**
 * The windows of open orders that closed without records before their last day: what is used until
 * then comes to later windows, and is billed late.
 */
async function passedFaults(
  tx: Tx,
  rows: readonly OrderRow[],
  { plans, basisOf }: Pick<UsageAudit, 'plans' | 'basisOf'>,
): Promise<Fault[]> {
  const open = new Map<number, BillingLine>();
  for (const row of rows) {
    if (!mayBillUsage(row, plans) || !openStatuses.has(row.status)) continue;
    const order = billableOn(row, plans, basisOf(row));
    for (const line of order.lines)
      if (isUsage(line.charge)) open.set(line.id, { row, order, line });
  }
  if (open.size === 0) return [];
  const passed = await passedWindows(tx, [...open.keys()]);
  return passed.flatMap(({ lineId, periodIndex, closedOn }) => {
    const its = open.get(lineId);
    assert(its, 'a window of a line that was asked for');
    const window = orderWindow(its.order, its.line, periodIndex);
    if (window === null || window.to < closedOn) return [];
    const days = `${window.from} to ${window.to}`;
    const detail = `line ${its.line.position}, usage of ${days} is billed by no invoice: its window was closed on ${closedOn}`;
    return [{ check: 'usage.due', object: `order ${its.row.orderNumber}`, detail }];
  });
}

const openStatuses: ReadonlySet<OrderRow['status']> = new Set([
  'Active',
  'Provisioning',
  'Suspended',
]);

interface BillingLine {
  readonly row: OrderRow;
  readonly order: BillableOrder;
  readonly line: BillableLine;
}

function usageLines(order: BillableOrder, today: IsoDate): readonly BillableLine[] {
  if (order.awaitsChange) return [];
  return walkOrder(order, today).walks.flatMap((walk) => ('next' in walk ? [walk.line] : []));
}

function usageOf({ order, line }: BillingLine): LineUsage {
  const until = order.status === 'Superseded' ? null : lineDays(order, line).end;
  return { lineId: line.id, until };
}

interface Standing {
  readonly isDue: boolean;
  readonly today: IsoDate;
}

function faultOf(row: OrderRow, dueOn: IsoDate | null, { isDue, today }: Standing): string | null {
  const { nextBillableDate: next, billOn } = row;
  if (dueOn === null) return 'has records outside of its days';
  if (isDue)
    return dueOn <= today ? `should have been billed on ${billOn}, due since ${dueOn}` : null;
  if (next === null || billOn === null) return `is due on ${dueOn}, but the order has no bill day`;
  // What becomes due within a day, as after a rollback, is billed at the next 00:00.
  if (next <= dueOn && (dueOn > today || billOn <= addDays(today, 1))) return null;
  return `is due on ${dueOn}, but the order bills on ${billOn}`;
}
