/**
 * Whatever changes of a customer and of a tenant's file: a document that was issued stays the same,
 * byte for byte, but for its status and its settlements.
 */
import test from 'ava';
import { ublDocument } from '../../domain/invoices/ubl.ts';
import { invoicePage, type InvoicePage } from '../../domain/invoices/page.ts';
import { receiptPage } from '../../domain/self-service/receipt.ts';
import { messages } from '../../messages/messages.ts';
import { tenantInfo } from '../../operations/context/context.ts';
import { noContactFields, type ContactFields } from '../../operations/customers/contact-input.ts';
import type { CustomerInput } from '../../operations/customers/save.ts';
import { createCustomer, updateCustomer } from '../../operations/customers/write.ts';
import { readDocumentSource, readFrozenParties } from '../../operations/invoices/page-source.ts';
import { giveUbl } from '../../operations/invoices/ubl.ts';
import { readAccountPayment } from '../../operations/self-service/payments.ts';
import { invoiceHtml } from '../../providers/invoice-documents/html.ts';
import { drawInvoice, drawReceipt } from '../../providers/invoice-documents/pdf/drawing.ts';
import { ublXml } from '../../providers/invoice-documents/ubl.ts';
import { sharedDatabase } from '../operations/support/books.ts';
import { openPaymentBooks, type PaymentBooks } from '../operations/support/payment-books.ts';
import { prorated, recurring } from '../operations/support/plans.ts';
import { pngOf, uriOf } from '../providers/invoice-documents/pictures.ts';
import { costly, fc, runs } from '../support/random.ts';
import { makeTenant } from '../support/tenants.ts';

const db = await sharedDatabase();

const address = { street1: 'Ring 1', city: 'Wien', zip: '1010', countryCode: 'AT' };
const file = {
  address,
  taxId: 'ATU13585627',
  electronicAddress: '9915:seller',
  bankAccount: { iban: 'AT611904300234573201' },
  logo: uriOf(pngOf(2, 2)),
  documents: { cancellation: 'document' },
};
const plans = [recurring('P', 31, prorated)];

const word = fc.constantFrom('Ada', 'Müller & Sons', '東京', 'x'.repeat(40));

/** Of the customer, of its contact, or of the tenant's file. */
type Change =
  | { readonly customer: CustomerInput }
  | { readonly contact: ContactFields }
  | { readonly file: Readonly<Record<string, unknown>> };

const changes: fc.Arbitrary<Change> = fc.oneof(
  fc
    .record({
      name: word,
      extCustomerRef: fc.constantFrom('C1', 'C2', null),
      locale: fc.constantFrom('de_DE', 'ar_EG', 'bn_BD', null),
      taxId: fc.constantFrom('ATU00000000', null),
      electronicAddress: fc.constantFrom('9915:other', null),
      buyerReference: fc.constantFrom('R-1', null),
      purchaseOrder: fc.constantFrom('PO-2', null),
    })
    .map((customer) => ({ customer })),
  fc
    .record({
      firstName: word,
      companyName: fc.option(word),
      street1: fc.option(word),
      countryCode: fc.constantFrom('DE', 'JP', null),
    })
    .map((contact) => ({ contact })),
  fc
    .record({
      name: word,
      address: fc.constantFrom({}, { city: 'Rome', countryCode: 'IT' }).map((its) => ({
        ...address,
        ...its,
      })),
      taxId: fc.constantFrom('ATU13585627', 'DE123456789'),
      contact: fc.constantFrom({ name: 'Bo' }, { email: 'bo@example.com' }),
      bankAccount: fc.constantFrom({ note: 'in cash' }, { iban: 'DE89370400440532013000' }),
      logo: fc.constantFrom(uriOf(pngOf(3, 3)), uriOf(pngOf(2, 2))),
      electronicAddress: fc.constantFrom('9915:new', '9930:DE123456789'),
    })
    .map((its) => ({ file: its })),
);

async function carryOut(books: PaymentBooks, customerId: number, change: Change): Promise<void> {
  if ('file' in change) {
    await makeTenant(books.dependencies, {
      label: books.label,
      currency: 'EUR',
      plans,
      file: { ...file, ...change.file },
    });
    return;
  }
  const fields = 'customer' in change ? change.customer : {};
  const contacts = 'contact' in change ? { billing: change.contact } : {};
  await books.work((context) => updateCustomer(context, { id: customerId }, fields, contacts));
}

interface Issued {
  readonly invoiceId: number;
  /** Another invoice, which is cancelled. */
  readonly cancelledId: number;
  readonly paymentId: number;
  readonly customerId: number;
}

/** An invoice of 31.00, of which 10.00 are paid, and one that is cancelled. */
async function issue(books: PaymentBooks): Promise<Issued> {
  const customerId = await books.work((context) =>
    createCustomer(
      context,
      { name: 'Käufer', extCustomerRef: 'C1', electronicAddress: '9915:buyer', locale: 'de_AT' },
      { billing: { ...noContactFields, ...address, firstName: 'Ada' }, sales: null },
    ),
  );
  const now = { generateInvoice: true };
  await books.order({ customerId, contractCode: 'P' }, now);
  await books.order({ customerId, contractCode: 'P' }, now);
  await books.cancelInvoice(1002);
  const [row, cancelled] = await books.read((tx) =>
    tx.query<{ id: number }>('select id from invoice where customer_id = $1 order by id', [
      customerId,
    ]),
  );
  const paymentId = await books.paid({ customerId, amount: '10' });
  return { invoiceId: row?.id ?? 0, cancelledId: cancelled?.id ?? 0, paymentId, customerId };
}

async function pageOf(
  books: PaymentBooks,
  id: number,
  document?: 'cancellation',
): Promise<InvoicePage> {
  const tenant = await tenantInfo(books.dependencies, books.tenantId);
  const source = await books.read((tx) =>
    readDocumentSource(tx, tenant, { address: { id }, document }),
  );
  if (source === undefined) throw new Error(`there is no invoice ${id}`);
  return invoicePage(source, messages);
}

async function ublOf(books: PaymentBooks, id: number, document?: 'cancellation'): Promise<string> {
  const tenant = await tenantInfo(books.dependencies, books.tenantId);
  const ubl = await giveUbl(books.dependencies, tenant, { address: { id }, document });
  if (ubl === undefined) throw new Error(`there is no invoice ${id}`);
  return ublXml(ublDocument(ubl));
}

/**
 * All that was issued: the PDF of the invoice, of the cancellation and of the receipt, and what is
 * electronic of the former two.
 */
async function documentsOf(books: PaymentBooks, issued: Issued): Promise<readonly string[]> {
  const { invoiceId, cancelledId, paymentId, customerId } = issued;
  const receipt = await books.read(async (tx) => {
    const payment = await readAccountPayment(tx, { customerId, id: paymentId });
    if (payment === undefined) throw new Error(`there is no payment ${paymentId}`);
    return { payment, ...(await readFrozenParties(tx, { id: paymentId }, 'payment')) };
  });
  const lane = String(books.tenantId);
  const cancellation = await pageOf(books, cancelledId, 'cancellation');
  const drawn = [
    await drawInvoice(await pageOf(books, invoiceId), lane),
    await drawInvoice(cancellation, lane),
    await drawReceipt(receiptPage(receipt, messages), lane),
  ];
  return [
    ...drawn.map((pdf) => pdf.toString('base64')),
    invoiceHtml(cancellation),
    await ublOf(books, invoiceId),
    await ublOf(books, cancelledId, 'cancellation'),
  ];
}

/** Without what a payment changes. */
const lasting = ({ stamp: _stamp, summary: _summary, ...page }: InvoicePage) => page;

test('no change of a customer or of a tenant file changes a document that was issued', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(changes, { minLength: 1, maxLength: 4 }), async (all) => {
      const books = await openPaymentBooks(db, {
        today: '2027-01-15',
        currency: 'EUR',
        plans,
        file,
      });
      const issued = await issue(books);
      const before = await documentsOf(books, issued);
      for (const change of all) {
        await carryOut(books, issued.customerId, change);
        t.deepEqual(await documentsOf(books, issued), before);
      }
      const page = await pageOf(books, issued.invoiceId);
      await books.paid({ customerId: issued.customerId, amount: '21' });
      const paid = await pageOf(books, issued.invoiceId);
      t.is(paid.stamp?.kind, 'paid');
      t.deepEqual(lasting(paid), lasting(page));
    }),
    { numRuns: runs(1), ...costly },
  );
});
