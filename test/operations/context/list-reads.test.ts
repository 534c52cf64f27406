/** Filters of lists read what they select by an index, in a tenant with much history. */
import test from 'ava';
import { inTenant, type Tx } from '../../../db/connection/tenancy.ts';
import { fileOfOrders, listOrders } from '../../../operations/orders/read.ts';
import { listCustomers } from '../../../operations/customers/read.ts';
import { listInvoices } from '../../../operations/invoices/read.ts';
import { listPayments } from '../../../operations/payments/read.ts';
import { tenantInfo } from '../../../operations/context/context.ts';
import type { Place } from '../../../operations/context/lists.ts';
import type { Filters } from '../../../operations/context/list-filters.ts';
import { administer } from '../../support/template.ts';
import { openBooks, ownDatabase } from '../support/books.ts';
import { overheard, type Said } from '../support/overheard.ts';
import { prepaid, recurring } from '../support/plans.ts';
import { rowsReadOf } from '../support/plan-reading.ts';

const HISTORY = 10_000;
/** What a page of two may read of each table. */
const READ_MAX = 50;

const shared = await ownDatabase();
const books = await openBooks(shared, {
  today: '2027-01-15',
  plans: [recurring('P', 2.5, prepaid), recurring('RARE', 2.5, prepaid)],
});
const tenant = await tenantInfo(books.dependencies, books.tenantId);

/** Each customer has an order, a payment and an invoice of a day of its own, the newest of today. */
async function live(tx: Tx): Promise<void> {
  const day = `date '2027-01-15' - (${HISTORY} - n)`;
  await tx.query(
    `insert into customer (tenant_id, name, status, ext_customer_ref, currency, created_at, updated_at,
       metadata)
     select $1, 'C', 'Active', 'H' || n, 'USD', ${day}, now(),
       jsonb_build_object('crm', 'H' || n, 'channel', 'web')
     from generate_series(1, ${HISTORY}) n`,
    [tx.tenantId],
  );
  await tx.query(
    `insert into subscription_order (tenant_id, order_number, status, customer_id, plan_id, currency,
       start_date, term_start, is_auto_renew, anchor, separate_invoice, is_auto_pay, created_at,
       updated_at, metadata)
     select c.tenant_id, n + 5000, 'Canceled', c.id, p.id, 'USD', ${day}, ${day}, false, ${day}, 0, false,
       ${day}, now(), c.metadata
     from generate_series(1, ${HISTORY}) n
     join customer c on c.ext_customer_ref = 'H' || n join plan p on p.contract_code = 'P'`,
  );
  await tx.query(
    `insert into order_line (tenant_id, order_id, position, charge_id, quantity, is_active,
       next_period_index, created_at, updated_at)
     select o.tenant_id, o.id, 1, h.id, 1, true, 1, now(), now()
     from subscription_order o join plan_charge h on h.price_code =
       case when o.order_number = 5003 then 'RARE' else 'P' end where o.order_number > 5000`,
  );
  await tx.query(
    `insert into invoice (tenant_id, invoice_number, number_prefix, number_year, number_value, status,
       customer_id, currency, invoice_date, due_date, previous_balance, payments_and_adjustments,
       current_amount_due, total_due, outstanding_balance, created_at, updated_at, metadata)
     select c.tenant_id, n + 5000, '', 0, n + 5000, case when n = 3 then 'Outstanding' else 'Paid' end,
       c.id, 'USD', ${day}, ${day}, 0, 0, 2.5, 2.5, case when n = 3 then 2.5 else 0 end, now(), now(),
       c.metadata
     from generate_series(1, ${HISTORY}) n join customer c on c.ext_customer_ref = 'H' || n`,
  );
  await tx.query(
    `insert into invoice_line (tenant_id, invoice_id, position, order_id, line_amount_total)
     select i.tenant_id, i.id, 1, o.id, 2.5
     from invoice i join subscription_order o on o.customer_id = i.customer_id`,
  );
  await tx.query(
    `insert into invoice_charge (tenant_id, invoice_line_id, position, kind, is_percent, charge_date,
       amount, price_code)
     select n.tenant_id, n.id, 1, 'manual', false, '2027-01-01', 2.5,
       case when i.number_value = 5003 then 'RARE' else 'P' end
     from invoice_line n join invoice i on i.id = n.invoice_id`,
  );
  await tx.query(
    `insert into payment (tenant_id, cascade_id, customer_id, payment_type, status, currency, amount,
       effective_date, created_at, updated_at, metadata)
     select c.tenant_id, c.id, c.id, case when n = 3 then 'Credit' else 'Payment' end, 'Paid', 'USD', 2.5,
       ${day}, now(), now(), c.metadata
     from generate_series(1, ${HISTORY}) n join customer c on c.ext_customer_ref = 'H' || n`,
  );
}

await books.work(({ tx }) => live(tx));
await administer(shared.ownerUrl, 'analyze');

const none = { from: null, before: null };
const page = { offset: 0, max: 2, created: none, updated: none };

interface Asked extends Filters {
  readonly after?: Place;
}

const reads = {
  customers: (tx: Tx, asked: Asked) =>
    listCustomers(tx, tenant, { ...page, ...asked, status: null, search: null }),
  orders: (tx: Tx, asked: Asked) => listOrders(tx, tenant, { ...page, ...asked, status: null }),
  invoices: (tx: Tx, asked: Asked) =>
    listInvoices(tx, tenant, {
      ...page,
      ...asked,
      status: null,
      creditNoteOf: null,
      isCreditNote: null,
    }),
  payments: (tx: Tx, asked: Asked) =>
    listPayments(tx, tenant, { ...page, ...asked, type: 'Payment', status: null, amount: null }),
  credits: (tx: Tx, asked: Asked) =>
    listPayments(tx, tenant, { ...page, ...asked, type: 'Credit', status: null, amount: null }),
} as const;

/** The rows of each table that a page visits, and how many it has. */
async function measured(list: keyof typeof reads, asked: Asked) {
  const said: Said[] = [];
  const found = await inTenant(
    overheard(shared.app, said),
    books.tenantId,
    (tx): Promise<{ readonly rows: readonly unknown[] }> => reads[list](tx, asked),
    { readOnly: true },
  );
  const statements = said.filter(({ text }) => /^(select (?!set_config)|with )/.test(text));
  const visited = await books.read((tx) => rowsReadOf(tx.query, statements));
  return { count: found.rows.length, visited };
}

const third = { from: '2027-01-15', to: '2027-01-15' };
const metadata = [{ key: 'crm', value: 'H3' }];
const often = [{ key: 'channel', value: 'web' }];

const table: readonly [list: keyof typeof reads, asked: Asked, count: number][] = [
  ['customers', { extCustomerRef: 'H3' }, 1],
  ['customers', { overdue: true }, 1],
  ['customers', { metadata }, 1],
  ['customers', { metadata: often }, 2],
  ['orders', {}, 2],
  ['orders', { extCustomerRef: 'H3' }, 1],
  ['orders', { orderNumber: '5003' }, 1],
  ['orders', { priceCode: 'RARE' }, 1],
  ['orders', { priceCode: 'P' }, 2],
  ['orders', { metadata }, 1],
  ['orders', { metadata: often }, 2],
  ['invoices', {}, 2],
  ['invoices', { orderNumber: '5003' }, 1],
  ['invoices', { priceCode: 'RARE' }, 1],
  ['invoices', { priceCode: 'P' }, 2],
  ['invoices', { overdue: true }, 1],
  ['invoices', { invoiceDate: third }, 1],
  ['invoices', { dueDate: third }, 1],
  ['invoices', { metadata }, 1],
  ['invoices', { metadata: often }, 2],
  ['payments', { effectiveDate: third }, 1],
  ['payments', { metadata: [{ key: 'crm', value: 'H4' }] }, 1],
  ['credits', {}, 1],
  ['credits', { metadata }, 1],
];

for (const [list, asked, count] of table) {
  test.serial(`${list} by ${JSON.stringify(asked)} read no more than they show`, async (t) => {
    const found = await measured(list, asked);
    t.is(found.count, count);
    const most = Math.max(...Object.values(found.visited));
    t.true(most <= READ_MAX, JSON.stringify(found.visited));
  });
}

for (const list of ['customers', 'orders', 'invoices', 'payments'] as const) {
  test.serial(`a page of ${list} in the middle is read from its place on`, async (t) => {
    const said = await inTenant(
      shared.app,
      books.tenantId,
      async (tx) => {
        const [half] = await tx.query<{ id: number; micros: string }>(
          `select id, (extract(epoch from created_at) * 1000000)::bigint::text as micros
           from ${list === 'customers' ? 'customer' : 'subscription_order'} order by id offset 5000 limit 1`,
        );
        return half;
      },
      { readOnly: true },
    );
    const key = {
      customers: '',
      orders: said?.micros ?? '',
      invoices: '2013-05-01',
      payments: '2013-05-01',
    }[list];
    const { count, visited } = await measured(list, { after: { key, id: said?.id ?? 0 } });
    t.is(count, 2);
    const most = Math.max(...Object.values(visited));
    t.true(most <= READ_MAX, JSON.stringify(visited));
  });
}

test.serial('a file begins with the newest, without sorting all', async (t) => {
  const { statement } = fileOfOrders(tenant, { ...page, status: null });
  const visited = await books.read((tx) =>
    rowsReadOf(tx.query, [{ ...statement, text: `select * from (${statement.text}) f limit 2` }]),
  );
  t.true(Math.max(...Object.values(visited)) <= READ_MAX, JSON.stringify(visited));
});
