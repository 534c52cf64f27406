/** What each kind of charge refers to. */
import test from 'ava';
import type { InvoiceCharge } from '../../../domain/billing/charges.ts';
import type { ChargeKind } from '../../../domain/billing/kinds.ts';
import { referencesOf, type ChargeReferences } from '../../../domain/billing/references.ts';
import { chargeWith, lineWith } from '../fixtures.ts';
import { dueWith } from './rated.ts';

const line = lineWith({ id: 50, charge: chargeWith({ id: 100 }) });
const due = dueWith({ line });
const days = { from: '2027-01-01', to: '2027-01-31', dueOn: '2027-02-01' };
const window = { line, periodIndex: 0, ofPeriod: 0, ...days };
const part = { tierId: 3, quantity: '2', unitPrice: '5.00', amount: '10.00' };
const fee: InvoiceCharge = { kind: 'period', due, ...part };
const base = [fee];
const percentage = { due, tierId: 3, quantity: '1', percent: '20', base, amount: '2.00' };
const rate = {
  name: 'VAT',
  percent: '20',
  taxCode: 'STANDARD',
  category: 'S',
  exemptionReason: null,
  jurisdiction: 'US/NY',
} as const;
const coupon = { id: 9, code: 'LESS', percent: null };
const less = { kind: 'discount', coupon, periodIndex: 0, amount: '-1.00' } as const;
const credits = {
  chargeId: 4711,
  orderLineId: 50,
  priceCode: null,
  accountingCode: null,
  invoiceText: null,
  discount: null,
  taxCode: null,
  isTax: false,
};

const none: ChargeReferences = {
  orderLineId: null,
  chargeId: null,
  tierId: null,
  due: null,
  window: null,
  base: null,
  couponId: null,
  rate: null,
};
const ofLine = { ...none, orderLineId: 50, chargeId: 100 };
const ofDue = { ...ofLine, tierId: 3, due };

const table: Readonly<Record<ChargeKind, readonly (readonly [InvoiceCharge, ChargeReferences])[]>> =
  {
    period: [[fee, ofDue]],
    oneTime: [[{ kind: 'oneTime', due, ...part }, ofDue]],
    penalty: [[{ kind: 'penalty', due, ...part }, ofDue]],
    percent: [
      [
        { kind: 'percent', ...percentage },
        { ...ofDue, base },
      ],
    ],
    tax: [
      [{ kind: 'tax', due, ...part }, ofDue],
      [
        { kind: 'tax', ...percentage },
        { ...ofDue, base },
      ],
      [
        { kind: 'tax', rate, base, amount: '2.00' },
        { ...none, base, rate },
      ],
    ],
    usage: [
      [
        { kind: 'usage', window, isPercent: false, ...part },
        { ...ofLine, window, tierId: 3 },
      ],
    ],
    usageSubTotal: [
      [
        { kind: 'usageSubTotal', window, quantity: '2', amount: '10', percent: null, shared: null },
        { ...ofLine, window },
      ],
    ],
    discount: [
      [
        { ...less, discounts: due },
        { ...none, orderLineId: 50, due, couponId: 9 },
      ],
      [
        { ...less, discounts: window },
        { ...none, orderLineId: 50, window, couponId: 9 },
      ],
    ],
    credit: [
      [
        { kind: 'credit', credits, from: '2027-01-20', to: '2027-01-31', amount: '-3.00' },
        { ...none, orderLineId: 50 },
      ],
    ],
    manual: [
      [
        {
          kind: 'manual',
          priceCode: null,
          invoiceText: null,
          isPercent: false,
          unitPrice: null,
          quantity: null,
          amount: '1.00',
          taxCodes: [],
        },
        none,
      ],
    ],
  };

test('a charge refers to what it bills, discounts, taxes or credits', (t) => {
  for (const [kind, rows] of Object.entries(table)) {
    for (const [charge, references] of rows) t.deepEqual(referencesOf(charge), references, kind);
  }
});
