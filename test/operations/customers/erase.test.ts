/** The erasure of a customer that has used everything: what is left of it, and what stays as it was. */
import test from 'ava';
import type { Tx } from '../../../db/connection/tenancy.ts';
import { erasing, remains } from '../../../db/queries/customers/personal.ts';
import { erasureChecks } from '../../../operations/books/checks/customers.ts';
import { DomainErrors } from '../../../domain/errors.ts';
import { invoicePage } from '../../../domain/invoices/page.ts';
import { messages } from '../../../messages/messages.ts';
import { tenantInfo } from '../../../operations/context/context.ts';
import { eraseCustomer } from '../../../operations/customers/erase.ts';
import { readInvoiceSource } from '../../../operations/invoices/page-source.ts';
import { everyRow } from '../../../operations/ledger/read.ts';
import { AGAIN_MINUTES, removalsPass } from '../../../operations/payment-methods/removals.ts';
import { removeActivity } from '../../../operations/usage/remove.ts';
import { invoiceHtml } from '../../../providers/invoice-documents/html.ts';
import { noContactFields } from '../../../operations/customers/contact-input.ts';
import { createCustomer } from '../../../operations/customers/write.ts';
import { cash, openPaymentBooks, type PaymentBooks } from '../support/payment-books.ts';
import { prepaid, recurring } from '../support/plans.ts';
import { sharedDatabase, type Books } from '../support/books.ts';
import { type WholeCustomer, mark, marksIn, openWholeCustomer } from '../support/whole-customer.ts';

const db = await sharedDatabase();

const erase = (books: Pick<Books, 'work'>, id: number) =>
  books.work((context) => eraseCustomer(context, { id }));

/** Everything that the law keeps: the ledger, balances, statuses, and invoices as they are drawn. */
async function figuresOf({ books, id }: WholeCustomer) {
  const tenant = await tenantInfo(books.dependencies, books.tenantId);
  return books.read(async (tx) => {
    const all = { from: null, to: null, account: null, accountingCode: null, entryType: null };
    const more = { invoiceNumber: null, paymentId: null, currency: null, extCustomerRef: null };
    const query = { after: null, max: 0, ...all, ...more, customerId: id };
    const ledger = (await Array.fromAsync(everyRow(tx, query))).flat();
    const invoices = await tx.query<{ id: number }>(
      'select id from invoice where customer_id = $1 order by id',
      [id],
    );
    const drawn: string[] = [];
    for (const invoice of invoices) {
      const source = await readInvoiceSource(tx, tenant, { id: invoice.id });
      if (source !== undefined) drawn.push(invoiceHtml(invoicePage(source, messages)));
    }
    return {
      ledger: ledger.map(({ extCustomerRef: _today, cursor: _place, ...row }) => row),
      drawn,
      rows: await sums(tx),
    };
  });
}

const sums = (tx: Tx) =>
  tx.query(
    `select 'payment' as kind, id, status, amount::text, currency from payment
     union all select 'invoice', id, status, current_amount_due::text, currency from invoice
     union all select 'order', id, status, order_number::text, currency from subscription_order
     union all select 'record', id, charge_date::text, quantity::text, '' from activity
     union all select 'balance', customer_id, '', balance::text, currency from customer_balance
     order by 1, 2`,
  );

const erasureFaults = (books: Books) =>
  books.read(async (tx) => {
    const [check] = erasureChecks;
    const rows = await tx.query<{ detail: string }>(check?.sql ?? '', [tx.tenantId]);
    return rows.map(({ detail }) => detail);
  });

test('of an erased customer nothing is left but documents and what goes by itself; figures stay', async (t) => {
  const whole = await openWholeCustomer(db);
  const { books, id } = whole;
  const marked = await mark(db, whole);
  const names = (...said: readonly string[]): string[] =>
    marked
      .filter((each) => said.includes(each.said))
      .map(({ table, column }) => `${table}.${column}`)
      .toSorted();
  const copies = ['contact.email_key', 'metadata_entry.key', 'metadata_entry.value'];
  const allMarks = names(
    'emptied',
    'blanked',
    'renamed',
    'deleted',
    'vaulted',
    'frozen',
    'passing',
  );
  t.deepEqual(await marksIn(db, books.tenantId), [...allMarks, ...copies].toSorted());
  const before = await figuresOf(whole);
  // The marks of orders and of their invoices differ.
  const faults = async () =>
    (await books.faults()).filter(({ check }) => check !== 'metadata.copy');
  const faultsBefore = await faults();
  const { rows, methods, isRepeated } = await erase(books, id);
  t.false(isRepeated);
  t.is(methods, 3);
  // Every statement of the erasure has found something.
  t.deepEqual([...rows.keys()].toSorted(), erasing.map(({ table }) => table).toSorted());
  t.deepEqual(await marksIn(db, books.tenantId), names('frozen', 'passing', 'vaulted'));
  t.deepEqual(await figuresOf(whole), before);
  t.deepEqual(await erasureFaults(books), []);
  t.deepEqual(await faults(), faultsBefore);
  const [customer] = await books.read((tx) =>
    tx.query(
      `select name, ext_customer_ref, search_text, erased_on::text,
         (select count(*)::int from self_service_session where ended_at is null) as sessions,
         (select count(*)::int from password_reset where used_at is null) as resets,
         (select count(*)::int from login_guess) as guesses
       from customer where id = $1`,
      [id],
    ),
  );
  const called = `erased-${id}`;
  t.deepEqual(customer, {
    name: called,
    extCustomerRef: called,
    searchText: called,
    erasedOn: books.today(),
    sessions: 0,
    resets: 0,
    guesses: 0,
  });
  const again = await erase(books, id);
  t.deepEqual(again, { customerId: id, isRepeated: true, rows: new Map(), methods: 0 });
  t.is(
    (await books.read((tx) => tx.query(`select from event where type = 'customer.erased'`))).length,
    1,
  );
  const [record] = await books.read((tx) => tx.query<{ id: number }>('select id from activity'));
  const removing = books.work((context) => removeActivity(context, { id: record?.id ?? 0 }));
  await t.throwsAsync(removing, { code: 'customer.erased' });
  await breaks(t, whole);
});

/** The audit names each table in which somebody enters something again. */
async function breaks(
  t: { readonly deepEqual: (one: unknown, other: unknown) => unknown },
  whole: WholeCustomer,
): Promise<void> {
  const { books } = whole;
  // The rows that went are needed to be filled again.
  const deleted = new Set([
    'event_document',
    'login_network',
    'password_to_hash',
    'card_decline',
    'asked_card',
  ]);
  for (const { table } of remains) {
    if (deleted.has(table)) continue;
    const found = await broken(whole, table);
    t.deepEqual(found, [`${table} has something of it`]);
  }
  t.deepEqual(await erasureFaults(books), []);
}

/** What the audit finds while one column of the table is filled again. */
async function broken({ books, id }: WholeCustomer, table: string): Promise<string[]> {
  const column: Readonly<Record<string, string>> = {
    customer: 'tax_id',
    contact: 'first_name',
    idempotency_key: 'body',
    signup: 'email',
    signup_try: 'network',
    self_service_session: 'login_url',
    self_service_payment: 'network',
    mail: 'address',
    subscription_order: 'notes',
    order_line: 'invoice_text',
    payment_method: 'brand',
    payment: 'notes',
    invoice: 'metadata',
    activity: 'ext_ref_id',
    processor_result: 'error_message',
    gateway_finding: 'closed_reason',
    collection_attempt: 'reason',
    dunning: 'held_reason',
    dunning_note: 'reason',
  };
  const name = column[table];
  if (name === undefined) throw new Error(`say which column of ${table} is filled`);
  const value = name === 'metadata' ? `'{"a": "b"}'` : `'again'`;
  const client = await db.owner.connect();
  try {
    await client.query('begin');
    await client.query("select set_config('app.tenant', $1, true)", [String(books.tenantId)]);
    await client.query(
      `update ${table} set ${name} = ${value} where ctid = (
         select ctid from ${table} where tenant_id = $1 ${table === 'signup' ? 'and customer_id is not null' : ''}
           ${table === 'signup_try' ? 'and signup_id in (select id from signup where customer_id is not null)' : ''}
         order by 1 limit 1)`,
      [books.tenantId],
    );
    const [check] = erasureChecks;
    const { rows } = await client.query<{ object: string; detail: string }>(check?.sql ?? '', [
      books.tenantId,
    ]);
    return rows.filter(({ object }) => object === `customer ${id}`).map(({ detail }) => detail);
  } finally {
    await client.query('rollback');
    client.release();
  }
}

/* Why a customer is not erased. */

async function shop(): Promise<{ readonly books: PaymentBooks; readonly id: number }> {
  const books = await openPaymentBooks(db, {
    today: '2027-01-15',
    plans: [recurring('P', 10, prepaid)],
  });
  const id = await books.work((context) =>
    createCustomer(
      context,
      { name: 'Ada', extCustomerRef: 'ADA', currency: 'USD' },
      {
        billing: { ...noContactFields, firstName: 'Ada', emailPrimary: 'ada@example.com' },
        sales: null,
      },
    ),
  );
  return { books, id };
}

async function reasonsOf(books: Pick<Books, 'work'>, id: number): Promise<string[]> {
  try {
    await erase(books, id);
    return [];
  } catch (error) {
    if (!(error instanceof DomainErrors)) throw error;
    return error.errors.map(({ code, path, message }) => `${code} ${path}: ${message}`);
  }
}

test('a customer that owes, is owed or is served something is not erased: an error for each reason', async (t) => {
  const { books, id } = await shop();
  await books.file(id, 1, { token: 'tok_1' });
  await books.order({ customerId: id, contractCode: 'P' }, { generateInvoice: true });
  books.gateway.onCharge('tok_1', 'accept');
  await books.pay({ customerId: id, amount: '3.00', method: { by: 'preference', preference: 1 } });
  await db.owner.query(
    `insert into payment_plan (tenant_id, customer_id, currency, charge_amount, charge_only_if_balance_owed,
       start_date, total_installments, frequency_value, frequency_units, created_at, updated_at)
     values ($1, $2, 'USD', 1, true, '2027-02-15', 1, 1, 'Months', now(), now())`,
    [books.tenantId, id],
  );
  await db.owner.query(
    `insert into signup (tenant_id, tracking, token_hash, status, success_url, fail_url, css_url,
       hide_customer_fields, hide_order_fields, display_amount, link_has_password, quantity,
       has_details, created_at, updated_at, expires_at, email)
     values ($1, 'tracked', sha256('x'), 'DRAFT', '', '', '', false, false, 'none', false, 1, true,
       now(), now(), now(), 'ADA@example.com')`,
    [books.tenantId],
  );
  const reasons = await reasonsOf(books, id);
  const [payment] = await books.read((tx) => tx.query<{ id: number }>('select id from payment'));
  const [plan] = await books.read((tx) => tx.query<{ id: number }>('select id from payment_plan'));
  const [order] = await books.read((tx) =>
    tx.query<{ number: number }>('select order_number as number from subscription_order'),
  );
  t.deepEqual(reasons, [
    `customer.notErasable order: an order has not ended, or has something to bill: ${order?.number}`,
    'customer.notErasable invoice: an invoice is open: 1001',
    'customer.notErasable balance: its balance in a currency is not zero: USD',
    `customer.notErasable payment: a payment is not final: ${payment?.id}`,
    `customer.notErasable paymentPlan: a payment plan is enabled: ${plan?.id}`,
    'customer.notErasable signup: a sign-up is under way: tracked',
  ]);
  const [row] = await books.read((tx) => tx.query('select name, erased_on from customer'));
  t.deepEqual(row, { name: 'Ada', erasedOn: null });
});

test('a name that the erased customer would get must be free', async (t) => {
  const { books, id } = await shop();
  await books.customer({ ref: `erased-${id}` });
  const error = await t.throwsAsync(() => erase(books, id));
  t.like(error, { code: 'customer.refTaken', value: `erased-${id}` });
});

/* Its methods. */

test('its methods are off file at once, and each gateway is asked until it has removed them', async (t) => {
  const { books, id } = await shop();
  const other = await books.customer();
  for (const token of ['tok_own', 'tok_shared']) {
    await books.file(id, token === 'tok_own' ? 1 : 2, { token });
  }
  await books.file(other, 1, { token: 'tok_shared' });
  await books.paid({ customerId: id, amount: '1.00', method: cash });
  await books.refunded({ customerId: id, amount: '1.00' });
  await erase(books, id);
  t.is(await books.filed(id), '');
  const asked: string[] = [];
  const failures: unknown[] = [];
  let isDown = true;
  const pass = () =>
    removalsPass({
      dependencies: books.dependencies,
      // Passes over all tenants find this one alone.
      relayDb: { pool: { query: async () => ({ rows: [{ id: books.tenantId }] }) } } as never,
      gateways: {
        named: async () =>
          ({
            async remove({ token }: { readonly token: string }) {
              asked.push(token);
              if (isDown) throw new Error('down');
            },
          }) as never,
      },
      onError: (error) => failures.push(error),
    });
  const left = () =>
    books.read((tx) =>
      tx.query(
        `select token, remove_at is null as is_done from payment_method where customer_id = $1
         order by id`,
        [id],
      ),
    );
  await pass();
  t.deepEqual(asked, ['tok_own']);
  t.is(failures.length, 1);
  // What another customer has on file, too, stays at the gateway, and is emptied here.
  t.deepEqual(await left(), [
    { token: 'tok_own', isDone: false },
    { token: '', isDone: true },
  ]);
  await pass();
  t.is(asked.length, 1, 'it is asked again after some time');
  isDown = false;
  await books.work(({ tx }) =>
    tx.query(`update payment_method set remove_at = remove_at - make_interval(mins => $1)`, [
      AGAIN_MINUTES,
    ]),
  );
  await pass();
  t.deepEqual(asked, ['tok_own', 'tok_own']);
  t.deepEqual(await left(), [
    { token: '', isDone: true },
    { token: '', isDone: true },
  ]);
});
