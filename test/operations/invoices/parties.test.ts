/** What an invoice's document says of its parties: what held when it was made. */
import test from 'ava';
import { updateCustomer } from '../../../operations/customers/write.ts';
import { invoicePage } from '../../../domain/invoices/page.ts';
import { messages } from '../../../messages/messages.ts';
import { tenantInfo } from '../../../operations/context/context.ts';
import { nextInvoices } from '../../../operations/invoices/next.ts';
import { readInvoiceSource } from '../../../operations/invoices/page-source.ts';
import { listInvoices, readInvoice } from '../../../operations/invoices/read.ts';
import { oldPartiesPass } from '../../../operations/processes/old-parties.ts';
import { freezeTenant } from '../../../db/queries/parties/parties.ts';
import type { InvoicePreview } from '../../../domain/invoices/preview.ts';
import { type Books, openBooks, sharedDatabase } from '../support/books.ts';
import { prorated, recurring } from '../support/plans.ts';

const db = await sharedDatabase();

/** `A customer / 1 Main St / .. from Demo / ..` as the document of the invoice has it. */
async function parties(books: Books, id: number): Promise<string> {
  const tenant = await tenantInfo(books.dependencies, books.tenantId);
  const source = await books.read((tx) => readInvoiceSource(tx, tenant, { id }));
  if (source === undefined) throw new Error(`there is no invoice ${id}`);
  const { recipient, sender, locale } = invoicePage(source, messages);
  const text = ({ name, lines }: typeof recipient) => [name, ...lines].join(' / ');
  return `${text(recipient)} from ${text(sender)} in ${locale} with ${sender.logo}`;
}

const write = (books: Books, sql: string, values: readonly unknown[] = []) =>
  books.work(({ tx }) => tx.query(sql, [tx.tenantId, ...values]));

/** Returns the invoice's id. */
const bill = (books: Books, customerId: number) =>
  books.manualInvoice(customerId, {
    invoiceLineItems: [{ invoiceLineItemCharges: [{ invoiceText: 'An hour', amount: '50' }] }],
  });

/** `A customer, 1 Main St`: whom it bills. */
const billed = ({ billTo }: Pick<InvoicePreview, 'billTo'>) =>
  `${billTo?.name}, ${billTo?.address?.street1}`;

/** The versions of a customer that its invoices name, in their order. */
const versions = (books: Books, customerId: number) =>
  books.read(async (tx) =>
    (
      await tx.query<{ version: number }>(
        `select dense_rank() over (order by customer_party_id)::int as version from invoice
         where customer_id = $1 order by id`,
        [customerId],
      )
    ).map(({ version }) => version),
  );

async function moved(books: Books): Promise<number> {
  const customerId = await books.customer({ address: { countryCode: 'US', state: 'NY' } });
  await write(
    books,
    `update contact set street1 = '1 Main St', city = 'Albany' where tenant_id = $1 and customer_id = $2`,
    [customerId],
  );
  return customerId;
}

const move = (books: Books, customerId: number, street: string) =>
  write(books, 'update contact set street1 = $3 where tenant_id = $1 and customer_id = $2', [
    customerId,
    street,
  ]);

test('an invoice says for ever where its customer lived, and what it was called', async (t) => {
  const books = await openBooks(db, { today: '2027-01-15' });
  const customerId = await moved(books);
  const first = await bill(books, customerId);
  const before = await parties(books, first);
  t.regex(before, /^A customer \/ 1 Main St \/ Albany, NY \/ United States from /);
  await move(books, customerId, '2 Side St');
  await write(
    books,
    `update customer set name = 'Ada Byron', locale = 'de_DE', tax_id = 'DE1' where tenant_id = $1 and id = $2`,
    [customerId],
  );
  const second = await bill(books, customerId);
  t.is(await parties(books, first), before);
  t.regex(await parties(books, second), /^Ada Byron \/ 2 Side St \/.* in de-DE /);
});

test('invoices between two moves name one version, and a customer who moves back its first', async (t) => {
  const books = await openBooks(db, { today: '2027-01-15' });
  const customerId = await moved(books);
  await bill(books, customerId);
  await bill(books, customerId);
  await move(books, customerId, '2 Side St');
  await bill(books, customerId);
  await move(books, customerId, '1 Main St');
  await bill(books, customerId);
  // What no document shows makes no version.
  await write(
    books,
    `update contact set work_phone = '1' where tenant_id = $1 and customer_id = $2`,
    [customerId],
  );
  await bill(books, customerId);
  t.deepEqual(await versions(books, customerId), [1, 1, 2, 1, 1]);
});

test('a customer who loses its contact, or gets one, is shown as it was by earlier invoices', async (t) => {
  const books = await openBooks(db, { today: '2027-01-15' });
  const customerId = await moved(books);
  const first = await bill(books, customerId);
  await write(books, 'delete from contact where tenant_id = $1 and customer_id = $2', [customerId]);
  const second = await bill(books, customerId);
  await write(
    books,
    `insert into contact (tenant_id, customer_id, kind, city) values ($1, $2, 'billing', 'Rome')`,
    [customerId],
  );
  const third = await bill(books, customerId);
  t.regex(
    await parties(books, first),
    /^A customer \/ 1 Main St \/ Albany, NY \/ United States from /,
  );
  t.regex(await parties(books, second), /^A customer from /);
  t.regex(await parties(books, third), /^A customer \/ Rome from /);
});

test('an invoice says for ever what its tenant was called, with its logo of then', async (t) => {
  const books = await openBooks(db, { today: '2027-01-15' });
  const customerId = await books.customer();
  const changeFile = (name: string, logo: string) =>
    books.work(async ({ tx }) => {
      await tx.query(
        `update tenant set name = $2, file = file || jsonb_build_object('logo', $3::text) where id = $1`,
        [tx.tenantId, name, logo],
      );
      await freezeTenant(tx);
    });
  await changeFile('Old & Sons', 'data:image/png;base64,AAAA');
  const first = await bill(books, customerId);
  await changeFile('New Ltd', 'data:image/png;base64,BBBB');
  const second = await bill(books, customerId);
  await changeFile('Old & Sons', 'data:image/png;base64,AAAA');
  t.regex(await parties(books, first), / from Old & Sons.* with data:image\/png;base64,AAAA$/);
  t.regex(await parties(books, second), / from New Ltd.* with data:image\/png;base64,BBBB$/);
  const [{ logos } = { logos: 0 }] = await books.read((tx) =>
    tx.query<{ logos: number }>('select count(*)::int as logos from logo where tenant_id = $1', [
      tx.tenantId,
    ]),
  );
  t.is(logos, 2);
});

test('billTo of an invoice, also in a list, is of its making, that of a preview of today', async (t) => {
  const books = await openBooks(db, { today: '2027-01-15', plans: [recurring('P', 31, prorated)] });
  const customerId = await moved(books);
  await write(
    books,
    `update customer set ext_customer_ref = 'ADA-1', tax_id = 'DE1' where tenant_id = $1 and id = $2`,
    [customerId],
  );
  await books.order({ customerId, contractCode: 'P' }, { generateInvoice: true });
  await move(books, customerId, '2 Side St');
  const tenant = await tenantInfo(books.dependencies, books.tenantId);
  const open = { from: null, before: null };
  const of = { customerId, extCustomerRef: null, creditNoteOf: null, isCreditNote: null };
  const page = { offset: 0, max: 10, ...of };
  const filter = { ...page, status: null, created: open, updated: open };
  const { rows, view } = await books.read((tx) => listInvoices(tx, tenant, filter));
  const [listed] = rows.map(view);
  t.deepEqual(listed?.billTo, {
    name: 'A customer',
    address: {
      street1: '1 Main St',
      street2: null,
      city: 'Albany',
      state: 'NY',
      zip: null,
      country: null,
      countryCode: 'US',
    },
    taxId: 'DE1',
    extCustomerRef: 'ADA-1',
  });
  const read = await books.read((tx) => readInvoice(tx, tenant, { id: listed?.id ?? 0 }));
  t.deepEqual(read?.billTo, listed?.billTo);
  const [next] = await nextInvoices(books.dependencies, tenant, { id: customerId }, null);
  t.is(next && billed(next), 'A customer, 2 Side St');
});

test('an invoice keeps the locale that its parties had, however locales are resolved later', async (t) => {
  const books = await openBooks(db, { today: '2027-01-15' });
  const customerId = await books.customer();
  const localize = (locale: string | null) =>
    books.work((context) => updateCustomer(context, { id: customerId }, { locale }, {}));
  await localize('de_AT');
  const austrian = await bill(books, customerId);
  await localize(null);
  const none = await bill(books, customerId);
  const kept = await books.read((tx) =>
    tx.query<{ customer: string | null; tenant: string | null }>(
      `select p.content->>'documentLocale' as customer, s.content->>'documentLocale' as tenant
       from invoice i join party p on p.tenant_id = i.tenant_id and p.id = i.customer_party_id
       join party s on s.tenant_id = i.tenant_id and s.id = i.tenant_party_id
       where i.id = any($1) order by i.id`,
      [[austrian, none]],
    ),
  );
  t.deepEqual(kept, [
    { customer: 'de-AT', tenant: null },
    { customer: null, tenant: null },
  ]);
  t.regex(await parties(books, austrian), / in de-AT /);
  t.regex(await parties(books, none), / in en-US /);
});

test('the locales of customers of before are resolved by a pass, also those that nobody knows', async (t) => {
  const books = await openBooks(db, { today: '2027-01-15' });
  const ids = [await books.customer(), await books.customer()];
  await write(
    books,
    `update customer set locale = case id when $2 then 'fr_CA' else 'xx_YY' end where tenant_id = $1`,
    [ids[0]],
  );
  await oldPartiesPass({
    dependencies: books.dependencies,
    relayDb: db.relay,
    onError: (error) => t.fail(String(error)),
  });
  const resolved = await books.read((tx) =>
    tx.query<{ documentLocale: string }>('select document_locale from customer order by id'),
  );
  t.deepEqual(
    resolved.map(({ documentLocale }) => documentLocale),
    ['fr-CA', 'und'],
  );
});

test('an invoice of before shows its parties of today until a pass has kept them, and then for ever', async (t) => {
  const books = await openBooks(db, { today: '2027-01-15' });
  const customerId = await moved(books);
  const id = await bill(books, customerId);
  await write(
    books,
    'update invoice set customer_party_id = null, tenant_party_id = null where tenant_id = $1 and id = $2',
    [id],
  );
  await move(books, customerId, '2 Side St');
  t.regex(await parties(books, id), /2 Side St/);
  await oldPartiesPass({
    dependencies: books.dependencies,
    relayDb: db.relay,
    onError: (error) => t.fail(String(error)),
  });
  await move(books, customerId, '3 High St');
  t.regex(await parties(books, id), /2 Side St/);
  t.deepEqual((await books.audit()).faults, []);
});
