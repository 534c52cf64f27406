/** The totals of an invoice of priced charges. */
import test from 'ava';
import { tax } from '../../../domain/billing/rate/tax.ts';
import { total } from '../../../domain/billing/rate/total.ts';
import { planWith } from '../fixtures.ts';
import { invoicedOrder } from './invoiced.ts';
import { costing, dueWith } from './rated.ts';

const input = {
  customer: { id: 5, paymentTerms: null, purchaseOrder: null },
  tenantTerms: { value: 30, units: 'Days' },
  today: '2027-02-01',
} as const;

test('an invoice is the sum of its lines, and spans their days', (t) => {
  const february = dueWith({
    periodIndex: 1,
    from: '2027-02-01',
    to: '2027-02-28',
    dueOn: '2027-02-01',
  });
  const orders = [
    {
      order: invoicedOrder({}),
      charges: tax([costing('31.00'), costing('-1.00', { kind: 'discount' })], 'USD', []),
    },
    {
      order: invoicedOrder({ id: 8, plan: planWith({ contractCode: 'SILVER' }) }),
      charges: tax([costing('0.10', { kind: 'period', due: february })], 'USD', []),
    },
  ];
  const invoice = total({ orders, asked: null }, input);
  t.like(invoice, {
    customerId: 5,
    invoiceDate: '2027-02-01',
    dueDate: '2027-03-03',
    billingStartDate: '2027-01-01',
    billingEndDate: '2027-02-28',
    billingPeriod: null,
    currentAmountDue: '30.10',
  });
  t.deepEqual(
    invoice.lines.map(({ position, lineAmountTotal, billingStartDate }) =>
      [position, lineAmountTotal, billingStartDate].join(' '),
    ),
    ['1 30.00 2027-01-01', '2 0.10 2027-02-01'],
  );
  t.deepEqual(
    invoice.lines[0]?.charges.map(({ position, charge, chargeDate }) =>
      [position, charge.kind, chargeDate].join(' '),
    ),
    ['1 period 2027-02-01', '2 discount 2027-02-01'],
  );
});

test('a subtotal is in no sum, and a tax has no days', (t) => {
  const named = {
    name: 'VAT',
    percent: '10',
    taxCode: 'A',
    jurisdiction: 'US',
    exemptionReason: null,
  };
  const rate = { ...named, category: 'S' } as const;
  const vat = { kind: 'tax', rate, base: [], amount: '3.10' } as const;
  for (const charges of [
    [vat, costing('31.00'), costing('9.00', { kind: 'usageSubTotal' })],
    [costing('9.00', { kind: 'usageSubTotal' }), costing('31.00'), vat],
  ]) {
    const invoice = total({ orders: [{ order: invoicedOrder({}), charges }], asked: null }, input);
    t.like(invoice, {
      billingStartDate: '2027-01-01',
      billingEndDate: '2027-01-31',
      currentAmountDue: '34.10',
    });
  }
});

test('an invoice pays itself if one of its orders does', (t) => {
  const paysItself = (...flags: readonly boolean[]) => {
    const orders = flags.map((isAutoPay) => ({
      order: invoicedOrder({ isAutoPay }),
      charges: [costing('1.00')],
    }));
    return total({ orders, asked: null }, input).isAutoPay;
  };
  t.deepEqual(
    [paysItself(false), paysItself(true), paysItself(false, true), paysItself(false, false)],
    [false, true, true, false],
  );
});

test('an invoice may come to zero or less', (t) => {
  for (const amount of ['0.00', '-4.00']) {
    const charges = tax([costing(amount, { kind: 'credit' })], 'USD', []);
    const orders = [{ order: invoicedOrder({}), charges }];
    t.is(total({ orders, asked: null }, input).currentAmountDue, amount);
  }
});
