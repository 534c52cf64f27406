/**
 * Random upgrades and new orders of customers by their own pages: what is charged is what the review
 * showed as due today, and an upgrade is what is dearer per day in exact arithmetic.
 */
import test from 'ava';
import { addDays } from '../../domain/calendar/calendar.ts';
import { compare, sum } from '../../domain/money/money.ts';
import { tenantInfo } from '../../operations/context/context.ts';
import {
  makeOwnChange,
  NotInDirection,
  priceOwnChange,
} from '../../operations/self-service/orders-change.ts';
import { makeOwnNew, priceOwnNew } from '../../operations/self-service/orders-new.ts';
import { sharedDatabase } from '../operations/support/books.ts';
import { openPaymentBooks } from '../operations/support/payment-books.ts';
import { costly, fc, runs } from '../support/random.ts';

const db = await sharedDatabase();
const TODAY = '2027-03-10';
const RUNS = runs(3, 7);

/** What a month's price is for the period, and how many of the period 7 years have. */
const periods = {
  Daily: { factor: 0.03, sevenYears: 2_555n },
  Weekly: { factor: 0.25, sevenYears: 365n },
  Monthly: { factor: 1, sevenYears: 84n },
  Quarterly: { factor: 3, sevenYears: 28n },
  SemiAnnual: { factor: 6, sevenYears: 14n },
  Yearly: { factor: 12, sevenYears: 7n },
} as const;
type Period = keyof typeof periods;

const common = {
  isSeparateInvoice: fc.integer({ min: 0, max: 3 }).map((n) => n === 0),
  taxCodes: fc.constantFrom<readonly string[]>([], ['STANDARD']),
};
const fee = fc.record({
  ...common,
  is: fc.constant('fee' as const),
  /** Of a month. */
  cents: fc.integer({ min: 100, max: 9_999 }),
  isPrepaid: fc.boolean(),
  isProrated: fc.boolean(),
});
const setup = fc.record({
  ...common,
  is: fc.constant('setup' as const),
  cents: fc.integer({ min: 1, max: 9_999 }),
});
const share = fc.record({
  ...common,
  is: fc.constant('share' as const),
  /** Of the other charges, in tenths of a percent. */
  tenths: fc.integer({ min: 1, max: 300 }),
  isPrepaid: fc.boolean(),
});
const plan = fc.record({
  period: fc.constantFrom<Period>('Monthly', ...(Object.keys(periods) as Period[])),
  aligned: fc.option(fc.integer({ min: 1, max: 31 }), { freq: 1 }),
  charges: fc
    .tuple(fee, fc.array(fc.oneof(fee, setup, setup, share), { maxLength: 3 }))
    .map(([first, more]) => [first, ...more]),
});
type Plan = typeof plan extends fc.Arbitrary<infer Value> ? Value : never;

const which = fc.nat({ max: 3 });
const terms = fc.record({ plan: which, quantity: fc.constantFrom('0.5', '1', '1.5', '2', '3') });
type Terms = typeof terms extends fc.Arbitrary<infer Value> ? Value : never;
const customer = fc.record({
  has: terms,
  /** One after the other, on the same day. */
  wants: fc.array(terms, { minLength: 1, maxLength: 2 }),
  daysAgo: fc.integer({ min: 0, max: 45 }),
  /** Else what its order has cost so far is due, too. */
  isBilled: fc.constantFrom(true, true, false),
  coupon: fc.constantFrom(null, 'ALWAYS', 'TWICE', 'ONCE'),
  state: fc.constantFrom('NY', 'CA', 'OR'),
  credit: fc.option(fc.integer({ min: 1, max: 20_000 })),
});
type Customer = typeof customer extends fc.Arbitrary<infer Value> ? Value : never;

const world = fc.record({
  plans: fc.array(plan, { minLength: 4, maxLength: 4 }),
  percents: fc.array(fc.integer({ min: 1, max: 25_000 }), { minLength: 5, maxLength: 5 }),
  customers: fc.array(customer, { minLength: 7, maxLength: 7 }),
});
type World = typeof world extends fc.Arbitrary<infer Value> ? Value : never;

const text = (cents: number): string => {
  const digits = String(cents).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
};

/** Of the whole period. */
const centsOf = (cents: number, period: Period): number =>
  Math.round(cents * periods[period].factor);

function planFile({ period, aligned, charges }: Plan, index: number) {
  const alignment =
    aligned === null || period !== 'Monthly'
      ? {}
      : { billingAlignment: 'DayOfMonth', alignmentDay: aligned };
  return {
    contractCode: `P${index}`,
    name: `Plan ${index}`,
    productOffering: 'ALL',
    billingPeriod: period,
    ...alignment,
    charges: charges.map((charge, position) => {
      const priceCode = `P${index}-${position}`;
      const { taxCodes, isSeparateInvoice } = charge;
      const shared = { priceCode, taxCodes, isSeparateInvoice };
      const recurring = { ...shared, chargeType: 'RecurringCharge' };
      if (charge.is === 'share') {
        const tiers = [{ unitsFrom: 0, percent: charge.tenths / 10 }];
        const { isPrepaid } = charge;
        return { ...recurring, isPrepaid, pricingType: 'TieredPricing', tiers };
      }
      if (charge.is === 'setup') {
        const price = charge.cents / 100;
        return { ...shared, chargeType: 'OneTimeCharge', pricingType: 'FixedPricing', price };
      }
      const { cents, isPrepaid, isProrated } = charge;
      const price = centsOf(cents, period) / 100;
      const priced = { isPrepaid, isProrated, pricingType: 'FixedPricing', price };
      return { ...recurring, ...priced, decimals: true, minQuantity: 0.5 };
    }),
  };
}

function booksOf({ plans, percents }: World) {
  const [always = 1, twice = 1, once = 1, ny = 1, ca = 1] = percents;
  const rate = { country: 'US', taxCode: 'STANDARD' };
  return openPaymentBooks(db, {
    today: TODAY,
    plans: plans.map(planFile),
    file: {
      productOfferings: [{ sku: 'ALL', name: 'All' }],
      coupons: [
        { code: 'ALWAYS', percent: always / 1_000 },
        { code: 'TWICE', percent: twice / 1_000, periods: 2 },
        { code: 'ONCE', percent: once / 1_000, once: true },
      ],
      tax: {
        type: 'table',
        rates: [
          { ...rate, state: 'NY', percent: ny / 1_000, name: 'NY tax' },
          { ...rate, state: 'CA', percent: ca / 1_000, name: 'CA tax' },
        ],
      },
    },
  });
}
type Books = Awaited<ReturnType<typeof booksOf>>;

/** The cents that 7 years of its recurring charges cost before discounts and taxes, exactly. */
function sevenYearsOf({ period, charges }: Plan, quantity: string): bigint {
  const tenfold = BigInt(Number(quantity) * 10);
  // Half a cent is rounded up, line by line.
  const rounded = (numerator: bigint, denominator: bigint) =>
    (numerator * 2n + denominator) / (denominator * 2n);
  const onInvoice = (isSeparate: boolean): bigint => {
    const own = charges.filter(({ isSeparateInvoice }) => isSeparateInvoice === isSeparate);
    const fees = own
      .filter((charge) => charge.is === 'fee')
      .map(({ cents }) => rounded(BigInt(centsOf(cents, period)) * tenfold, 10n))
      .reduce((total, each) => total + each, 0n);
    return own
      .filter((charge) => charge.is === 'share')
      .map(({ tenths }) => rounded(fees * BigInt(tenths), 1_000n))
      .reduce((total, each) => total + each, fees);
  };
  return (onInvoice(false) + onInvoice(true)) * periods[period].sevenYears;
}

/** The totals of the customer's invoices that are none of the older ones. */
async function chargedSince(books: Books, customerId: number, before: number): Promise<string> {
  const rows = await books.read((tx) =>
    tx.query<{ amount: string }>(
      `select current_amount_due::text as amount from invoice where customer_id = $1 and id > $2`,
      [customerId, before],
    ),
  );
  return sum(rows.map(({ amount }) => amount));
}

async function newest(books: Books, table: 'invoice' | 'subscription_order'): Promise<number> {
  const [row] = await books.read((tx) =>
    tx.query<{ id: number }>(`select coalesce(max(id), 0) as id from ${table}`),
  );
  return row?.id ?? 0;
}

function planOf(plans: World['plans'], { plan: index }: Terms): Plan {
  const found = plans[index];
  if (found === undefined) throw new Error('there are four plans');
  return found;
}

interface Shown {
  readonly due: readonly { readonly currency: string; readonly amount: string }[];
}

/** Makes what was shown. Returns the due today that was shown and what was charged. */
async function charged<Price extends Shown>(
  { books, customerId }: { readonly books: Books; readonly customerId: number },
  shown: Price,
  make: (price: Price) => Promise<unknown>,
): Promise<string> {
  const before = await newest(books, 'invoice');
  await make(shown);
  const total = await chargedSince(books, customerId, before);
  const due = sum(shown.due.map(({ amount }) => amount));
  if (compare(total, due) !== 0) throw new Error(`shown ${due}, charged ${total}`);
  return total;
}

/** A customer with an order, and perhaps a credit. */
async function arrive(books: Books, { plans }: World, it: Customer) {
  const { state, has, coupon, daysAgo, isBilled, credit } = it;
  const { charges } = planOf(plans, has);
  const customerId = await books.customer({ address: { countryCode: 'US', state } });
  const order = {
    customerId,
    contractCode: `P${has.plan}`,
    couponCode: coupon,
    startDate: addDays(TODAY, -daysAgo),
    orderLineItems: charges.map(({ is }, position) => ({
      priceCode: `P${has.plan}-${position}`,
      quantity: is === 'setup' ? '1' : has.quantity,
    })),
  };
  await books.order(order, { generateInvoice: isBilled });
  if (credit !== null) await books.credit({ customerId, amount: text(credit) });
  return customerId;
}

interface Current {
  readonly customerId: number;
  readonly has: Terms;
}

/** The total of an upgrade; null if the choice is none, as the exact price per day says. */
async function upgrade(
  books: Books,
  { plans }: World,
  { customerId, has }: Current,
  wants: Terms,
): Promise<string | null> {
  const { dependencies } = books;
  const difference =
    sevenYearsOf(planOf(plans, wants), wants.quantity) -
    sevenYearsOf(planOf(plans, has), has.quantity);
  const { plan: index, quantity } = wants;
  const orderId = await newest(books, 'subscription_order');
  const chosen = { orderId, customerId, contractCode: `P${index}`, quantity };
  const choice = { ...chosen, kind: 'upgrade' } as const;
  const tenant = await tenantInfo(dependencies, books.tenantId);
  const shown = await priceOwnChange(dependencies, tenant, choice).catch((error: unknown) => {
    if (error instanceof NotInDirection) return null;
    throw error;
  });
  const isUpgrade = shown !== null;
  if (isUpgrade !== difference > 0n) throw new Error(`${isUpgrade}, by ${difference}`);
  if (shown === null) return null;
  return charged({ books, customerId }, shown, (price) =>
    books.work((context) => makeOwnChange(dependencies, context, choice, price)),
  );
}

async function orderNew(books: Books, it: Customer, customerId: number): Promise<string> {
  const { dependencies, tenantId } = books;
  const { has, coupon: couponCode } = it;
  const { plan: index, quantity } = has;
  const chosen = { customerId, contractCode: `P${index}`, quantity, couponCode };
  const choice = { ...chosen, isAutoPay: false };
  const tenant = await tenantInfo(dependencies, tenantId);
  const shown = await priceOwnNew(dependencies, tenant, choice);
  return charged({ books, customerId }, shown, (price) =>
    books.work((context) => makeOwnNew(dependencies, context, choice, price)),
  );
}

test('an upgrade and a new order charge what their review showed as due today', async (t) => {
  const counts = { upgrades: 0, credited: 0, others: 0, orders: 0 };
  const property = fc.asyncProperty(world, async (it) => {
    const books = await booksOf(it);
    for (const each of it.customers) {
      const customerId = await arrive(books, it, each);
      let { has } = each;
      for (const wants of each.wants) {
        const total = await upgrade(books, it, { customerId, has }, wants);
        if (total !== null) has = wants;
        if (total === null) counts.others += 1;
        else counts[compare(total, '0') < 0 ? 'credited' : 'upgrades'] += 1;
      }
      await orderNew(books, each, customerId);
      counts.orders += 1;
    }
    const { faults } = await books.audit();
    if (faults.length > 0) throw new Error(JSON.stringify(faults));
  });
  await fc.assert(property, { ...costly, numRuns: RUNS });
  t.log(JSON.stringify(counts));
  t.true(counts.upgrades > 4 && counts.others > 4, JSON.stringify(counts));
});
