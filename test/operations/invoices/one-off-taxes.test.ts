/** Invoices by hand are taxed as those of a run: by the table, or by a tax provider. */
import test from 'ava';
import type { ManualInvoiceInput } from '../../../domain/invoices/by-hand.ts';
import { withTaxes } from '../../../operations/billing/asking.ts';
import { createInvoice } from '../../../operations/invoices/create.ts';
import { openAvatax } from '../../support/avatax.ts';
import { openBooks, sharedDatabase, type Books } from '../support/books.ts';
import { prepaid, recurring } from '../support/plans.ts';
import { openTaxShop } from '../tax-records/shop.ts';

const db = await sharedDatabase();

const rates = [
  { country: 'US', state: 'NY', percent: '8.875', taxCode: 'STANDARD', name: 'NY sales tax' },
  { country: 'US', state: 'NY', percent: '1', taxCode: 'CITY', name: 'City tax' },
];
const charge = { chargeType: 'OneTimeCharge', pricingType: 'FixedPricing', price: 60 };
const withVisit = (contractCode: string, taxCodes: readonly string[]) => {
  const plan = recurring(contractCode, 10, prepaid);
  return { ...plan, charges: [...plan.charges, { ...charge, priceCode: 'VISIT', taxCodes }] };
};
const newYorker = { address: { countryCode: 'US', state: 'NY' } };

interface Opened {
  readonly tax?: object;
  readonly plans?: readonly ReturnType<typeof recurring>[];
}

async function open({ tax = {}, plans = [withVisit('ONE', ['STANDARD'])] }: Opened = {}) {
  const file = { tax: { type: 'table', rates, ...tax } };
  const books = await openBooks(db, { today: '2027-01-15', plans, file });
  return { books, customerId: await books.customer(newYorker) };
}

const visit = { priceCode: 'VISIT', unitPrice: '60.00', quantity: '1.5' };
const invoiceOf = (...charges: readonly object[]): ManualInvoiceInput => ({
  invoiceLineItems: [{ invoiceLineItemCharges: charges }],
});

/** `97.99: VISIT 90.00, TAX 7.99`, of the last invoice. */
async function lastOf(books: Books): Promise<string | undefined> {
  const text = (await books.invoices()).at(-1);
  return text?.replace(/^.* (\S+): /, '$1: ');
}

test('a visit of 90.00 in New York is 97.99, in a state without a rate 90.00', async (t) => {
  const { books, customerId } = await open();
  await books.manualInvoice(customerId, invoiceOf(visit));
  t.is(await lastOf(books), '97.99: VISIT 90.00, TAX 7.99');
  const elsewhere = await books.customer({ address: { countryCode: 'US', state: 'OR' } });
  await books.manualInvoice(elsewhere, invoiceOf(visit));
  t.is(await lastOf(books), '90.00: VISIT 90.00');
  t.deepEqual((await books.audit()).faults, []);
});

test('a charge is taxed by the codes that it names; an empty list is none', async (t) => {
  const { books, customerId } = await open();
  const city = { priceCode: 'WORK', amount: '50.00', taxCodes: ['CITY'] };
  await books.manualInvoice(customerId, invoiceOf({ ...visit, taxCodes: [] }, city));
  t.is(await lastOf(books), '140.50: VISIT 90.00, WORK 50.00, TAX 0.50');
  t.deepEqual((await books.audit()).faults, []);
});

test('without codes those of the order’s plan hold, else those on which the newest plans agree', async (t) => {
  const plans = [withVisit('ONE', ['STANDARD']), withVisit('TWO', ['CITY'])];
  const { books, customerId } = await open({ plans });
  await books.order({ customerId, contractCode: 'TWO', startDate: '2027-06-01' });
  await books.manualInvoice(customerId, invoiceOf(visit));
  t.is(await lastOf(books), '90.00: VISIT 90.00');
  const [line] = invoiceOf(visit).invoiceLineItems ?? [];
  const ofOrder = { invoiceLineItems: [{ ...line, enterpriseSubscription: '1001' }] };
  await books.manualInvoice(customerId, ofOrder);
  t.is(await lastOf(books), '90.90: VISIT 90.00, TAX 0.90');
  t.deepEqual((await books.audit()).faults, []);
});

test('the call, the file, and a charge TAX in the body decide whether taxes are added', async (t) => {
  const { books, customerId } = await open({ tax: { oneOffInvoices: false } });
  const made = async (input: ManualInvoiceInput, calcTax: boolean | null) => {
    await books.work((its) => createInvoice(its, { id: customerId }, input, { calcTax }));
    return lastOf(books);
  };
  t.is(await made(invoiceOf(visit), null), '90.00: VISIT 90.00');
  t.is(await made(invoiceOf(visit), true), '97.99: VISIT 90.00, TAX 7.99');
  const own = { priceCode: 'TAX', invoiceText: 'Their tax', amount: '8.00' };
  t.is(await made(invoiceOf(visit, own), true), '98.00: VISIT 90.00, TAX 8.00');
  const { books: taxing, customerId: other } = await open();
  await taxing.work((its) =>
    createInvoice(its, { id: other }, invoiceOf(visit), { calcTax: false }),
  );
  t.is(await lastOf(taxing), '90.00: VISIT 90.00');
  t.deepEqual((await books.audit()).faults, []);
});

test('the audit finds a tax by hand that is of other charges, or of another amount', async (t) => {
  const { books, customerId } = await open();
  await books.manualInvoice(customerId, invoiceOf(visit, { priceCode: 'FREE', amount: '5.00' }));
  const found = async (column: string, value: string) => {
    await books.work(({ tx }) =>
      tx.query(`update invoice_charge set ${column} = ${value} where kind = 'tax'`),
    );
    return (await books.audit()).faults.map(({ check }) => check);
  };
  t.true((await found('base_positions', `'{1,2}'`)).includes('tax.base'));
  await found('base_positions', `'{1}'`);
  t.deepEqual((await books.audit()).faults, []);
  t.true((await found('unit_price', '9')).includes('tax.amount'));
});

test('a provider is asked before an invoice by hand is made, told of it, and told of its cancellation', async (t) => {
  const { double, provider } = await openAvatax(t);
  const shop = await openTaxShop(db, provider);
  const customerId = await shop.customer();
  const work = { priceCode: 'WORK', amount: '36.00', taxCodes: ['STANDARD'] };
  const make = () => shop.books.manualInvoice(customerId, invoiceOf(work));
  await t.throwsAsync(make, { name: 'UnansweredTaxes' });
  await shop.asked(make);
  t.is(await lastOf(shop.books), '39.20: WORK 36.00, TAX 1.44, TAX 1.62, TAX 0.14');
  t.is(double.calls.get('create'), 1);
  t.like(await shop.pass(), { recorded: 1, open: 0 });
  t.deepEqual(await shop.records(), ['1001 recorded 1 36 3.2 of 36 3.2']);
  await shop.books.cancelInvoice(1001);
  t.like(await shop.pass(), { voided: 1, open: 0 });
  t.is([...double.records.values()][0]?.status, 'Cancelled');
  t.deepEqual(await shop.faults(), []);
});

test('a negative charge is taxed by a provider too', async (t) => {
  const { provider } = await openAvatax(t);
  const shop = await openTaxShop(db, provider);
  const customerId = await shop.customer();
  const back = { priceCode: 'BACK', amount: '-36.00', taxCodes: ['STANDARD'] };
  await withTaxes(shop.books.dependencies, shop.books.tenantId, () =>
    shop.books.manualInvoice(customerId, invoiceOf(back)),
  );
  t.is(await lastOf(shop.books), '-39.20: BACK -36.00, TAX -1.44, TAX -1.62, TAX -0.14');
  t.like(await shop.pass(), { recorded: 1, open: 0 });
  t.deepEqual(await shop.records(), ['1001 recorded 1 -36 -3.2 of -36 -3.2']);
  t.deepEqual(await shop.faults(), []);
});
