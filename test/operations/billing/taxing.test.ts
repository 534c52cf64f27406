/** Invoices that a provider taxes: made with its answer, and never without. */
import test from 'ava';
import { inTenant } from '../../../db/connection/tenancy.ts';
import { askTaxes } from '../../../operations/billing/tax-answers.ts';
import { newYork, openAvatax, portland } from '../../support/avatax.ts';
import { avataxFile, gold, newYorker } from '../support/avatax-tenant.ts';
import { openBooks, sharedDatabase } from '../support/books.ts';
import { UnansweredTaxes } from '../../../domain/billing/rate/provider-tax.ts';

const db = await sharedDatabase();

/**
 * A tenant whose file names AvaTax, and a customer in New York with an order of 36.00 a month, whose
 * address is not as the provider is asked.
 */
async function openShop() {
  const books = await openBooks(db, { today: '2027-01-15', plans: [gold], file: avataxFile() });
  const unkempt = { street1: ' 350 5th Ave ', street2: '', countryCode: 'us' };
  const customerId = await newYorker(books, unkempt);
  const orderId = await books.order({ customerId, contractCode: 'GOLD' });
  return { books, tenantId: books.tenantId, customerId, orderId };
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
