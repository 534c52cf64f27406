/**
 * Chains of changes settle: whatever changes, pauses, rollbacks and cancellations come in one
 * period, what stands of each charge is what its used days cost by themselves.
 */
import test from 'ava';
import { addDays, daysFromTo, type IsoDate } from '../../domain/calendar/calendar.ts';
import { DomainError, DomainErrors } from '../../domain/errors.ts';
import {
  add,
  compare,
  negate,
  roundedAmount,
  sum,
  type Decimal,
} from '../../domain/money/money.ts';
import { sharedDatabase, openBooks, type Books } from '../operations/support/books.ts';
import { prepaid, prorated, recurring } from '../operations/support/plans.ts';
import { upload } from '../operations/support/uploads.ts';
import { costly, fc, runs } from '../support/random.ts';

const db = await sharedDatabase();
const TAX = '8.875';
const taxed = { ...prorated, taxCodes: ['STANDARD'] };
const vat = { isPrepaid: true, isTax: true, isMandatory: true };
const fee = { chargeType: 'RecurringCharge', pricingType: 'FixedPricing' };
const usage = { chargeType: 'UsageCharge', pricingType: 'FixedPricing' };
const plans = [
  recurring('BASIC', 29.95, taxed),
  recurring('LARGE', 87.65, taxed),
  {
    ...recurring('CARED', 31, taxed),
    charges: [
      { priceCode: 'CARED', ...fee, ...taxed, price: 31, isMandatory: true },
      { priceCode: 'CARE', ...fee, ...taxed, tiers: [{ unitsFrom: 0, percent: 7.5 }] },
    ],
  },
  { ...recurring('YEAR', 1200, taxed), billingPeriod: 'Yearly' },
  recurring('LATER', 44.44, { isProrated: true, taxCodes: ['STANDARD'] }),
  recurring('WHOLE', 19.99, prepaid),
  recurring('TRY', 27.77, taxed, { trial: { value: 3, units: 'Days' } }),
  {
    ...recurring('METER', 17.77, taxed),
    charges: [
      { priceCode: 'METER', ...fee, ...taxed, price: 17.77, isMandatory: true },
      { priceCode: 'CALL', ...usage, taxCodes: ['STANDARD'], price: 0.03, isMandatory: true },
    ],
  },
  {
    ...recurring('TAXED', 31.37, taxed),
    charges: [
      { priceCode: 'TAXED', ...fee, ...taxed, price: 31.37, isMandatory: true },
      // Not prorated: it goes back by its base all the same.
      { priceCode: 'VAT', ...fee, ...vat, tiers: [{ unitsFrom: 0, percent: 19 }] },
    ],
  },
];
const coupons = [
  { code: 'TEN', percent: 10 },
  { code: 'FIVE', amount: 5 },
  { code: 'ONCE', amount: 7.77, once: true },
];
const rates = [
  { country: 'US', state: 'NY', percent: Number(TAX), taxCode: 'STANDARD', name: 'NY sales tax' },
];
const file = { coupons, settings: { usageGraceDays: 2 }, tax: { type: 'table', rates } };
const address = { countryCode: 'US', state: 'NY' };

const step = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      do: fc.constant('change'),
      to: fc.constantFrom(...plans.map(({ contractCode }) => contractCode)),
      on: fc.integer({ min: -2, max: 3 }),
      quantity: fc.integer({ min: 1, max: 9 }),
      coupon: fc.constantFrom(undefined, 'TEN', 'TEN', 'FIVE', 'ONCE'),
      bills: fc.boolean(),
      /** Its own days that are billed elsewhere, or none; absent: those of the order before. */
      elsewhere: fc.constantFrom(undefined, undefined, undefined, null, -1, 3, 9),
      trial: fc.constantFrom(undefined, undefined, undefined, undefined, 2),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('advance'), days: fc.integer({ min: 1, max: 4 }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('suspend', 'activate') }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('rollBack'), which: fc.nat({ max: 20 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel') }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('end', 'keep') }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('try'), free: fc.nat({ max: 12 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('pause'),
      pausedFor: fc.integer({ min: 1, max: 5 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('use'), used: fc.integer({ min: -3, max: 1 }) }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

interface Chain {
  readonly books: Books;
  readonly customerId: number;
  readonly orders: number[];
}

const first = (customerId: number, billedThrough: IsoDate | null) =>
  ({ customerId, contractCode: 'BASIC', couponCode: 'TEN', billedThrough }) as const;

async function perform({ books, customerId, orders }: Chain, it: Step): Promise<unknown> {
  const newest = orders.at(-1) ?? 0;
  if ('pausedFor' in it) return books.suspend(newest, addDays(books.today(), it.pausedFor));
  if ('days' in it) return books.advance(addDays(books.today(), it.days));
  if ('which' in it) {
    const all = await books.read((tx) =>
      tx.query<{ number: number }>('select number_value as number from invoice order by 1 desc'),
    );
    const invoice = all[it.which % Math.max(1, all.length)];
    return invoice && books.cancelInvoice(invoice.number, { rollbackBillingPeriod: true });
  }
  if ('to' in it) {
    const { to, on, quantity, coupon, bills, elsewhere, trial: trialDays } = it;
    const orderLineItems = [{ priceCode: to, quantity: String(quantity) }];
    const effectiveDate = addDays(books.today(), on);
    const billedThrough = elsewhere == null ? elsewhere : addDays(effectiveDate, elsewhere);
    const terms = { billedThrough, trialDays };
    const input = { contractCode: to, couponCode: coupon, orderLineItems, ...terms };
    return orders.push(await books.change(newest, input, { effectiveDate, bills }));
  }
  if ('free' in it) return books.put(newest, { trialDays: it.free });
  if ('used' in it) {
    const chargeDate = addDays(books.today(), it.used);
    return upload(books, [{ orderId: newest, chargeDate, quantity: '123' }]);
  }
  if (it.do === 'suspend') return books.suspend(newest);
  if (it.do === 'activate') return books.activate(newest);
  if (it.do === 'end') return books.end(newest);
  if (it.do === 'keep') return books.keep(newest);
  await books.put(newest, { orderStatus: 'Canceled' });
  // The next chain begins.
  const trialDays = orders.length % 2 === 0 ? 3 : 0;
  const billedThrough = trialDays === 0 ? addDays(books.today(), 3) : null;
  return orders.push(await books.order({ ...first(customerId, billedThrough), trialDays }));
}

interface StandingCharge {
  readonly order: number;
  readonly invoice: number;
  readonly position: number;
  readonly kind: string;
  readonly isPercent: boolean;
  readonly base: readonly number[] | null;
  readonly unitPrice: Decimal;
  readonly quantity: Decimal | null;
  readonly amount: Decimal;
  /** Negative: what a change gave back. */
  readonly credited: Decimal;
  readonly priceCode: string;
  /** The billed period, or usage window. */
  readonly period: number | null;
  readonly from: IsoDate;
  readonly to: IsoDate;
  readonly isReplaced: boolean;
  readonly endedOn: IsoDate | null;
  /** Of the whole period. */
  readonly periodDays: number;
  /** Paused days of the billed ones, before the invoice. */
  readonly unserved: readonly IsoDate[];
}

/** The charges of billed days that stand, of invoices that were not cancelled. */
function standing(books: Books): Promise<StandingCharge[]> {
  return books.read((tx) =>
    tx.query<StandingCharge & Record<string, unknown>>(
      `select o.order_number as "order", i.number_value as invoice, c.position, c.kind,
         c.is_percent as "isPercent", c.base_positions as base, c.unit_price as "unitPrice",
         c.quantity, c.amount, coalesce(-r.amount, 0)::text as credited,
         c.price_code as "priceCode", coalesce(b.id, c.usage_window_id) as period,
         coalesce(b.billed_from, i.invoice_date)::text as "from",
         coalesce(b.billed_to, i.invoice_date)::text as "to",
         o.status = 'Superseded' and o.credit_from is null as "isReplaced", o.ended_on::text as "endedOn",
         coalesce(case p.billing_period when 'Yearly' then (o.anchor + (b.period_index + 1) * interval '1 year')::date
             - (o.anchor + b.period_index * interval '1 year')::date
           else (o.anchor + (b.period_index + 1) * interval '1 month')::date
             - (o.anchor + b.period_index * interval '1 month')::date end, 1) as "periodDays",
         array(select to_char(d, 'YYYY-MM-DD') from service_pause s, generate_series(b.billed_from, b.billed_to, '1 day') d
          where s.tenant_id = o.tenant_id and s.order_id = o.id and s.resumed_on <= i.invoice_date
            and d > s.suspended_on and d < s.resumed_on) as unserved
       from invoice i
       join invoice_line n on n.tenant_id = i.tenant_id and n.invoice_id = i.id
       join subscription_order o on o.tenant_id = n.tenant_id and o.id = n.order_id
       join plan p on p.tenant_id = o.tenant_id and p.id = o.plan_id
       join invoice_charge c on c.tenant_id = n.tenant_id and c.invoice_line_id = n.id
       left join billed_period b on b.tenant_id = c.tenant_id and b.id = c.billed_period_id
       left join charge_credit r on r.tenant_id = c.tenant_id and r.invoice_charge_id = c.id
        and r.voided_at is null
       where i.status <> 'Cancelled' and c.kind <> 'credit'
       order by i.number_value, n.position, c.position`,
    ),
  );
}

const percent = (of: Decimal, rate: Decimal): Decimal =>
  roundedAmount({ price: rate, quantity: of, numerator: 1, denominator: 100, currency: 'USD' });
const isDiscounted = new Set(['period', 'percent', 'usage']);
const codesByDays = new Set(['BASIC', 'LARGE', 'CARED', 'YEAR', 'LATER', 'TAXED', 'TRY']);

/** What the used days of a fee cost by themselves; null for charges without a price of days. */
function ofDays(charge: StandingCharge): Decimal | null {
  const { kind, priceCode, unitPrice, quantity, from, to } = charge;
  if (kind !== 'period' || !codesByDays.has(priceCode) || quantity === null) return null;
  const { isReplaced, endedOn, periodDays: denominator, unserved } = charge;
  const isWhole = isReplaced && endedOn === null;
  const last = isReplaced && endedOn !== null && endedOn < to ? endedOn : to;
  const paid = daysFromTo(from, last) - unserved.filter((day) => day <= last).length;
  const used = isWhole || last < from ? 0 : paid;
  return roundedAmount({
    price: unitPrice,
    quantity,
    numerator: used,
    denominator,
    currency: 'USD',
  });
}

test('what stands of each charge of a chain is what its used days cost', async (t) => {
  const counted = { credits: 0, changes: 0, invoices: 0 };
  const chains = fc.array(step, { minLength: 14, maxLength: 22 });
  const moved = fc.constantFrom(null, null, null, 0, 3, 8);
  const property = fc.asyncProperty(chains, moved, async (steps, through) => {
    const books = await openBooks(db, { today: '2027-01-15', plans, file });
    const customerId = await books.customer({ address });
    const billedThrough = through === null ? null : addDays(books.today(), through);
    const moving = first(customerId, billedThrough);
    const orders = [await books.order(moving, { generateInvoice: true })];
    const chain = { books, customerId, orders };
    for (const each of steps) {
      await perform(chain, each).catch((error: unknown) => {
        if (!(error instanceof DomainError || error instanceof DomainErrors)) throw error;
      });
    }
    await books.advance(addDays(books.today(), 4));
    const charges = await standing(books);
    for (const line of Map.groupBy(charges, (each) => `${each.invoice} ${each.order}`).values()) {
      const stands = new Map(line.map((each) => [each.position, add(each.amount, each.credited)]));
      const discounted = (by: StandingCharge): Decimal =>
        sum(
          line
            .filter(({ kind, period }) => period === by.period && isDiscounted.has(kind))
            .map(({ position }) => stands.get(position) ?? '0'),
        );
      const standsOf = (positions: readonly number[]): Decimal =>
        sum(positions.map((position) => stands.get(position) ?? '0'));
      for (const charge of line) {
        const left = stands.get(charge.position) ?? '0';
        const expected =
          charge.isPercent && charge.base !== null
            ? percent(standsOf(charge.base), charge.unitPrice)
            : ofDays(charge);
        // The audit sums fixed amounts over their periods.
        if (charge.kind === 'discount' && charge.isPercent) {
          const most = percent(discounted(charge), charge.unitPrice);
          t.is(
            compare(left, negate(most)),
            0,
            `${left} of ${JSON.stringify(charge)}, not -${most}`,
          );
        } else if (expected !== null) {
          t.is(compare(left, expected), 0, `${left} of ${JSON.stringify(charge)}, not ${expected}`);
        }
        counted.credits += compare(charge.credited, '0') === 0 ? 0 : 1;
      }
    }
    counted.changes += chain.orders.length - 1;
    counted.invoices += new Set(charges.map(({ invoice }) => invoice)).size;
    t.deepEqual((await books.audit()).faults, []);
  });
  await fc.assert(property, { ...costly, numRuns: runs(4) });
  t.log(counted);
  t.true(counted.credits > 3 && counted.changes > 3, JSON.stringify(counted));
});
