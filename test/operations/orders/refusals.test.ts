/** Refused orders: the element is named, nothing is stored, no number is used. */

import test from 'ava';
import { demoPlan } from '../../support/tenants.ts';
import type { DomainErrorCode } from '../../../domain/errors.ts';
import type { OrderInput } from '../../../domain/orders/input.ts';
import { openBooks, sharedDatabase } from '../support/books.ts';
import { prepaid, recurring } from '../support/plans.ts';
import { refused } from '../support/refused.ts';

const db = await sharedDatabase();

const at = (element: string) => `subscriptionOrder/${element}`;
const lineAt = (element: string) => at(`orderLineItems/orderLineItem[1]/${element}`);
const lines = (line: object) => ({ orderLineItems: [line] });
const closed = { pricingType: 'TieredPricing', price: undefined };
const until10 = { ...closed, tiers: [{ unitsFrom: 0, unitsTo: 10, price: 1 }] };

const refusals: readonly [
  rule: string,
  order: OrderInput,
  code: DomainErrorCode,
  path: string | null,
][] = [
  ['no plan', {}, 'field.required', at('contractCode')],
  ['an unknown plan', { contractCode: 'NO' }, 'plan.unknown', at('contractCode')],
  ['an unknown plan id', { contractOfferingId: 7 }, 'plan.unknown', at('contractOffering/@id')],
  ['a plan that has ended', { contractCode: 'OLD' }, 'plan.retired', at('contractCode')],
  ['a plan that is not open yet', { contractCode: 'NEW' }, 'plan.retired', at('contractCode')],
  [
    'an end before the start',
    { contractCode: 'GOLD', startDate: '2027-02-01', endDate: '2027-01-31' },
    'field.invalid',
    at('endDate'),
  ],
  [
    'a currency that is none',
    { contractCode: 'GOLD', currency: 'XXZ' },
    'field.invalid',
    at('currency/@id'),
  ],
  ['no price in a currency', { contractCode: 'GOLD', currency: 'EUR' }, 'order.priceMissing', null],
  [
    'an unknown price code',
    { contractCode: 'GOLD', ...lines({ priceCode: 'NO' }) },
    'priceCode.unknown',
    lineAt('priceCode'),
  ],
  [
    'a line that names no charge',
    { contractCode: 'GOLD', ...lines({ quantity: '1' }) },
    'field.required',
    lineAt('priceCode'),
  ],
  [
    'too small a quantity',
    { contractCode: 'GOLD', ...lines({ priceCode: 'GOLD-FEE', quantity: '0' }) },
    'quantity.outOfRange',
    lineAt('quantity'),
  ],
  [
    'too large a quantity',
    { contractCode: 'GOLD', ...lines({ priceCode: 'GOLD-FEE', quantity: '101' }) },
    'quantity.outOfRange',
    lineAt('quantity'),
  ],
  [
    'a quantity above the last tier',
    { contractCode: 'TIERS', ...lines({ priceCode: 'TIERS', quantity: '10.5' }) },
    'quantity.outOfRange',
    lineAt('quantity'),
  ],
  [
    'no agreed price',
    { contractCode: 'ANNUAL', ...lines({ priceCode: 'SUPPORT' }) },
    'order.unitPriceMissing',
    lineAt('unitPrice'),
  ],
  [
    'a price that the plan fixes',
    { contractCode: 'GOLD', ...lines({ priceCode: 'GOLD-FEE', unitPrice: '1' }) },
    'field.invalid',
    lineAt('unitPrice'),
  ],
  [
    'a jobCode that is missing',
    { contractCode: 'GOLD', separateInvoice: 2 },
    'field.required',
    at('jobCode'),
  ],
  [
    'a separateInvoice of 3',
    { contractCode: 'GOLD', separateInvoice: 3 },
    'field.invalid',
    at('separateInvoice'),
  ],
  [
    'Provisioning without a future',
    { contractCode: 'GOLD', orderStatus: 'Provisioning' },
    'field.invalid',
    at('orderStatus'),
  ],
  [
    'Suspended from the start',
    { contractCode: 'GOLD', orderStatus: 'Suspended' },
    'field.invalid',
    at('orderStatus'),
  ],
  [
    'more than 1,000 elapsed periods',
    { contractCode: 'DAILY', startDate: '2024-04-20' },
    'order.tooManyPeriods',
    at('startDate'),
  ],
];

test('a wrong order names its element, stores nothing and uses no number', async (t) => {
  const daily = { billingPeriod: 'Daily' };
  const plans = [
    demoPlan('GOLD'),
    demoPlan('ANNUAL'),
    recurring('DAILY', 1, prepaid, daily),
    recurring('TIERS', 0, until10),
    recurring('OLD', 1, prepaid, { endDate: '2027-01-14' }),
    recurring('NEW', 1, prepaid, { startDate: '2027-01-16' }),
  ];
  const books = await openBooks(db, { today: '2027-01-15', plans });
  const customerId = await books.customer();
  for (const [rule, order, code, path] of refusals) {
    t.log(rule);
    const how = { generateInvoice: true };
    await refused(t, books.order({ customerId, ...order }, how), code, path);
  }
  const gold = { contractCode: 'GOLD' };
  await refused(t, books.order(gold), 'field.required', at('customer'));
  await refused(t, books.order({ ...gold, customerId: 4711 }), 'customer.unknown');
  await refused(t, books.order(gold, { extCustomerRef: 'nobody' }), 'customer.unknown');
  await books.customer({ ref: 'other' });
  const both = books.order({ ...gold, customerId }, { extCustomerRef: 'other' });
  await refused(t, both, 'field.invalid', at('customer/@id'));
  const inactive = await books.customer({ status: 'InActive1' });
  await refused(t, books.order({ ...gold, customerId: inactive }), 'customer.inactive');
  const draft = { ...gold, customerId, orderStatus: 'Draft' } as const;
  await refused(t, books.order(draft, { generateInvoice: true }), 'order.notBillable');
  await refused(t, books.order(draft, { forceInvoiceGeneration: true }), 'order.notBillable');
  const counts = await books.read((tx) =>
    tx.query(
      `select (select count(*) from subscription_order) as orders,
              (select count(*) from order_line) as lines,
              (select count(*) from invoice) as invoices,
              (select count(*) from outbox where kind = 'order') as nudges`,
    ),
  );
  t.deepEqual(counts, [{ orders: 0, lines: 0, invoices: 0, nudges: 0 }]);
  t.deepEqual(await books.counters(), { order: 1001, invoice: 1001 });
});
