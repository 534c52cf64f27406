/** What a rehearsed billing run comes to, and which customers it bills far more, or less, than before. */
import { type Amounts, addAmounts, amountsOf } from '../money/amounts.ts';
import { type Decimal, add, compare, negate, parseDecimal, signOf, sum } from '../money/money.ts';
import type { ChargeKind } from './kinds.ts';
import type { CustomerBilling } from './rate-customer.ts';
import type { DraftInvoice, DraftLine } from './rate/total.ts';

/** What the run makes of all customers together. */
export interface RunFigures {
  readonly customers: number;
  /** Those whose status, dates or billed days move, with or without a charge. */
  readonly orders: number;
  readonly invoices: number;
  /** The sums of the invoices. */
  readonly amounts: Amounts;
  readonly charges: readonly ChargesOfKind[];
  /** Invoices without the taxes of a provider, which is not asked. */
  readonly untaxed: number;
}

interface ChargesOfKind {
  readonly kind: ChargeKind;
  readonly currency: string;
  readonly count: number;
  readonly amount: Decimal;
}

export const noFigures: RunFigures = {
  customers: 0,
  orders: 0,
  invoices: 0,
  amounts: {},
  charges: [],
  untaxed: 0,
};

/**
 * What one customer's transactions of a run come to.
 *
 * @example figuresOf([billing]) // { customers: 1, orders: 1, invoices: 1, amounts: { USD: '29.95' }, .. }
 */
export function figuresOf(billings: readonly CustomerBilling[]): RunFigures {
  const invoices = billings.flatMap((billing) => billing.invoices);
  const orders = billings.reduce((count, each) => count + each.orders.length, 0);
  const charges = invoices.flatMap(({ currency, lines }) =>
    lines.flatMap((line) =>
      line.charges.map(({ charge: { kind }, amount }) => ({ kind, currency, count: 1, amount })),
    ),
  );
  return {
    customers: orders === 0 ? 0 : 1,
    orders,
    invoices: invoices.length,
    amounts: amountsOf(invoices),
    charges: byKind(charges),
    untaxed: invoices.filter(({ asked }) => asked?.isAnswered === false).length,
  };
}

/** @example addFigures(figuresOf([one]), figuresOf([other])).customers // 2 */
export function addFigures(left: RunFigures, right: RunFigures): RunFigures {
  return {
    customers: left.customers + right.customers,
    orders: left.orders + right.orders,
    invoices: left.invoices + right.invoices,
    amounts: addAmounts(left.amounts, right.amounts),
    charges: byKind([...left.charges, ...right.charges]),
    untaxed: left.untaxed + right.untaxed,
  };
}

function byKind(charges: readonly ChargesOfKind[]): readonly ChargesOfKind[] {
  const kinds = new Map<string, ChargesOfKind>();
  for (const { kind, currency, count, amount } of charges) {
    const key = `${currency} ${kind}`;
    const before = kinds.get(key);
    kinds.set(key, {
      kind,
      currency,
      count: (before?.count ?? 0) + count,
      amount: add(before?.amount ?? '0', amount),
    });
  }
  return [...kinds.values()];
}

/** What a rehearsal found of all customers. */
export interface RehearsalFigures {
  /** The run of the day. */
  readonly run: RunFigures;
  /** The runs up to the day before, which come first. */
  readonly before: RunFigures;
  /** The sums of the comparison, without taxes. */
  readonly compared: {
    readonly amounts: Amounts;
    readonly lastAmounts: Amounts;
    /** Customers, in a currency, of which nothing was billed before. */
    readonly first: number;
  };
  readonly outliers: number;
  /** Customers that are not rehearsed, by the reason. */
  readonly passedOver: PassedOver;
}

interface PassedOver {
  /** From billing, already. */
  readonly held: number;
  /** Only a process of their own rates them. */
  readonly suspects: number;
  /** They have more due than one transaction bills. */
  readonly tooLarge: number;
  /** The run would hold them, by the code. */
  readonly failing: Readonly<Record<string, number>>;
}

/* The comparison with the last period, by customer and currency. */

/** What a run bills of an order, without taxes: what a provider would add is not known. */
export interface BilledOrder {
  readonly orderId: number;
  /** The order that it replaces. */
  readonly previousOrderId: number | null;
  readonly currency: string;
  readonly amount: Decimal;
  /** Its last invoice is the newest one that bills any of them. */
  readonly priceCodes: readonly string[];
}

/**
 * The orders that some transactions of a customer bill.
 *
 * @example billedOrdersOf([billing]) // [{ orderId: 7, amount: '29.95', priceCodes: ['GOLD-FEE'], .. }]
 */
export function billedOrdersOf(billings: readonly CustomerBilling[]): readonly BilledOrder[] {
  const previous = new Map(
    billings.flatMap(({ orders }) => orders.map(({ row }) => [row.id, row.previousOrderId])),
  );
  const found = new Map<number, BilledOrder>();
  for (const { currency, lines } of billings.flatMap((billing) => billing.invoices)) {
    for (const line of lines) {
      if (line.order === null) continue;
      const { id: orderId } = line.order;
      const before = found.get(orderId);
      const codes = [...(before?.priceCodes ?? []), ...priceCodesOf(line)];
      found.set(orderId, {
        orderId,
        previousOrderId: previous.get(orderId) ?? null,
        currency,
        amount: add(before?.amount ?? '0', untaxedOf(line)),
        priceCodes: [...new Set(codes)],
      });
    }
  }
  return [...found.values()];
}

function untaxedOf({ charges }: DraftLine): Decimal {
  const counted = charges.filter(
    ({ charge: { kind } }) => kind !== 'tax' && kind !== 'usageSubTotal',
  );
  return sum(counted.map(({ amount }) => amount));
}

/** Of what it bills: not of taxes, which later tables may name otherwise, nor of what goes back. */
function priceCodesOf({ charges }: DraftLine): readonly string[] {
  return charges.flatMap(({ charge: { kind }, priceCode }) =>
    priceCode === null || kind === 'tax' || kind === 'discount' || kind === 'credit'
      ? []
      : priceCode,
  );
}

/** What a run bills of a customer in a currency, and what it billed of the same orders before. */
export interface Compared {
  readonly customerId: number;
  readonly currency: string;
  /** The sum of its invoices. */
  readonly total: Decimal;
  /** Without taxes. */
  readonly amount: Decimal;
  /** Without taxes, of the last invoice of each order; null if none of them was billed before. */
  readonly lastAmount: Decimal | null;
}

interface Comparing {
  readonly invoices: readonly DraftInvoice[];
  readonly orders: readonly BilledOrder[];
  /** What the last invoice of an order billed of it, in its currency. */
  readonly lastOf: (orderId: number) => Decimal | null;
}

/** @example comparedOf(7, { invoices, orders, lastOf: () => '29.95' })[0]?.lastAmount // '29.95' */
export function comparedOf(
  customerId: number,
  { invoices, orders, lastOf }: Comparing,
): readonly Compared[] {
  const totals = amountsOf(invoices);
  return Object.entries(totals).map(([currency, total]): Compared => {
    const own = orders.filter((order) => order.currency === currency);
    const lasts = own.flatMap(({ orderId }) => lastOf(orderId) ?? []);
    const amount = sum(own.map((order) => order.amount));
    const lastAmount = lasts.length === 0 ? null : sum(lasts);
    return { customerId, currency, total, amount, lastAmount };
  });
}

/* Which of them are outliers. */

export interface OutlierLimits {
  /** So many times as much, or as little. */
  readonly ratio: Decimal;
  /** And a difference of so much, in currencies without an own limit. */
  readonly amount: Decimal;
  readonly amounts: Amounts;
}

/** A first bill has nothing to compare with: it is an outlier from so many times the amount on. */
const FIRST_TIMES = 10n;

/**
 * Whether a person has to look at it before it is billed.
 *
 * @example // 29.95 in the last period, 299.50 now
 *   isOutlier(compared, { ratio: '3', amount: '100', amounts: {} }) // true
 */
export function isOutlier(compared: Compared, { ratio, amount, amounts }: OutlierLimits): boolean {
  const { currency, amount: now, lastAmount: last } = compared;
  const limit = amounts[currency] ?? amount;
  if (last === null) return parseDecimal(now) >= FIRST_TIMES * parseDecimal(limit);
  if (compare(differenceOf(compared), limit) < 0) return false;
  return signOf(last) <= 0 || isTimes(now, last, ratio) || isTimes(last, now, ratio);
}

/** Never below zero. @example differenceOf({ amount: '10', lastAmount: '29.95', .. }) // '19.95' */
export function differenceOf({
  amount,
  lastAmount,
}: Pick<Compared, 'amount' | 'lastAmount'>): Decimal {
  const difference = add(amount, negate(lastAmount ?? '0'));
  return signOf(difference) < 0 ? negate(difference) : difference;
}

const ONE = parseDecimal('1');

function isTimes(more: Decimal, less: Decimal, ratio: Decimal): boolean {
  return parseDecimal(more) * ONE >= parseDecimal(less) * parseDecimal(ratio);
}
