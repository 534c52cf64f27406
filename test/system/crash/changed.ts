/**
 * 200 orders of three sorts that are changed, the first hundred by pending changes, the others at
 * once, and what each of them has to be billed, worked out by hand.
 */
import type { Till } from './till.ts';

export const HUNDRED = 100;
export const CUSTOMERS = 2 * HUNDRED;
export const FIRST_DAY = '2027-01-15';
/** The pending changes take effect; 17 of the 31 days from 15 January on are used. */
export const PENDING_DAY = '2027-02-01';
/** The changes at once; 26 of the 31 days are used. */
export const IMMEDIATE_DAY = '2027-02-10';

const fixed = { pricingType: 'FixedPricing' };
const prorated = { chargeType: 'RecurringCharge', ...fixed, isPrepaid: true, isProrated: true };

export const plans = [
  {
    contractCode: 'GOLD',
    name: 'Gold',
    billingPeriod: 'Monthly',
    charges: [
      { priceCode: 'SETUP', chargeType: 'OneTimeCharge', ...fixed, price: 49 },
      { priceCode: 'FEE', ...prorated, taxCodes: ['STANDARD'], price: 29.95 },
    ],
  },
  {
    contractCode: 'YEAR',
    name: 'Year',
    billingPeriod: 'Yearly',
    charges: [{ priceCode: 'YEAR', ...prorated, price: 1200 }],
  },
];

export const file = {
  coupons: [{ code: 'WELCOME10', percent: 10, periods: 3 }],
  tax: {
    type: 'table',
    rates: [
      { country: 'US', state: 'NY', percent: 8.875, taxCode: 'STANDARD', name: 'NY sales tax' },
    ],
  },
};

export interface Sort {
  readonly name: string;
  readonly state: string;
  readonly coupon?: string;
  /** What replaces an order of GOLD. */
  readonly next: {
    readonly contractCode: string;
    readonly couponCode?: string;
    readonly quantity?: string;
  };
  /** Of each hundred. */
  readonly orders: number;
  /** The invoice of each day: the charges of each order, by the status that it ends with. */
  readonly first: string;
  readonly pending: string;
  readonly immediate: string;
}

/**
 * The fee: 29.95 x 17/31 = 16.42 and 29.95 x 26/31 = 25.12 stand, 13.53 and 4.83 are credited. The
 * discount of 3.00: 1.64 and 2.51 stand. The tax of 26.95 is 2.39; 8.875 percent of 14.78 and of
 * 22.61, 1.31 and 2.01, stand.
 */
const unused = { pending: '-13.53 1.36 -1.08', immediate: '-4.83 0.49 -0.38' };

/** Twice the fee: 59.90 x 14/31 = 27.05 and 59.90 x 5/31 = 9.66. */
export const sorts: readonly Sort[] = [
  {
    name: 'plain',
    state: 'OR',
    next: { contractCode: 'GOLD', quantity: '2' },
    orders: 34,
    first: 'Superseded 49.00 29.95',
    pending: 'Superseded -13.53 | Active 27.05',
    immediate: 'Superseded -4.83 | Active 9.66',
  },
  // The tax of 27.05 - 2.71 is 2.16, and of 9.66 - 0.97 it is 0.77.
  {
    name: 'taxed',
    state: 'NY',
    coupon: 'WELCOME10',
    next: { contractCode: 'GOLD', couponCode: 'WELCOME10', quantity: '2' },
    orders: 33,
    first: 'Superseded 49.00 -4.90 29.95 -3.00 2.39',
    pending: `Superseded ${unused.pending} | Active 27.05 -2.71 2.16`,
    immediate: `Superseded ${unused.immediate} | Active 9.66 -0.97 0.77`,
  },
  {
    name: 'yearly',
    state: 'NY',
    coupon: 'WELCOME10',
    next: { contractCode: 'YEAR' },
    orders: 33,
    first: 'Superseded 49.00 -4.90 29.95 -3.00 2.39',
    pending: `Superseded ${unused.pending} | Active 1200.00`,
    immediate: `Superseded ${unused.immediate} | Active 1200.00`,
  },
];

/** The sort of the nth order, counted from 1. */
export function sortOf(nth: number): Sort {
  const sort = sorts[((nth - 1) % HUNDRED) % sorts.length];
  if (sort === undefined) throw new Error('no sort of order');
  return sort;
}

/** How many customers with orders of a sort have these invoices of a day. */
export interface Billed {
  readonly sort: string;
  readonly invoices: string;
  readonly customers: number;
}

/** What the 200 orders have to have of the first day, or one hundred of the day of its change. */
export function expected(day: 'first' | 'pending' | 'immediate'): Billed[] {
  const hundreds = day === 'first' ? 2 : 1;
  return sorts.map(({ name, orders, [day]: invoices }) => {
    return { sort: name, invoices, customers: orders * hundreds };
  });
}

/** How many invoices have each sum in the end; a first one of 73.44 is that of two sorts. */
export const sumsOfInvoices: Readonly<Record<string, number>> = {
  '78.95': 68,
  '73.44': 132,
  '13.52': 34,
  '13.25': 33,
  '1186.75': 33,
  '4.83': 34,
  '4.74': 33,
  '1195.28': 33,
};

/** What the customers were billed on a day: ` + ` between invoices, ` | ` between their orders. */
export function billedOn({ read }: Pick<Till, 'read'>, day: string): Promise<Billed[]> {
  return read<Billed>(
    `with line as (
       select i.customer_id, i.invoice_number, l.position,
              o.status || ' ' || string_agg(round(c.amount, 2)::text, ' ' order by c.position)
                as charges
       from invoice i join invoice_line l on l.invoice_id = i.id
       join invoice_charge c on c.invoice_line_id = l.id
       join subscription_order o on o.id = l.order_id
       where i.invoice_date = $1 group by i.customer_id, i.invoice_number, l.id, l.position, o.id,
         o.status),
     each as (
       select customer_id, string_agg(charges, ' | ' order by position) as charges
       from line group by customer_id, invoice_number),
     mine as (
       select customer_id, string_agg(charges, ' + ') as invoices from each group by customer_id)
     select k.name as sort, m.invoices, count(*) as customers
     from mine m join customer k on k.id = m.customer_id
     group by 1, 2 order by k.name collate "C", m.invoices`,
    day,
  );
}
