/**
 * A change to the same thing costs nothing: of two customers with the same order, one changes it to
 * what it is, on any day, and after some periods both were billed the same, but for the cents that
 * rounding two parts of a period costs.
 */
import test from 'ava';
import { addDays } from '../../domain/calendar/calendar.ts';
import { add, compare, negate, type Decimal } from '../../domain/money/money.ts';
import { withTaxes } from '../../operations/billing/asking.ts';
import { avataxFile, newYorker } from '../operations/support/avatax-tenant.ts';
import { openBooks, sharedDatabase } from '../operations/support/books.ts';
import { partialTaxes } from '../operations/support/partial-taxes.ts';
import { prepaid, prorated, recurring } from '../operations/support/plans.ts';
import { upload } from '../operations/support/uploads.ts';
import { costly, fc, runs } from '../support/random.ts';

const db = await sharedDatabase();

const taxed = { ...prorated, taxCodes: ['STANDARD'] };
const charge = { chargeType: 'RecurringCharge', pricingType: 'FixedPricing' };
const share = (priceCode: string, percent: number, more: object) => ({
  priceCode,
  ...charge,
  tiers: [{ unitsFrom: 0, percent }],
  ...more,
});
const minutes = {
  priceCode: 'MINUTES',
  chargeType: 'UsageCharge',
  pricingType: 'FixedPricing',
  price: 0.07,
  taxCodes: ['STANDARD'],
};
const withMore = (code: string, price: number, ...more: Readonly<Record<string, unknown>>[]) => {
  const plan = recurring(code, price, taxed);
  return { ...plan, charges: [...plan.charges, ...more] };
};
const plans = [
  recurring('BASIC', 29.95, taxed),
  recurring('LATER', 44.44, { isProrated: true, taxCodes: ['STANDARD'] }),
  recurring('WHOLE', 19.99, { ...prepaid, taxCodes: ['STANDARD'] }),
  withMore(
    'CARED',
    31.01,
    share('CARE', 7.5, taxed),
    share('VAT', 19, { isTax: true, ...prepaid }),
  ),
  withMore('METERED', 12.34, minutes),
  { contractCode: 'CALLS', name: 'Calls', billingPeriod: 'Monthly', charges: [minutes] },
];
const coupons = [
  { code: 'TEN', percent: 10 },
  { code: 'FIVE', amount: 5 },
  { code: 'TWICE', amount: 7.77, periods: 2 },
];
const rates = [
  { country: 'US', state: 'NY', percent: 8.875, taxCode: 'STANDARD', name: 'NY sales tax' },
];

const lives = fc.record({
  plan: fc.constantFrom(...plans.map(({ contractCode }) => contractCode)),
  coupon: fc.constantFrom(undefined, ...coupons.map(({ code }) => code)),
  quantity: fc.integer({ min: 1, max: 9 }),
  isProvided: fc.boolean(),
  usageGraceDays: fc.constantFrom(0, 0, 3),
  /** The days of the change, after the start. */
  changes: fc.uniqueArray(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 2 }),
  used: fc.array(fc.integer({ min: 0, max: 85 }), { maxLength: 5 }),
});
type Life = typeof lives extends fc.Arbitrary<infer T> ? T : never;

const START = '2027-01-15';
const END = '2027-05-20';

async function lived({ plan, coupon, quantity, isProvided, changes, used, usageGraceDays }: Life) {
  const settings = { usageGraceDays };
  const tax = isProvided ? avataxFile() : { tax: { type: 'table', rates } };
  const file = { coupons, settings, ...tax };
  const books = await openBooks(db, { today: START, plans, file, taxProvider: partialTaxes });
  const lines = plan === 'CALLS' ? undefined : [{ priceCode: plan, quantity: String(quantity) }];
  const asked = <Result>(work: () => Promise<Result>) =>
    withTaxes(books.dependencies, books.tenantId, work);
  const bill = { generateInvoice: true };
  const order = { contractCode: plan, couponCode: coupon };
  // Lines that are not named are added where they are mandatory: the whole plan is named.
  const named = plan === 'METERED' || plan === 'CARED' ? undefined : lines;
  const input = { ...order, ...(named && { orderLineItems: named }) };
  const [kept, changed] = [await newYorker(books), await newYorker(books)];
  const keptOrder = await asked(() => books.order({ customerId: kept, ...input }, bill));
  let newest = await asked(() => books.order({ customerId: changed, ...input }, bill));
  const days = [
    ...changes.map((day) => ({ day, isChange: true })),
    ...used.map((day) => ({ day, isChange: false })),
  ].toSorted((a, b) => a.day - b.day || Number(b.isChange) - Number(a.isChange));
  const hasUsage = plan === 'METERED' || plan === 'CALLS';
  for (const { day, isChange } of days) {
    await books.advance(addDays(START, day));
    if (isChange) newest = await asked(() => books.change(newest, input, { bills: true }));
    else if (hasUsage) {
      const record = { chargeDate: books.today(), quantity: '100' };
      await upload(books, [{ orderId: keptOrder, ...record }]);
      await upload(books, [{ orderId: newest, ...record }]);
    }
  }
  await books.advance(END);
  return { books, kept, changed };
}

interface Sum {
  readonly customer: number;
  readonly total: Decimal;
  /** Each was rounded once. */
  readonly charges: number;
}

test('a change to the same thing costs nothing but what rounding its parts costs', async (t) => {
  let compared = 0;
  const property = fc.asyncProperty(lives, async (life) => {
    const { books, kept, changed } = await lived(life);
    const sums = await books.read((tx) =>
      tx.query<Sum & Record<string, unknown>>(
        `select i.customer_id as customer, sum(c.amount)::text as total, count(*)::int as charges
         from invoice i
         join invoice_line l on l.tenant_id = i.tenant_id and l.invoice_id = i.id
         join invoice_charge c on c.tenant_id = l.tenant_id and c.invoice_line_id = l.id
         where c.kind <> 'usageSubTotal' group by 1`,
      ),
    );
    const [one, other] = [kept, changed].map((id) => sums.find(({ customer }) => customer === id));
    const difference = add(other?.total ?? '0', negate(one?.total ?? '0'));
    // What the changes have more of charges was rounded once more.
    const more = Math.max(0, (other?.charges ?? 0) - (one?.charges ?? 0));
    const cents = String(more / 100);
    const text = `${JSON.stringify(life)}: ${one?.total} and ${other?.total}`;
    t.true(compare(difference, cents) <= 0 && compare(difference, `-${cents}`) >= 0, text);
    if (one !== undefined) compared += 1;
    const { faults, held, waiting } = await books.audit();
    // Nothing records what a provider taxed here.
    const others = faults.filter(({ check }) => !check.startsWith('tax.recorded'));
    t.deepEqual({ others, held, waiting }, { others: [], held: [], waiting: [] }, text);
  });
  await fc.assert(property, { ...costly, numRuns: runs(3) });
  t.true(compared > 0, `only ${compared} lives were compared`);
});
