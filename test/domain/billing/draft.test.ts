/** The invoices that due charges make, and that their sums are the sums of their parts. */
import test from 'ava';
import { dueOf } from '../../../domain/billing/due/due.ts';
import type { InvoicedOrder } from '../../../domain/billing/rate/group.ts';
import type { DraftInvoice } from '../../../domain/billing/rate/total.ts';
import { byRates } from '../../../domain/billing/rate/tax.ts';
import { draftInvoices, type InvoicingInput } from '../../../domain/billing/rate/draft.ts';
import type { Terms } from '../../../domain/calendar/terms.ts';
import { formatAmount, sum } from '../../../domain/money/money.ts';
import { invoicedOrder } from './invoiced.ts';
import { chargeWith, lineWith, planWith, tiersOf } from '../fixtures.ts';
import { fc } from '../../support/random.ts';
import { billedBy } from './rated.ts';

const days = (value: number): Terms => ({ value, units: 'Days' });
const costing = (price: string, currency = 'USD') =>
  chargeWith({ tiers: tiersOf([['0', null, price]], currency) });

const vat = {
  country: 'DE',
  state: null,
  percent: '20',
  taxCode: 'STANDARD',
  name: 'VAT',
  category: 'S',
  exemptionReason: null,
} as const;

function invoicesOf(orders: readonly InvoicedOrder[], changes: Partial<InvoicingInput> = {}) {
  const today = changes.today ?? '2027-01-01';
  return draftInvoices({
    customer: { id: 5, paymentTerms: null, purchaseOrder: null },
    tenantTerms: days(30),
    today,
    orders: orders.map((order) => ({ order, due: dueOf(order, today) })),
    taxing: byRates([]),
    ...changes,
  });
}

/** `currency total: order number amount, ...` of each invoice. */
const shown = (invoices: readonly DraftInvoice[]) =>
  invoices.map(({ currency, currentAmountDue, lines }) => {
    const parts = lines.map(
      ({ order, lineAmountTotal }) => `${order?.orderNumber} ${lineAmountTotal}`,
    );
    return `${currency} ${currentAmountDue}: ${parts.join(', ')}`;
  });

test('due orders share an invoice by currency, by themselves, or by job code', (t) => {
  const orders = [
    invoicedOrder({ id: 8, orderNumber: 1008, separateInvoice: 2, jobCode: 'A' }),
    invoicedOrder({ id: 7, orderNumber: 1007, separateInvoice: 2, jobCode: 'B' }),
    invoicedOrder({ id: 6, orderNumber: 1006, separateInvoice: 2, jobCode: 'A' }),
    invoicedOrder({ id: 5, orderNumber: 1005, separateInvoice: 1, jobCode: 'A' }),
    invoicedOrder({ id: 4, orderNumber: 1004, separateInvoice: 1 }),
    invoicedOrder({ id: 3, orderNumber: 1003, jobCode: 'A' }),
    invoicedOrder({
      id: 2,
      orderNumber: 1002,
      currency: 'JPY',
      lines: [lineWith({ charge: costing('3500', 'JPY') })],
    }),
    invoicedOrder({ id: 1, orderNumber: 1001 }),
    invoicedOrder({ id: 9, orderNumber: 1000, status: 'Draft' }),
  ];
  const expected = [
    'USD 62.00: 1001 31.00, 1003 31.00',
    'JPY 3500: 1002 3500',
    'USD 31.00: 1004 31.00',
    'USD 31.00: 1005 31.00',
    'USD 62.00: 1006 31.00, 1008 31.00',
    'USD 31.00: 1007 31.00',
  ];
  t.deepEqual(shown(invoicesOf(orders)), expected);
  t.deepEqual(shown(invoicesOf(orders.toReversed())), expected);
});

test('an invoice shows each charge with its days, price and amount, line by line', (t) => {
  const seats = chargeWith({
    id: 101,
    pricingType: 'TieredPricing',
    invoiceText: 'Seats',
    tiers: tiersOf([
      ['0', '10', '10.00'],
      ['10', null, '8.00'],
    ]),
  });
  const setup = chargeWith({ id: 102, chargeType: 'OneTimeCharge', invoiceText: 'Installation' });
  const order = invoicedOrder({
    schedule: { billingPeriod: 'Monthly', anchor: '2027-02-01', alignmentDay: 1 },
    startDate: '2027-01-16',
    lines: [
      lineWith({ id: 11, position: 2, charge: setup, invoiceText: 'Installation of the office' }),
      lineWith({ id: 12, position: 1, charge: seats, quantity: '11', nextPeriodIndex: -1 }),
    ],
  });
  const [invoice, ...others] = invoicesOf([order], { today: '2027-02-02' });
  t.is(others.length, 0);
  t.like(invoice, {
    customerId: 5,
    invoiceDate: '2027-02-02',
    dueDate: '2027-03-04',
    billingStartDate: '2027-01-16',
    billingEndDate: '2027-02-28',
    billingPeriod: 'Monthly',
    currentAmountDue: '194.74',
  });
  const [line] = invoice?.lines ?? [];
  t.like(line, {
    position: 1,
    invoiceText: 'Gold',
    billingStartDate: '2027-01-16',
    billingEndDate: '2027-02-28',
    lineAmountTotal: '194.74',
  });
  // 16 of January's 31 days, then the whole of February, then the installation.
  t.deepEqual(
    line?.charges.map((charge) => [
      charge.position,
      charge.invoiceText,
      `${charge.billingStartDate}..${charge.billingEndDate}`,
      `${charge.quantity} x ${charge.unitPrice} = ${charge.amount}`,
      'tierId' in charge.charge ? charge.charge.tierId : null,
    ]),
    [
      [1, 'Seats', '2027-01-16..2027-01-31', '10 x 10.00 = 51.61', 1],
      [2, 'Seats', '2027-01-16..2027-01-31', '1 x 8.00 = 4.13', 2],
      [3, 'Seats', '2027-02-01..2027-02-28', '10 x 10.00 = 100.00', 1],
      [4, 'Seats', '2027-02-01..2027-02-28', '1 x 8.00 = 8.00', 2],
      [5, 'Installation of the office', '2027-01-16..2027-01-16', '1 x 31.00 = 31.00', 1],
    ],
  );
  t.true(line?.charges.every(({ chargeDate }) => chargeDate === '2027-02-02'));
});

test('lines with the same position are ordered by id', (t) => {
  const lines = [lineWith({ id: 12 }), lineWith({ id: 11 })];
  const [invoice] = invoicesOf([invoicedOrder({ lines })]);
  t.deepEqual(
    invoice?.lines[0]?.charges.map((charge) => billedBy(charge).line.id),
    [11, 12],
  );
});

test('an invoice is due by the terms of order, plan, customer, tenant; the earliest wins', (t) => {
  const dueDates = (orders: readonly InvoicedOrder[], paymentTerms: Terms | null) =>
    invoicesOf(orders, { customer: { id: 5, paymentTerms, purchaseOrder: null } }).map(
      ({ dueDate }) => dueDate,
    );
  const plan = planWith({ dueTerms: { value: 1, units: 'Months' } });
  t.deepEqual(dueDates([invoicedOrder({})], null), ['2027-01-31']);
  t.deepEqual(dueDates([invoicedOrder({})], days(14)), ['2027-01-15']);
  t.deepEqual(dueDates([invoicedOrder({ plan })], days(14)), ['2027-02-01']);
  t.deepEqual(dueDates([invoicedOrder({ plan, dueTerms: days(45) })], days(14)), ['2027-02-15']);
  const other = invoicedOrder({ id: 8, orderNumber: 1002, dueTerms: days(0) });
  t.deepEqual(dueDates([invoicedOrder({ plan }), other], days(14)), ['2027-01-01']);
});

test('the texts of an order line come from the order, its plan, or the name of the plan', (t) => {
  const textOf = (changes: Partial<InvoicedOrder>) =>
    invoicesOf([invoicedOrder(changes)])[0]?.lines[0]?.invoiceText;
  const plan = planWith({ invoiceText: 'Internet' });
  t.is(textOf({}), 'Gold');
  t.is(textOf({ plan }), 'Internet');
  t.is(textOf({ plan, invoiceText: 'Internet, second floor' }), 'Internet, second floor');
});

test('the billing period is empty if the plans of an invoice differ', (t) => {
  const gold = invoicedOrder({});
  const periodWith = (plan: InvoicedOrder['plan']) =>
    invoicesOf([gold, invoicedOrder({ id: 8, orderNumber: 1002, plan })])[0]?.billingPeriod;
  t.is(periodWith(planWith({ id: 11 })), 'Monthly');
  t.is(periodWith(planWith({ contractCode: 'SILVER' })), null);
  t.is(periodWith(planWith({ billingPeriod: 'Yearly' })), null);
});

test('an invoice may come to zero or less', (t) => {
  const dueAt = (price: string) =>
    invoicesOf([invoicedOrder({ lines: [lineWith({ charge: costing(price) })] })]).map(
      ({ currentAmountDue }) => currentAmountDue,
    );
  t.deepEqual(dueAt('0.01'), ['0.01']);
  t.deepEqual(dueAt('0'), ['0.00']);
  t.deepEqual(dueAt('-5'), ['-5.00']);
});

test('one-time charges of zero alone make no invoice, recurring charges of zero do', (t) => {
  const free = chargeWith({ chargeType: 'OneTimeCharge', tiers: tiersOf([['0', null, '0']]) });
  const once = lineWith({ id: 2, charge: free });
  t.deepEqual(shown(invoicesOf([invoicedOrder({ lines: [once] })])), []);
  const paid = { ...once, charge: chargeWith({ chargeType: 'OneTimeCharge' }) };
  t.deepEqual(shown(invoicesOf([invoicedOrder({ lines: [paid] })])), ['USD 31.00: 1001 31.00']);
  const other = invoicedOrder({ id: 8, orderNumber: 1002 });
  t.deepEqual(shown(invoicesOf([invoicedOrder({ lines: [once] }), other])), [
    'USD 31.00: 1001 0.00, 1002 31.00',
  ]);
  for (const isOf of [{ isPenalty: true }, { isTax: true }]) {
    const recurring = { charge: { ...costing('0'), ...isOf }, penaltySince: '2027-01-01' };
    const line = lineWith(isOf.isPenalty === true ? recurring : { charge: recurring.charge });
    t.is(invoicesOf([invoicedOrder({ lines: [line] })]).length, 1);
    const single = { ...line, charge: { ...line.charge, chargeType: 'OneTimeCharge' } as const };
    t.is(invoicesOf([invoicedOrder({ lines: [single] })]).length, 0);
  }
  const metered = lineWith({
    charge: chargeWith({ chargeType: 'UsageCharge', standardQuantity: '5' }),
    windows: [
      {
        periodIndex: 0,
        isClosed: false,
        sums: {
          quantities: [{ unitPrice: null, quantity: '2' }],
          supplied: null,
          corrections: [],
        },
      },
    ],
  });
  const order = invoicedOrder({ lines: [metered] });
  t.is(invoicesOf([order], { today: '2027-02-01' })[0]?.currentAmountDue, '0.00');
  const taxed = { ...once, charge: { ...free, taxCodes: ['STANDARD'] } };
  t.is(invoicesOf([invoicedOrder({ lines: [taxed] })], { taxing: byRates([vat]) }).length, 0);
  const withFee = [once, lineWith({ charge: costing('0') })];
  t.deepEqual(shown(invoicesOf([invoicedOrder({ lines: withFee })])), ['USD 0.00: 1001 0.00']);
});

test('charges add up to lines, lines to the invoice, and every due charge is on one invoice', (t) => {
  const orders = fc.array(
    fc.record({
      price: fc.integer({ min: -500, max: 100_000 }).map((cents) => String(cents / 1000)),
      quantity: fc.integer({ min: 0, max: 5000 }).map((thousandths) => String(thousandths / 1000)),
      startDate: fc.integer({ min: 10, max: 31 }).map((day) => `2027-01-${day}`),
      separateInvoice: fc.constantFrom(0, 1, 2),
      jobCode: fc.constantFrom('A', 'B'),
      currency: fc.constantFrom('USD', 'JPY', 'KWD'),
    }),
    { maxLength: 8 },
  );
  fc.assert(
    fc.property(orders, (drawn) => {
      const made = drawn.map(({ price, quantity, ...order }, index) => {
        const line = lineWith({ charge: costing(price, order.currency), quantity });
        return invoicedOrder({ ...order, id: index + 1, orderNumber: 1001 + index, lines: [line] });
      });
      const today = '2027-02-01';
      const invoices = invoicesOf(made, { today });
      for (const { currency, currentAmountDue, lines } of invoices) {
        for (const { lineAmountTotal, charges } of lines) {
          const amounts = charges.map(({ amount }) => amount);
          t.is(lineAmountTotal, formatAmount(currency, sum(amounts)));
        }
        const total = sum(lines.map(({ lineAmountTotal }) => lineAmountTotal));
        t.is(currentAmountDue, formatAmount(currency, total));
      }
      const invoiced = invoices.flatMap(({ lines }) =>
        lines.flatMap(({ charges, order }) =>
          charges.map((charge) => `${order?.id} ${billedBy(charge).periodIndex}`),
        ),
      );
      t.is(invoiced.length, made.length * 2);
      t.is(new Set(invoiced).size, invoiced.length);
    }),
    { numRuns: 50 },
  );
});
