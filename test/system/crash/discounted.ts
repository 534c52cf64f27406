/**
 * 96 orders with coupons, taxes of two rates and charges on invoices of their own, and what each of
 * them has to be billed in each month, worked out by hand.
 */
import type { Tx } from '../../../db/connection/tenancy.ts';

/** Half of them are more than the workflows that a worker runs at once. */
export const orders = 96;

const taxed = { taxCodes: ['STANDARD'] };
const monthly = { chargeType: 'RecurringCharge', pricingType: 'FixedPricing', isPrepaid: true };

/** 49.00 once, 40.00 a month, and 12.00 a month on an invoice of its own. */
export const plan = {
  contractCode: 'P',
  name: 'Plan P',
  billingPeriod: 'Monthly',
  charges: [
    { priceCode: 'SETUP', chargeType: 'OneTimeCharge', pricingType: 'FixedPricing', price: 49 },
    { priceCode: 'FEE', ...monthly, ...taxed, price: 40 },
    { priceCode: 'MEDIA', ...monthly, ...taxed, price: 12, isSeparateInvoice: true },
  ],
};

export const file = {
  coupons: [
    { code: 'TEN', percent: 10, periods: 3 },
    { code: 'FIXED', amount: 45 },
    { code: 'TENONCE', percent: 10, once: true },
    { code: 'FIXEDONCE', amount: 100, once: true },
  ],
  tax: {
    type: 'table',
    rates: [
      { country: 'CA', percent: 5, taxCode: 'STANDARD', name: 'GST' },
      { country: 'CA', state: 'QC', percent: 9.975, taxCode: 'STANDARD', name: 'QST' },
    ],
  },
};

export interface Kind {
  readonly coupon: string;
  readonly state: string;
  /** The charges of its two invoices of the first month, of the later ones, and of the fourth. */
  readonly first: string;
  readonly later: string;
  readonly fourth: string;
}

const full = {
  QC: '40.00 2.00 3.99 | 12.00 0.60 1.20',
  ON: '40.00 2.00 | 12.00 0.60',
};

/** Of 12 orders each. */
export const kinds: readonly Kind[] = [
  // 5 and 9.975 percent of 36.00 and of 10.80; its three periods end before the fourth month.
  {
    coupon: 'TEN',
    state: 'QC',
    first: '49.00 -4.90 40.00 -4.00 1.80 3.59 | 12.00 -1.20 0.54 1.08',
    later: '40.00 -4.00 1.80 3.59 | 12.00 -1.20 0.54 1.08',
    fourth: full.QC,
  },
  {
    coupon: 'TEN',
    state: 'ON',
    first: '49.00 -4.90 40.00 -4.00 1.80 | 12.00 -1.20 0.54',
    later: '40.00 -4.00 1.80 | 12.00 -1.20 0.54',
    fourth: full.ON,
  },
  // 45.00 over 49.00 and 40.00: 24.78 and 20.22. Later the fee leaves 5.00 for the other invoice.
  {
    coupon: 'FIXED',
    state: 'QC',
    first: '49.00 -24.78 40.00 -20.22 0.99 1.97 | 12.00 0.60 1.20',
    later: '40.00 -40.00 0.00 0.00 | 12.00 -5.00 0.35 0.70',
    fourth: '40.00 -40.00 0.00 0.00 | 12.00 -5.00 0.35 0.70',
  },
  {
    coupon: 'FIXED',
    state: 'ON',
    first: '49.00 -24.78 40.00 -20.22 0.99 | 12.00 0.60',
    later: '40.00 -40.00 0.00 | 12.00 -5.00 0.35',
    fourth: '40.00 -40.00 0.00 | 12.00 -5.00 0.35',
  },
  // Used by the first invoice; the one beside it has nothing of it.
  {
    coupon: 'TENONCE',
    state: 'QC',
    first: '49.00 -4.90 40.00 -4.00 1.80 3.59 | 12.00 0.60 1.20',
    later: full.QC,
    fourth: full.QC,
  },
  {
    coupon: 'TENONCE',
    state: 'ON',
    first: '49.00 -4.90 40.00 -4.00 1.80 | 12.00 0.60',
    later: full.ON,
    fourth: full.ON,
  },
  // Of 100.00 the first invoice takes 89.00, and 11.00 lapse.
  {
    coupon: 'FIXEDONCE',
    state: 'QC',
    first: '49.00 -49.00 40.00 -40.00 0.00 0.00 | 12.00 0.60 1.20',
    later: full.QC,
    fourth: full.QC,
  },
  {
    coupon: 'FIXEDONCE',
    state: 'ON',
    first: '49.00 -49.00 40.00 -40.00 0.00 | 12.00 0.60',
    later: full.ON,
    fourth: full.ON,
  },
];

/** The kind of the nth order, counted from 1. */
export function kindOf(nth: number): Kind {
  const kind = kinds[(nth - 1) % kinds.length];
  if (kind === undefined) throw new Error('no kind of order');
  return kind;
}

/** How many orders with a coupon, of customers of a state, have these two invoices of a day. */
export interface Billed {
  readonly coupon: string | null;
  readonly state: string;
  readonly invoices: string;
  readonly orders: number;
}

/** What the 96 orders are to have of a month. */
export function expected(month: 'first' | 'later' | 'fourth'): Billed[] {
  return kinds
    .map(({ coupon, state, [month]: invoices }) => {
      return { coupon, state, invoices, orders: orders / kinds.length };
    })
    .toSorted((one, other) => (key(one) < key(other) ? -1 : 1));
}

const key = ({ coupon, state }: Billed): string => `${coupon} ${state}`;

/** What the orders with these numbers were billed on a day, sorted like `expected`. */
export function billedOn(
  tx: Tx,
  day: string,
  [from, to]: readonly [from: number, to: number],
): Promise<Billed[]> {
  return tx.query<Billed & Record<string, unknown>>(
    `with each as (
       select o.id, k.code, a.state, i.number_value,
              string_agg(round(c.amount, 2)::text, ' ' order by c.position) as charges
       from invoice i join invoice_line l on l.invoice_id = i.id
       join invoice_charge c on c.invoice_line_id = l.id
       join subscription_order o on o.id = l.order_id
       join contact a on a.customer_id = o.customer_id and a.kind = 'billing'
       left join coupon k on k.id = o.coupon_id
       where i.invoice_date = $1 and o.order_number between $2 and $3
       group by o.id, k.code, a.state, i.number_value)
     select coupon, state, invoices, count(*) as orders from (
       select id, code as coupon, state,
              string_agg(charges, ' | ' order by number_value) as invoices
       from each group by id, code, state) one
     group by coupon, state, invoices order by (coupon || ' ' || state) collate "C", invoices`,
    [day, from, to],
  );
}
