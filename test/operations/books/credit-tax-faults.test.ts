/** Breaks what credits give back of taxes, and expects the audit to report it. */
import test from 'ava';
import { creditTaxChecks } from '../../../operations/books/checks/taxes.ts';
import { openAvatax } from '../../support/avatax.ts';
import { openBooks, sharedDatabase, type Books } from '../support/books.ts';
import { prorated, recurring } from '../support/plans.ts';
import { openTaxShop } from '../tax-records/shop.ts';
import { corrupt, own, unguarded } from './corrupt.ts';

const db = await sharedDatabase();

type Made = Pick<Books, 'audit' | 'db' | 'tenantId'>;

/**
 * Order 1001 of 31.00 and 20 percent was replaced by 1002 on 2027-01-11: of 6.20 go 4.20 back, which
 * the new order bears again.
 */
async function planTax(): Promise<Made> {
  const monthly = { chargeType: 'RecurringCharge', pricingType: 'FixedPricing', isPrepaid: true };
  const vat = { priceCode: 'VAT', ...monthly, isTax: true, tiers: [{ unitsFrom: 0, percent: 20 }] };
  const plan = recurring('P', 31, prorated);
  const plans = [{ ...plan, charges: [...plan.charges, vat] }];
  const books = await openBooks(db, { today: '2027-01-01', plans });
  const order = { customerId: await books.customer(), contractCode: 'P' };
  const id = await books.order(order, { generateInvoice: true });
  await books.advance('2027-01-11');
  await books.change(id, order, { bills: true });
  return books;
}

/** Order 1001 of 31.00, of which 80 percent is taxable with 2.20 of tax, was cancelled: 1.49 go back. */
async function returned(t: Parameters<typeof openAvatax>[0]): Promise<Made> {
  const { double, provider } = await openAvatax(t);
  double.tax({ taxable: 0.8 });
  const file = { settings: { creditUnusedOnCancel: true } };
  const shop = await openTaxShop(db, provider, { file });
  const order = { customerId: await shop.customer(), contractCode: 'SILVER' };
  const id = await shop.asked(() => shop.books.order(order, { generateInvoice: true }));
  shop.books.jump('2027-01-24');
  await shop.books.put(id, { orderStatus: 'Canceled' });
  await shop.pass();
  return shop.books;
}

const creditsOf = (changes: string, which: string): string[] =>
  unguarded(`update charge_credit set ${changes} where ${own} and invoice_charge_id in (
    select id from invoice_charge where ${own} and ${which})`);

const breaks: readonly {
  readonly rule: string;
  readonly make: (t: Parameters<typeof openAvatax>[0]) => Promise<Made>;
  readonly statements: readonly string[];
  readonly found: string;
}[] = [
  {
    rule: 'a tax of the plan that goes back by another amount than its base says',
    make: planTax,
    statements: creditsOf('amount = 4.19', `price_code = 'VAT'`),
    found: 'credit.tax: invoice 1001: VAT at 2 of line 1 is credited 4.19, by its base 4.2',
  },
  {
    rule: 'a tax of the plan that a change gave back, and that begins a period later',
    make: planTax,
    statements: [
      `update order_line set starts_on = '2027-02-01' where ${own}
        and charge_id in (select id from plan_charge where ${own} and price_code = 'VAT')
        and order_id = (select id from subscription_order where ${own} and order_number = 1002)`,
    ],
    found:
      'change.tax: order 1002: VAT begins on 2027-02-01, but the change gave it back on ' +
      'invoice 1002, and charges begin on 2027-01-11',
  },
  {
    rule: 'a tax of a provider that goes back by its rate, and not by its base',
    make: returned,
    statements: creditsOf('amount = 0.59', `invoice_text = 'NY STATE TAX'`),
    found: 'credit.tax: invoice 1001: TAX at 2 of line 1 is credited 0.59, by its base 0.6706',
  },
  {
    rule: 'a return of another sum than the credit',
    make: returned,
    statements: [
      `update tax_record set expected_tax = -1.48 where ${own} and payment_id is not null`,
    ],
    found: 'gives back 1.49 of the tax of invoice 1001, the tax provider is told 1.48',
  },
  {
    rule: 'a credit of which the provider was not told',
    make: returned,
    statements: [`delete from tax_record where ${own} and payment_id is not null`],
    found: 'gives back 1.49 of the tax of invoice 1001, the tax provider is told nothing',
  },
  {
    rule: 'a return that the provider has with other sums',
    make: returned,
    statements: [
      `update tax_record set recorded_tax = -1.48 where ${own} and payment_id is not null`,
    ],
    found: 'tax.recorded: return of invoice 1001: the tax provider has -21 and -1.48 of tax',
  },
];

for (const { rule, make, statements, found } of breaks) {
  test(`the audit finds ${rule}`, async (t) => {
    const books = await make(t);
    t.deepEqual((await books.audit()).faults, []);
    await corrupt(books, statements);
    const faults = (await books.audit()).faults.map(
      ({ check, object, detail }) => `${check}: ${object}: ${detail}`,
    );
    t.true(
      faults.some((fault) => fault.includes(found)),
      `${found} in ${JSON.stringify(faults)}`,
    );
  });
}

test('these faults break every rule of taxes that go back', (t) => {
  const names = ['credit.tax', 'change.tax', 'tax.returned'];
  t.deepEqual(
    creditTaxChecks.map(({ name }) => name),
    names,
  );
});
