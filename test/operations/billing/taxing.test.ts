/** Invoices that a provider taxes: made with its answer, and never without. */
import test from 'ava';
import { inTenant } from '../../../db/connection/tenancy.ts';
import { askTaxes } from '../../../operations/billing/tax-answers.ts';
import { UnansweredTaxes } from '../../../operations/billing/taxing.ts';
import { newYork, openAvatax, portland } from '../../support/avatax.ts';
import { openBooks, sharedDatabase } from '../support/books.ts';
import { prepaid, recurring } from '../support/plans.ts';

const db = await sharedDatabase();

/** A tenant whose file names AvaTax, and a customer in New York with an order of 36.00 a month. */
async function openShop() {
  const books = await openBooks(db, {
    today: '2027-01-15',
    plans: [recurring('GOLD', 36, { ...prepaid, taxCodes: ['STANDARD'] })],
    file: { address: { ...portland, street2: undefined } },
  });
  const { tenantId } = books;
  const customerId = await books.customer({ address: { countryCode: 'us', state: 'NY' } });
  const orderId = await books.order({ customerId, contractCode: 'GOLD' });
  await books.work(async ({ tx }) => {
    const tax = { type: 'avatax' };
    await tx.query(`update tenant set file = jsonb_set(file, '{tax}', $2) where id = $1`, [
      tenantId,
      JSON.stringify(tax),
    ]);
    await tx.query(
      `update contact set street1 = ' 350 5th Ave ', city = 'New York', zip = '10118', street2 = ''
       where tenant_id = $1`,
      [tenantId],
    );
  });
  // The tenant's settings are read once a second.
  books.later(2_000);
  return { books, tenantId, customerId, orderId };
}

test('an invoice is made with the answer of the provider, and not before it', async (t) => {
  const { provider } = await openAvatax(t);
  const { books, tenantId, customerId, orderId } = await openShop();
  const refusal = await t.throwsAsync(books.generate(orderId), { instanceOf: UnansweredTaxes });
  t.deepEqual(await books.invoices(), []);
  const documents = refusal?.documents ?? [];
  t.deepEqual(documents, [
    {
      customerId,
      invoiceDate: '2027-01-15',
      currency: 'USD',
      shipFrom: portland,
      shipTo: newYork,
      lines: [{ number: '1', amount: '36.00', taxCode: 'STANDARD', priceCode: 'GOLD' }],
    },
  ]);
  t.deepEqual(await askTaxes(db.app, { tenantId, provider }, documents), []);
  await books.generate(orderId);
  // 36.00, its 4%, its 4.5%, and its 0.375%, which is 0.135
  const [invoice = '', ...others] = await books.invoices();
  t.deepEqual(others, []);
  t.regex(invoice, / 39\.20: /);
  for (const amount of ['36.00', '1.44', '1.62', '0.14']) t.true(invoice.includes(` ${amount}`));
});

test('an answer to another address is none: the customer moved meanwhile', async (t) => {
  const { books, tenantId, orderId } = await openShop();
  const refusal = await t.throwsAsync(books.generate(orderId), { instanceOf: UnansweredTaxes });
  const answer = [{ number: '1', taxes: [] }];
  const calculate = () => Promise.resolve(answer);
  const none = () => Promise.reject(new Error('not called'));
  const provider = { calculate, record: none, void: none, resolve: none };
  await askTaxes(db.app, { tenantId, provider }, refusal?.documents ?? []);
  await inTenant(db.app, tenantId, (tx) => tx.query(`update contact set zip = '10001'`));
  const again = await t.throwsAsync(books.generate(orderId), { instanceOf: UnansweredTaxes });
  t.is(again?.documents[0]?.shipTo.zip, '10001');
  t.deepEqual(await books.invoices(), []);
});
