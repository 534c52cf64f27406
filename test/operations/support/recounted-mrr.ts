/**
 * A second calculation of monthly recurring revenue: from orders, plans as GET shows them, and the
 * prices of the audit's own calculator, which shares nothing with the stages of billing.
 */
import type { ShownPlan, ShownPlanCharge } from '../../../domain/recompute/documents.ts';
import { exact, inMinor, percentOf, sumOf, times } from '../../../domain/recompute/figures.ts';
import { rowsOf as pricesOf } from '../../../domain/recompute/prices.ts';
import type { ReportRow } from '../../../domain/ledger/reports.ts';
import { tenantInfo } from '../../../operations/context/context.ts';
import { readPlan } from '../../../operations/plans/read.ts';
import type { CountedBooks, Window } from './recounted.ts';

interface Order {
  readonly id: number;
  readonly customerId: number;
  readonly planId: number;
  readonly contractCode: string;
  readonly previousOrderId: number | null;
  readonly currency: string;
  readonly status: string;
  readonly startDate: string;
  readonly trialEndDate: string | null;
  readonly endDate: string | null;
  readonly endedOn: string | null;
  readonly isAutoRenew: boolean;
  /** Of its coupon. */
  readonly percent: string | null;
  readonly amount: string | null;
  readonly isOnce: boolean | null;
  readonly periods: number | null;
}

interface Line {
  readonly orderId: number;
  readonly chargeId: number;
  readonly quantity: string;
  readonly unitPrice: string | null;
  readonly startsOn: string | null;
  readonly endsOn: string | null;
}

interface Pause {
  readonly customerId: number;
  readonly orderId: number | null;
  readonly suspendedOn: string;
  readonly resumedOn: string | null;
}

interface Documents {
  readonly orders: readonly Order[];
  readonly lines: readonly Line[];
  readonly pauses: readonly Pause[];
  readonly plans: ReadonlyMap<number, ShownPlan>;
}

function readDocuments({ dependencies, tenantId, read }: CountedBooks): Promise<Documents> {
  return read(async (tx) => {
    const tenant = await tenantInfo(dependencies, tenantId);
    const all = <Row>(text: string) =>
      tx.query<Row & Record<string, unknown>>(text, [tenantId]) as Promise<Row[]>;
    const orders = await all<Order>(
      `select o.id, o.customer_id, o.plan_id, p.contract_code, o.previous_order_id, o.currency,
         o.status, o.start_date, o.trial_end_date, o.end_date, o.ended_on, o.is_auto_renew,
         c.percent, c.amount, c.is_once, c.periods
       from subscription_order o join plan p on p.id = o.plan_id
       left join coupon c on c.id = o.coupon_id where o.tenant_id = $1`,
    );
    const plans = new Map<number, ShownPlan>();
    for (const { planId: id } of orders) {
      const plan = plans.get(id) ?? (await readPlan(tx, tenant, { id }));
      if (plan) plans.set(id, plan);
    }
    return {
      orders,
      lines: await all(
        `select order_id, charge_id, quantity, unit_price, starts_on, ends_on from order_line
         where tenant_id = $1 and is_active`,
      ),
      pauses: await all(
        'select customer_id, order_id, suspended_on, resumed_on from service_pause where tenant_id = $1',
      ),
      plans,
    };
  });
}

/** Whether it is served on the day, and billed for it. */
function countsOn({ pauses }: Documents, order: Order, day: string): boolean {
  const { status, startDate, trialEndDate, endDate, endedOn, isAutoRenew } = order;
  const isPending = status === 'Provisioning' && order.previousOrderId !== null;
  const isVoid = ['Canceled', 'Superseded'].includes(status) && endedOn === null;
  if (status === 'Draft' || isPending || isVoid) return false;
  if (trialEndDate === null ? day < startDate : day <= trialEndDate) return false;
  const goesOn = isAutoRenew && status !== 'Complete';
  const last = endedOn ?? (goesOn ? null : endDate);
  if (last !== null && day > last) return false;
  return !pauses.some(
    (pause) =>
      (pause.orderId === order.id ||
        (pause.orderId === null && pause.customerId === order.customerId)) &&
      pause.suspendedOn < day &&
      (pause.resumedOn === null || day < pause.resumedOn),
  );
}

const months: Readonly<Record<string, readonly [bigint, bigint]>> = {
  Daily: [365n, 12n],
  Weekly: [52n, 12n],
  Monthly: [1n, 1n],
  Quarterly: [1n, 3n],
  SemiAnnual: [1n, 6n],
  Yearly: [1n, 12n],
};

const percentIn = ({ pricingTiers }: ShownPlanCharge): string | null =>
  pricingTiers[0]?.percent ?? null;

/** Of the lines of a day, whole periods of what recurs: in cents. */
function monthly({ lines, plans }: Documents, order: Order, day: string): bigint {
  const plan = plans.get(order.planId);
  const own = lines.flatMap((line) => {
    const isOn = (line.startsOn ?? day) <= day && day <= (line.endsOn ?? day);
    const charge = plan?.charges?.find(({ id }) => id === line.chargeId);
    if (line.orderId !== order.id || !isOn || charge === undefined) return [];
    const { chargeType, isTax, isPenalty } = charge;
    return chargeType === 'RecurringCharge' && !isTax && !isPenalty ? [{ line, charge }] : [];
  });
  const amounts = [false, true].flatMap((isSeparate) => {
    const group = own.filter(({ charge }) => charge.isSeparateInvoice === isSeparate);
    const fees = group.flatMap(({ line, charge }) => {
      if (percentIn(charge) !== null) return [];
      const asked = { currency: order.currency, quantity: exact(line.quantity) };
      const rows = pricesOf(charge, { ...asked, agreed: line.unitPrice }) ?? [];
      return [sumOf(rows.map(({ price }) => inMinor(price, 2)))];
    });
    const shares = group.flatMap(({ charge }) => percentIn(charge) ?? []);
    return [...fees, ...shares.map((percent) => percentOf(sumOf(fees), percent))];
  });
  const [over, under] = months[plan?.billingPeriod ?? ''] ?? [0n, 1n];
  const cents = sumOf(amounts) - discountOf(order, amounts);
  return inMinor(times({ over: cents, under: 100n }, { over, under }), 2);
}

/** Of a coupon that lasts for ever. */
function discountOf({ percent, amount, isOnce, periods }: Order, of: readonly bigint[]): bigint {
  if (isOnce !== false || periods !== null) return 0n;
  if (percent !== null) return sumOf(of.map((each) => percentOf(each, percent)));
  const [all, off] = [sumOf(of), inMinor(exact(amount ?? '0'), 2)];
  return off < all ? off : all;
}

/** Sums by their names; what is zero is left out. */
type Figures = Readonly<Record<string, string>>;

function figures(amounts: readonly (readonly [name: string, amount: bigint])[]): Figures {
  const sums = new Map<string, bigint>();
  for (const [name, amount] of amounts) sums.set(name, (sums.get(name) ?? 0n) + amount);
  const found = [...sums].filter(([, amount]) => amount !== 0n);
  return Object.fromEntries(found.map(([name, amount]) => [name, String(amount)]));
}

/**
 * Start, end and orders by plan, and by currency what came and went with whole customers, and what was
 * moved otherwise.
 */
async function mrrAgain(books: CountedBooks, { from, to }: Window): Promise<Figures> {
  const documents = await readDocuments(books);
  const standing = documents.orders.map((order) => ({
    key: `${order.contractCode} ${order.currency}`,
    owner: `${order.customerId} ${order.currency}`,
    currency: order.currency,
    start: countsOn(documents, order, from) ? monthly(documents, order, from) : null,
    end: countsOn(documents, order, to) ? monthly(documents, order, to) : null,
  }));
  const causes = [...Map.groupBy(standing, ({ owner }) => owner).values()].map((own) => {
    const start = sumOf(own.map((each) => each.start ?? 0n));
    const end = sumOf(own.map((each) => each.end ?? 0n));
    const lost = end === 0n ? 'churn' : 'changed';
    return [`${start === 0n ? 'new' : lost} ${own[0]?.currency}`, end - start] as const;
  });
  return figures([
    ...standing.map(({ key, start }) => [`mrrStart ${key}`, start ?? 0n] as const),
    ...standing.map(({ key, end }) => [`mrrEnd ${key}`, end ?? 0n] as const),
    ...standing.map(({ key, end }) => [`orders ${key}`, end === null ? 0n : 1n] as const),
    ...causes,
  ]);
}

/** The same of a report's rows. */
function mrrFigures(rows: readonly ReportRow[]): Figures {
  const cents = (row: ReportRow, name: string): bigint => inMinor(exact(String(row[name])), 2);
  return figures(
    rows.flatMap((row) => {
      const key = `${row['contractCode']} ${row['currency']}`;
      return [
        [`mrrStart ${key}`, cents(row, 'mrrStart')],
        [`mrrEnd ${key}`, cents(row, 'mrrEnd')],
        [`orders ${key}`, BigInt(String(row['orders']))],
        [`new ${row['currency']}`, cents(row, 'new')],
        [`churn ${row['currency']}`, cents(row, 'churn')],
        [`changed ${row['currency']}`, cents(row, 'expansion') + cents(row, 'contraction')],
      ] as const;
    }),
  );
}

/** The figures of a report, and the same again. A plan whose figures are all zero has no row. */
export async function mrrTwice(
  books: CountedBooks,
  rows: readonly ReportRow[],
  window: Window,
): Promise<Readonly<Record<'reported' | 'recounted', Figures>>> {
  const reported = mrrFigures(rows);
  const again = Object.entries(await mrrAgain(books, window));
  const recounted = again.filter(([name]) => !name.startsWith('orders ') || name in reported);
  return { reported, recounted: Object.fromEntries(recounted) };
}
