/** What an invoice shows of each kind of charge. */
import test from 'ava';
import type { InvoiceCharge } from '../../../domain/billing/charges.ts';
import type { ChargeKind } from '../../../domain/billing/kinds.ts';
import { shownCharge } from '../../../domain/billing/shown.ts';
import { chargeWith, lineWith } from '../fixtures.ts';
import { dueWith } from './rated.ts';

const charge = chargeWith({
  priceCode: 'FEE',
  invoiceText: 'Fee',
  accountingCode: '4000',
  unitOfMeasure: 'seat',
});
const due = dueWith({ line: lineWith({ charge }), from: '2027-01-15', to: '2027-01-31' });
const days = { from: '2027-01-01', to: '2027-01-31', dueOn: '' };
const window = { line: due.line, periodIndex: 0, ofPeriod: 0, ...days };
const part = { tierId: 1, quantity: '2', unitPrice: '5.00', amount: '10.00' };
const percentage = { due, tierId: 1, quantity: '1', percent: '20', base: [], amount: '2.00' };

/** `priceCode accountingCode text unit quantity x price days = amount`; `-` for null. */
function textOf(of: InvoiceCharge): string {
  const { priceCode, accountingCode, invoiceText, unitOfMeasure, ...shown } = shownCharge(of);
  const price = shown.isPercent ? `${shown.unitPrice}%` : (shown.unitPrice ?? '-');
  return [
    priceCode ?? '-',
    accountingCode ?? '-',
    invoiceText ?? '-',
    unitOfMeasure ?? '-',
    `${shown.quantity ?? '-'} x ${price}`,
    `${shown.billingStartDate ?? ''}..${shown.billingEndDate ?? ''}`,
    `= ${shown.amount}`,
  ].join(' ');
}

const table: Readonly<Record<ChargeKind, readonly (readonly [InvoiceCharge, string])[]>> = {
  period: [
    [{ kind: 'period', due, ...part }, 'FEE 4000 Fee seat 2 x 5.00 2027-01-15..2027-01-31 = 10.00'],
    [
      {
        kind: 'period',
        due: { ...due, line: { ...due.line, invoiceText: 'Own text' } },
        ...part,
      },
      'FEE 4000 Own text seat 2 x 5.00 2027-01-15..2027-01-31 = 10.00',
    ],
  ],
  oneTime: [
    [
      { kind: 'oneTime', due, ...part },
      'FEE 4000 Fee seat 2 x 5.00 2027-01-15..2027-01-31 = 10.00',
    ],
  ],
  penalty: [
    [
      { kind: 'penalty', due, ...part },
      'FEE 4000 Fee seat 2 x 5.00 2027-01-15..2027-01-31 = 10.00',
    ],
  ],
  percent: [
    [{ kind: 'percent', ...percentage }, 'FEE 4000 Fee seat 1 x 20% 2027-01-15..2027-01-31 = 2.00'],
  ],
  tax: [
    [{ kind: 'tax', ...percentage }, 'FEE 4000 Fee seat 1 x 20% 2027-01-15..2027-01-31 = 2.00'],
    [{ kind: 'tax', due, ...part }, 'FEE 4000 Fee seat 2 x 5.00 2027-01-15..2027-01-31 = 10.00'],
    [
      {
        kind: 'tax',
        rate: {
          name: 'NY sales tax',
          percent: '8.875',
          taxCode: 'STANDARD',
          category: 'S',
          exemptionReason: null,
          jurisdiction: 'US/NY',
        },
        base: [],
        amount: '2.39',
      },
      'TAX - NY sales tax - - x 8.875% .. = 2.39',
    ],
  ],
  usage: [
    [
      { kind: 'usage', window, isPercent: false, ...part },
      'FEE 4000 Fee seat 2 x 5.00 2027-01-01..2027-01-31 = 10.00',
    ],
    [
      { kind: 'usage', window, isPercent: true, ...part, unitPrice: '2.5', amount: '5.00' },
      'FEE 4000 Fee seat 2 x 2.5% 2027-01-01..2027-01-31 = 5.00',
    ],
  ],
  usageSubTotal: [
    [
      {
        kind: 'usageSubTotal',
        window,
        quantity: '180',
        amount: '16.40',
        percent: null,
        shared: null,
      },
      'FEE 4000 Fee seat 180 x - 2027-01-01..2027-01-31 = 16.40',
    ],
  ],
  discount: [
    [
      {
        kind: 'discount',
        coupon: { id: 3, code: 'WELCOME10', percent: '10' },
        discounts: due,
        periodIndex: 0,
        amount: '-3.00',
      },
      'DISCOUNT 4000 WELCOME10 - - x 10% 2027-01-15..2027-01-31 = -3.00',
    ],
    [
      {
        kind: 'discount',
        coupon: { id: 3, code: 'FIVE', percent: null },
        discounts: window,
        periodIndex: 0,
        amount: '-5.00',
      },
      'DISCOUNT 4000 FIVE - - x - 2027-01-01..2027-01-31 = -5.00',
    ],
  ],
  credit: [
    [
      {
        kind: 'credit',
        credits: {
          discount: null,
          chargeId: 9,
          orderLineId: 1,
          priceCode: 'FEE',
          accountingCode: '4000',
          invoiceText: 'Fee',
          taxCode: null,
          isTax: false,
        },
        from: '2027-02-01',
        to: '2027-02-14',
        amount: '-13.53',
      },
      'FEE 4000 Fee - - x - 2027-02-01..2027-02-14 = -13.53',
    ],
  ],
  manual: [
    [
      {
        kind: 'manual',
        priceCode: 'REPAIR',
        invoiceText: 'Repair',
        isPercent: false,
        unitPrice: '80.00',
        quantity: '1.5',
        amount: '120.00',
        taxCodes: [],
      },
      'REPAIR - Repair - 1.5 x 80.00 .. = 120.00',
    ],
  ],
};

for (const [kind, rows] of Object.entries(table)) {
  test(`a charge of kind ${kind} shows what it is of`, (t) => {
    for (const [of, text] of rows) {
      t.is(textOf(of), text);
      // What it does not have is null, not absent.
      t.is(Object.values(shownCharge(of)).filter((each) => each !== undefined).length, 10);
    }
  });
}
