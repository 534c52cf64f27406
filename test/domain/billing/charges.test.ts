/** What sees a charge of each kind, and what is known of it. */
import test from 'ava';
import {
  dueOnOf,
  givesBack,
  planChargeOf,
  taxCodeOf,
  type InvoiceCharge,
  type ManualCharge,
  type RateTaxCharge,
} from '../../../domain/billing/charges.ts';
import {
  isDiscounted,
  isDueBySchedule,
  isTaxPercentage,
  kindOf,
  type ChargeKind,
} from '../../../domain/billing/kinds.ts';
import { isInBase } from '../../../domain/billing/rate/percent.ts';
import { isTaxed } from '../../../domain/billing/rate/tax.ts';
import { chargeWith, lineWith } from '../fixtures.ts';
import { costing, dueWith, percentage, percentOfOthers } from './rated.ts';

test('percentages, taxes of the plan, coupons and rates see charges by their kind', (t) => {
  const table: Readonly<Record<ChargeKind, string>> = {
    period: 'percentage plan-tax coupon rate',
    oneTime: 'percentage plan-tax coupon rate',
    usage: 'percentage plan-tax coupon rate',
    percent: 'plan-tax coupon rate',
    penalty: 'percentage plan-tax rate',
    discount: 'plan-tax rate',
    usageSubTotal: '',
    credit: '',
    tax: '',
    manual: 'rate',
  };
  for (const [kind, expected] of Object.entries(table) as [ChargeKind, string][]) {
    const sees = [
      ['percentage', isInBase('percent', kind)],
      ['plan-tax', isInBase('tax', kind)],
      ['coupon', isDiscounted(kind)],
      ['rate', isTaxed(kind)],
    ] as const;
    t.true(sees.every(([, does]) => typeof does === 'boolean'));
    const names = sees.filter(([, does]) => does).map(([name]) => name);
    t.is(names.join(' '), expected, kind);
  }
});

const charge = chargeWith({ taxCodes: ['STANDARD', 'CITY'] });
const due = dueWith({ line: lineWith({ charge }), dueOn: '2027-01-05' });
const rate = {
  name: 'VAT',
  percent: '20',
  taxCode: 'REDUCED',
  category: 'S',
  exemptionReason: null,
  jurisdiction: 'US/NY',
} as const;
const rateTax: RateTaxCharge = { kind: 'tax', rate, base: [], amount: '1.00' };
const percent: InvoiceCharge = { ...percentOfOthers('10'), due, base: [], amount: '3.10' };
const manual: ManualCharge = {
  kind: 'manual',
  priceCode: null,
  invoiceText: null,
  isPercent: false,
  unitPrice: null,
  quantity: null,
  amount: '1.00',
  taxCodes: [],
};
const credit = costing('-1.00', { kind: 'credit', due });
const ofPlan = [
  ...(['period', 'oneTime', 'penalty', 'usage', 'usageSubTotal', 'discount'] as const).map((kind) =>
    costing('1.00', { kind, due }),
  ),
  percent,
];

test('what is of a charge of the plan knows it, its day and its first tax code', (t) => {
  for (const each of ofPlan) {
    t.is(planChargeOf(each), charge, each.kind);
    t.is(dueOnOf(each), '2027-01-05', each.kind);
    t.is(taxCodeOf(each), 'STANDARD', each.kind);
  }
  const planTax = costing('1.00', { kind: 'tax', due });
  t.is(planChargeOf(planTax), charge);
  for (const each of [rateTax, manual, credit]) t.is(planChargeOf(each), null, each.kind);
  // A percentage sees none of these, so it never asks for their days.
  for (const each of [rateTax, manual, credit, planTax]) {
    t.throws(() => dueOnOf(each), { message: /no percentage sees/ });
  }
});

test('a tax by rate has its own code, taxes of the plan and charges without codes have none', (t) => {
  const codeWith = (changes: Parameters<typeof chargeWith>[0]) =>
    taxCodeOf(
      costing('1.00', {
        kind: 'period',
        due: dueWith({ line: lineWith({ charge: chargeWith(changes) }) }),
      }),
    );
  t.is(taxCodeOf(rateTax), 'REDUCED');
  t.is(codeWith({ taxCodes: ['STANDARD'], isTax: true }), null);
  t.is(codeWith({ taxCodes: [] }), null);
  t.is(taxCodeOf(credit), null);
  t.is(taxCodeOf(manual), null);
});

test('credits give back of earlier invoices, and so does usage that corrects some', (t) => {
  for (const each of [...ofPlan, rateTax, manual]) t.false(givesBack(each), each.kind);
  t.true(givesBack(credit));
  const usage = costing('-1.00', { kind: 'usage', due });
  if (usage.kind !== 'usage') return t.fail();
  const corrected = { chargeId: 11, amount: '1.00', supplied: '0' };
  t.false(givesBack({ ...usage, corrects: [] }));
  t.true(givesBack({ ...usage, corrects: [corrected] }));
  if (credit.kind !== 'credit') return t.fail();
  t.is(planChargeOf({ ...credit, corrects: charge }), charge);
});

test('usage and penalties are not due by the periods of their order', (t) => {
  t.true(isDueBySchedule(chargeWith()));
  t.true(isDueBySchedule(chargeWith({ chargeType: 'OneTimeCharge' })));
  t.false(isDueBySchedule(chargeWith({ chargeType: 'UsageCharge' })));
  t.false(isDueBySchedule(chargeWith({ isPenalty: true })));
});

test('a tax in percent is one by its price, and not each tax', (t) => {
  t.true(isTaxPercentage(percentage('20', { isTax: true })));
  t.false(isTaxPercentage(percentage('20')));
  t.false(isTaxPercentage(chargeWith({ isTax: true })));
  t.false(isTaxPercentage(chargeWith()));
  t.is(kindOf(percentage('20', { isTax: true })), 'tax');
});
