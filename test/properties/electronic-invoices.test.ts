/**
 * Whatever is billed in five countries, its electronic invoice is valid by the official rules: fees,
 * usage and its corrections, coupons, changes of orders, charges of several rates and of none. So is
 * that of the cancellation of what can be cancelled.
 */
import test from 'ava';
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import { missingOf } from '../../domain/invoices/ubl-missing.ts';
import { ublDocument } from '../../domain/invoices/ubl.ts';
import { tenantInfo } from '../../operations/context/context.ts';
import { noContactFields } from '../../operations/customers/contact-input.ts';
import { createCustomer } from '../../operations/customers/write.ts';
import { makeUbl } from '../../operations/invoices/ubl.ts';
import { ublXml } from '../../providers/invoice-documents/ubl.ts';
import { type Books, openBooks, sharedDatabase } from '../operations/support/books.ts';
import { upload } from '../operations/support/uploads.ts';
import { costly, fc, runs } from '../support/random.ts';
import { faultsOfUbl } from '../support/ubl/rules.ts';
import { addressIn, buyerIn, countries, senderIn, type Country } from '../support/ubl/samples.ts';

const CASES = runs(2, 120);

const db = await sharedDatabase();

const recurring = { chargeType: 'RecurringCharge', pricingType: 'FixedPricing', isPrepaid: true };
const planOf = (contractCode: string, price: number) => ({
  contractCode,
  name: `Plan ${contractCode}`,
  billingPeriod: 'Monthly',
  charges: [
    {
      ...recurring,
      priceCode: `FEE-${contractCode}`,
      price,
      isProrated: true,
      taxCodes: ['STANDARD'],
    },
    {
      priceCode: `SETUP-${contractCode}`,
      chargeType: 'OneTimeCharge',
      pricingType: 'FixedPricing',
      price: 49,
      taxCodes: ['REDUCED'],
    },
    { ...recurring, priceCode: `DUES-${contractCode}`, price: 3.5 },
    {
      priceCode: `UNITS-${contractCode}`,
      chargeType: 'UsageCharge',
      pricingType: 'FixedPricing',
      price: 0.0345,
      taxCodes: ['STANDARD'],
    },
  ],
});
const plans = [planOf('SMALL', 29.95), planOf('LARGE', 77.1)];
const coupons = [
  { code: 'TEN', percent: 10 },
  { code: 'FIVE', amount: 5 },
];
const rates = countries.flatMap((country) => [
  { country, percent: 21, taxCode: 'STANDARD', name: 'VAT' },
  { country, percent: 5.5, taxCode: 'REDUCED', name: 'VAT reduced' },
]);

const documents = { cancellation: 'document' };

interface Story {
  readonly seller: Country;
  readonly buyer: Country;
  readonly untaxed: object | undefined;
  readonly contractCode: 'SMALL' | 'LARGE';
  readonly couponCode: string | undefined;
  readonly purchaseOrder: string | null;
  readonly notes: string | null;
  readonly used: number;
  readonly changeOn: IsoDate | null;
}

const stories: fc.Arbitrary<Story> = fc.record({
  seller: fc.constantFrom(...countries),
  buyer: fc.constantFrom(...countries),
  untaxed: fc.constantFrom(undefined, { category: 'E', exemptionReason: 'Dues of members' }),
  contractCode: fc.constantFrom('SMALL', 'LARGE'),
  couponCode: fc.constantFrom(undefined, 'TEN', 'FIVE'),
  purchaseOrder: fc.constantFrom(null, 'PO <1>'),
  notes: fc.constantFrom(null, 'First line\nsecond line'),
  used: fc.integer({ min: 0, max: 5000 }),
  changeOn: fc.constantFrom(null, '2027-01-28', '2027-02-05'),
});

/** Returns the books after two months. */
async function lived(story: Story): Promise<Books> {
  const { name, address, taxId, electronicAddress, contact, bankAccount } = senderIn(story.seller);
  const seller = { name, taxId, electronicAddress, contact, bankAccount };
  const known = Object.entries(address ?? {}).filter(([, text]) => text !== null);
  const tax = { type: 'table', rates, ...(story.untaxed && { untaxed: story.untaxed }) };
  const books = await openBooks(db, {
    today: '2027-01-15',
    currency: 'EUR',
    plans,
    file: { ...seller, address: Object.fromEntries(known), tax, coupons, documents },
  });
  const buyer = buyerIn(story.buyer);
  const customerId = await books.work((context) =>
    createCustomer(
      context,
      {
        name: buyer.name,
        extCustomerRef: 'ADA-1',
        taxId: buyer.taxId,
        electronicAddress: buyer.electronicAddress ?? null,
        purchaseOrder: story.purchaseOrder,
      },
      {
        billing: { ...noContactFields, ...addressIn(story.buyer), firstName: 'Bo' },
        sales: null,
      },
    ),
  );
  const { contractCode, couponCode, notes } = story;
  const order = { customerId, contractCode, ...(couponCode && { couponCode }) };
  const id = await books.order({ ...order, invoiceNotes: notes }, { generateInvoice: true });
  await books.advance('2027-01-20');
  if (story.used > 0) {
    const record = { orderId: id, chargeDate: '2027-01-18', quantity: String(story.used) } as const;
    await upload(books, [{ ...record, extRefId: 'A' }]);
  }
  if (story.changeOn !== null) {
    await books.advance(story.changeOn);
    const other = contractCode === 'SMALL' ? 'LARGE' : 'SMALL';
    await books.change(id, { contractCode: other }, { bills: true });
  }
  await books.advance('2027-02-20');
  if (story.used > 0 && story.changeOn === null) {
    // Given back on the next invoice.
    const chargeDate = '2027-02-18';
    await upload(books, [{ orderId: id, chargeDate, quantity: '-1', correctsExtRefId: 'A' }]);
  }
  await books.advance('2027-03-20');
  return books;
}

/** Cancels what can be cancelled, and returns its ids. */
async function cancelAll(books: Books): Promise<number[]> {
  const rows = await books.read((tx) =>
    tx.query<{ id: number; number: string }>(
      `select id, invoice_number as number from invoice where status = 'Outstanding' order by id`,
    ),
  );
  const outcomes = await Promise.allSettled(rows.map(({ number }) => books.cancelInvoice(number)));
  return rows.flatMap(({ id }, index) => (outcomes[index]?.status === 'fulfilled' ? [id] : []));
}

test('electronic invoices of whatever was billed in five countries, and of its cancellations, are valid', async (t) => {
  await fc.assert(
    fc.asyncProperty(stories, async (story) => {
      const books = await lived(story);
      const tenant = await tenantInfo(books.dependencies, books.tenantId);
      const check = async (id: number, document?: 'cancellation'): Promise<void> => {
        const made = await books.work(({ tx }) =>
          makeUbl(tx, tenant, { address: { id }, document }),
        );
        if (made === undefined || 'missing' in made) {
          t.fail(made?.missing.map(({ message }) => message).join('\n'));
          return;
        }
        t.deepEqual(missingOf(made.source), []);
        t.deepEqual(faultsOfUbl(ublXml(ublDocument(made.source))), [], JSON.stringify(story));
      };
      const invoices = await books.read((tx) =>
        tx.query<{ id: number }>('select id from invoice order by id'),
      );
      t.true(invoices.length >= 3);
      for (const { id } of invoices) await check(id);
      const cancelled = await cancelAll(books);
      t.true(cancelled.length > 0);
      for (const id of cancelled) await check(id, 'cancellation');
    }),
    { numRuns: CASES, ...costly },
  );
});
