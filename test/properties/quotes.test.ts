/** The quote of an order that is all prepaid equals the invoices of its first day. */
import test from 'ava';
import {
  type IsoDate,
  addDays,
  periodAt,
  periodIndexOf,
  scheduleOf,
} from '../../domain/calendar/calendar.ts';
import { add, compare, sum } from '../../domain/money/money.ts';
import { rateOrder } from '../../operations/orders/quote.ts';
import { tenantInfo } from '../../operations/context/context.ts';
import { openBooks, sharedDatabase, type Books } from '../operations/support/books.ts';
import { costly, fc, runs } from '../support/random.ts';

const db = await sharedDatabase();

const cents = (max: number) => fc.integer({ min: 1, max }).map((value) => value / 100);
const percent = fc.integer({ min: 1, max: 30_000 }).map((value) => value / 1_000);
const taxCodes = fc.subarray(['STANDARD', 'LOCAL', 'UNTAXED']);
const shared = { taxCodes, isSeparateInvoice: fc.integer({ min: 0, max: 3 }).map((n) => n === 0) };

const recurring = { chargeType: fc.constant('RecurringCharge'), isPrepaid: fc.constant(true) };
const charge = fc.oneof(
  fc.record({
    ...shared,
    ...recurring,
    isProrated: fc.boolean(),
    pricingType: fc.constant('FixedPricing'),
    price: cents(20_000),
  }),
  fc.record({
    ...shared,
    ...recurring,
    isProrated: fc.boolean(),
    pricingType: fc.constant('TieredPricing'),
    tiers: fc.tuple(cents(2_000), cents(2_000)).map(([first, then]) => [
      { unitsFrom: 0, unitsTo: 2, price: first },
      { unitsFrom: 2, price: then },
    ]),
  }),
  fc.record({
    ...shared,
    ...recurring,
    isTax: fc.boolean(),
    pricingType: fc.constant('TieredPricing'),
    tiers: percent.map((each) => [{ unitsFrom: 0, percent: each }]),
  }),
  fc.record({
    ...shared,
    chargeType: fc.constant('OneTimeCharge'),
    pricingType: fc.constant('FixedPricing'),
    price: cents(20_000),
  }),
);

const life = fc.record({
  charges: fc.array(charge, { minLength: 1, maxLength: 5 }),
  aligned: fc.option(fc.integer({ min: 1, max: 31 })),
  quantities: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 5, maxLength: 5 }),
  startsIn: fc.integer({ min: 0, max: 35 }),
  coupon: fc.option(
    fc.oneof(
      fc.record({ percent, once: fc.boolean() }),
      fc.record({ amount: cents(9_000), once: fc.boolean() }),
      fc.record({ amount: cents(9_000), periods: fc.integer({ min: 1, max: 3 }) }),
    ),
  ),
  rates: fc.array(fc.tuple(fc.constantFrom('STANDARD', 'LOCAL'), percent), {
    minLength: 1,
    maxLength: 3,
  }),
  separateInvoice: fc.constantFrom(0, 1),
  /** It ends with its first period, unless that is taken back: its first day costs the same. */
  ends: fc.constantFrom('no', 'ends', 'is kept'),
  /** It moves in: so many of its days are billed elsewhere. */
  elsewhere: fc.option(fc.integer({ min: 1, max: 40 }), { freq: 1 }),
  /** Free days: its first bill then costs what the quote said. */
  trial: fc.option(fc.integer({ min: 1, max: 40 })),
});
type Life = typeof life extends fc.Arbitrary<infer T> ? T : never;

/**
 * The last day that is billed elsewhere: of a period, unless all that is billed by days, or follows
 * it, begins on any day.
 */
function throughOf({ elsewhere, charges, aligned }: Life, startDate: IsoDate): IsoDate | null {
  const recurs = charges.filter(({ chargeType }) => chargeType === 'RecurringCharge');
  if (elsewhere === null || recurs.length === 0) return null;
  const day = addDays(startDate, elsewhere - 1);
  const byDays = recurs.filter((each) => 'isProrated' in each && each.isProrated);
  const isOnAnyDay =
    byDays.length > 0 &&
    recurs.every((each) => byDays.includes(each) || ('isTax' in each && each.isTax));
  if (isOnAnyDay) return day;
  const alignment =
    aligned === null
      ? ({ billingAlignment: 'StartDate', alignmentDay: null } as const)
      : ({ billingAlignment: 'DayOfMonth', alignmentDay: aligned } as const);
  const schedule = scheduleOf({ billingPeriod: 'Monthly', ...alignment }, startDate);
  return periodAt(schedule, periodIndexOf(schedule, day)).end;
}

async function booksOf({ charges, aligned, coupon, rates, trial }: Life): Promise<Books> {
  const alignment =
    aligned === null ? {} : { billingAlignment: 'DayOfMonth', alignmentDay: aligned };
  const plan = {
    contractCode: 'PLAN',
    name: 'A plan',
    billingPeriod: 'Monthly',
    ...alignment,
    ...(trial !== null && { trial: { value: trial, units: 'Days' } }),
    charges: charges.map((each, index) => ({ priceCode: `C${index}`, ...each })),
  };
  const table = rates.map(([taxCode, rate], index) => ({
    country: 'US',
    taxCode,
    percent: rate,
    name: `Tax ${index}`,
  }));
  const coupons = coupon === null ? [] : [{ code: 'LESS', ...coupon }];
  const file = { tax: { type: 'table', rates: table }, coupons };
  return openBooks(db, { today: '2027-01-15', plans: [plan], file });
}

test('an order costs on its first day what its quote said', async (t) => {
  let compared = 0;
  const property = fc.asyncProperty(life, async (it) => {
    const books = await booksOf(it);
    const customerId = await books.customer({ address: { countryCode: 'US', state: 'NY' } });
    const startDate = addDays(books.today(), it.startsIn);
    const billedThrough = throughOf(it, startDate);
    const lines = it.charges.flatMap((each, index) => {
      const quantity = String(it.quantities[index] ?? 1);
      // What is due once has a day of its own.
      const isLeft = billedThrough !== null && each.chargeType === 'OneTimeCharge';
      return isLeft ? [] : [{ priceCode: `C${index}`, quantity }];
    });
    const input = {
      customerId,
      contractCode: 'PLAN',
      startDate,
      billedThrough,
      couponCode: it.coupon && 'LESS',
      separateInvoice: it.separateInvoice,
      orderLineItems: lines,
    };
    const tenant = await tenantInfo(books.dependencies, books.tenantId);
    const quote = await rateOrder(books.dependencies, tenant, { input }, () => undefined);
    const bills = { generateInvoice: true };
    const id = await books.order({ ...input, quoteHash: quote.hash }, bills);
    // In a trial it would end with the trial; what is billed elsewhere is not free, whatever the plan has.
    if (billedThrough === null) {
      if (it.ends === 'is kept' || (it.ends === 'ends' && it.trial === null)) {
        await books.end(id, { when: 'periodEnd' });
      }
      if (it.ends === 'is kept') await books.keep(id);
    }
    const free = addDays(startDate, it.trial ?? 0);
    await books.advance(billedThrough === null ? free : addDays(billedThrough, 1));
    const rows = await books.read((tx) =>
      tx.query<{ kind: string; amount: string }>(
        `select kind, amount::text as amount from invoice_charge`,
      ),
    );
    const of = (kind: string) =>
      sum(rows.filter((row) => row.kind === kind).map(({ amount }) => amount));
    const items = [...quote.initial.lineItems, ...quote.recurring.lineItems];
    const quoted = (code: string) =>
      sum(items.filter(({ priceCode }) => priceCode === code).map(({ amount }) => amount));
    t.is(compare(quote.total, sum(rows.map(({ amount }) => amount))), 0);
    t.is(compare(quoted('DISCOUNT'), of('discount')), 0);
    t.is(quote.total, formatted(add(quote.initial.total, quote.recurring.total)));
    t.deepEqual((await books.audit()).faults, []);
    compared += Number(of('discount') !== '0' && quoted('TAX') !== '0');
  });
  await fc.assert(property, { ...costly, numRuns: runs(5) });
  t.true(compared > 0, `only ${compared} quotes had discounts and taxes`);
});

const formatted = (amount: string): string => Number(amount).toFixed(2);
