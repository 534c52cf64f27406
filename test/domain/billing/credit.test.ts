/** The credit of unused days as charges of a later invoice, worked out by hand. */
import test from 'ava';
import { creditCharges } from '../../../domain/billing/credit/unused.ts';
import type { InvoicedCharge } from '../../../domain/billing/credit/dependents.ts';
import { storedCharge } from './stored.ts';

const schedule = { billingPeriod: 'Monthly', anchor: '2027-01-15', alignmentDay: null } as const;
const view = { unusedFrom: '2027-02-01', schedule, pauses: [], currency: 'USD' };
const lineOf = (...charges: readonly InvoicedCharge[]) => ({
  invoicedOn: '2027-01-15',
  isProvided: false,
  charges,
});

const fee = storedCharge({ taxCode: 'STANDARD' });
const discount = storedCharge({
  id: 12,
  position: 2,
  kind: 'discount',
  isPercent: true,
  isRecurring: false,
  couponId: 9,
  priceCode: 'DISCOUNT',
  invoiceText: 'WELCOME',
  taxCode: 'STANDARD',
  unitPrice: '10',
  quantity: null,
  amount: '-3.10',
});
const tax = storedCharge({
  id: 13,
  position: 3,
  kind: 'tax',
  isPercent: true,
  isRecurring: false,
  priceCode: 'TAX',
  accountingCode: null,
  invoiceText: 'VAT',
  taxCode: 'STANDARD',
  orderLineId: null,
  basePositions: [1, 2],
  unitPrice: '10',
  quantity: null,
  amount: '2.79',
  billed: null,
});

test('each credit names its charge, its days, and the period of a discount', (t) => {
  // 14 of 31 days are unused: 14.00, 10 percent of it, and 10 percent of the 12.60 in all.
  const named = { orderLineId: 1, priceCode: 'FEE', accountingCode: '4020', invoiceText: 'Fee' };
  const days = { from: '2027-02-01', to: '2027-02-14' };
  t.deepEqual(creditCharges([lineOf(fee, discount, tax)], view), [
    {
      kind: 'credit',
      credits: { chargeId: 11, ...named, discount: null, taxCode: 'STANDARD', isTax: false },
      ...days,
      amount: '-14.00',
    },
    {
      kind: 'credit',
      credits: {
        chargeId: 12,
        ...named,
        priceCode: 'DISCOUNT',
        invoiceText: 'WELCOME',
        discount: { couponId: 9, periodIndex: 0 },
        taxCode: 'STANDARD',
        isTax: false,
      },
      ...days,
      amount: '1.40',
    },
    {
      kind: 'credit',
      credits: {
        chargeId: 13,
        orderLineId: null,
        priceCode: 'TAX',
        accountingCode: null,
        invoiceText: 'VAT',
        discount: null,
        taxCode: 'STANDARD',
        isTax: true,
      },
      ...days,
      amount: '-1.26',
    },
  ]);
});

test('a tax, which has no days, names those of all that goes back of its invoice', (t) => {
  const longer = storedCharge({
    id: 14,
    orderLineId: 2,
    billed: { from: '2027-01-20', to: '2027-02-19', periodId: 2, periodIndex: 0 },
  });
  const second = { ...fee, position: 2 };
  // Of 62.00 12.00 and 17.00 stand.
  const charges = creditCharges([lineOf(longer, second, { ...tax, amount: '6.20' })], view);
  t.deepEqual(
    charges.map(({ credits, from, to }) => `${credits.chargeId} ${from}..${to}`),
    ['14 2027-02-01..2027-02-19', '11 2027-02-01..2027-02-14', '13 2027-02-01..2027-02-19'],
  );
});

test('what was given back before is not given back again', (t) => {
  const amounts = (credited: string) =>
    creditCharges([lineOf({ ...fee, credited })], view).map(({ amount }) => amount);
  // 17.00 of 31.00 are to stand. 24.00 stand, 17.00, 16.00.
  t.deepEqual(amounts('7.00'), ['-7.00']);
  t.deepEqual(amounts('14.00'), []);
  t.deepEqual(amounts('15.00'), []);
});
