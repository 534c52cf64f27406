/**
 * A customer that has used everything: something in each table that has something of customers, and a
 * text by which one finds it in each column that holds one.
 */
import * as entities from '../../../db/entities/index.ts';
import { type Said, saidBy } from '../../../db/entities/personal.ts';
import { columnOf, descriptionOf, sqlTypeOf, type Described } from '../../../db/entities/rows.ts';
import { belongsTo } from '../../../db/queries/customers/personal.ts';
import { createCustomer } from '../../../operations/customers/write.ts';
import { card, cash, openPaymentBooks, type PaymentBooks } from './payment-books.ts';
import { prepaid, recurring } from './plans.ts';
import { metered, used } from './usage.ts';
import type { OpenedDatabase } from '../../support/shared-database.ts';

/** Nothing else has it. */
export const MARK = 'zq7mark';

export interface WholeCustomer {
  readonly books: PaymentBooks;
  readonly id: number;
  readonly signupId: number;
}

const plans = [recurring('P', 10, prepaid), metered];

/** Without marks. It can be erased: it owes nothing, and nothing serves it. */
export async function openWholeCustomer(db: OpenedDatabase): Promise<WholeCustomer> {
  const books = await openPaymentBooks(db, { today: '2027-01-15', plans });
  const id = await books.work((context) =>
    createCustomer(
      context,
      { name: 'Ada', extCustomerRef: 'ADA', currency: 'USD', metadata: { crm: 'A-1' } },
      {
        billing: { firstName: 'Ada', emailPrimary: 'ada@example.com', username: 'ada' },
        sales: { firstName: 'Bo' },
      },
    ),
  );
  await sell(books, id);
  const signupId = await insertRest(db, books.tenantId, id);
  return { books, id, signupId };
}

async function sell(books: PaymentBooks, customerId: number): Promise<void> {
  await books.file(customerId, 1, { token: 'tok_whole' });
  const prepaidOrder = await books.order(
    { customerId, contractCode: 'P' },
    { generateInvoice: true },
  );
  const meteredOrder = await books.order({ customerId, contractCode: 'METERED' });
  await used(books, meteredOrder, [{ on: '2027-01-16', period: 0, quantity: '70', ref: 'USE-1' }]);
  await books.paid({ customerId, amount: '10.00', method: card('tok_once') });
  await books.advance('2027-02-02');
  for (const order of [prepaidOrder, meteredOrder]) {
    await books.put(order, { orderStatus: 'Canceled' });
  }
  await books.advance('2027-03-02');
  const [owed] = await books.read((tx) =>
    tx.query<{ amount: string }>(
      `select sum(outstanding_balance)::numeric(20, 2)::text as amount from invoice
       where customer_id = $1`,
      [customerId],
    ),
  );
  await books.paid({
    customerId,
    amount: owed?.amount ?? '0',
    method: cash,
    internalNotes: 'cash',
  });
  // More than it owes, which goes back.
  await books.paid({ customerId, amount: '5.00', method: card('tok_more') });
  await books.refunded({ customerId, amount: '5.00' });
}

/** What no operation of these books makes. Returns the sign-up that only names the customer. */
async function insertRest(db: OpenedDatabase, tenant: number, customer: number): Promise<number> {
  const own = { tenant, customer };
  const one = async (text: string): Promise<number> => {
    const { rows } = await db.owner.query<{ id: string }>(
      text.replaceAll(/\{(\w+)\}/g, (_, name: 'tenant' | 'customer') => String(own[name])),
    );
    return Number(rows[0]?.id ?? 0);
  };
  const ofContact = `(select id from contact where tenant_id = {tenant} and customer_id = {customer} and kind = 'billing')`;
  const ofPayment = `(select min(id) from payment where tenant_id = {tenant} and customer_id = {customer})`;
  const session =
    await one(`insert into self_service_session (tenant_id, token_hash, customer_id, css_url,
      login_url, show_navigation_bar, show_statements, show_payments, allow_payments,
      allow_profile_edit, edit_order_options, pdf_mode, started_at, expires_at)
    values ({tenant}, sha256('session'), {customer}, '', '', true, true, true, true, true, '{}', false,
      '2027-03-02T05:00:00Z', '2027-03-02T06:00:00Z') returning id`);
  const signup = (
    named: string,
    status: string,
  ): string => `insert into signup (tenant_id, tracking, token_hash,
      status, success_url, fail_url, css_url, hide_customer_fields, hide_order_fields, display_amount,
      link_has_password, quantity, has_details, created_at, updated_at, expires_at, ended_at,
      failure_code, ${named.split(' = ')[0]}, is_new_customer)
    values ({tenant}, gen_random_uuid()::text, sha256(gen_random_uuid()::text::bytea), '${status}', '', '', '',
      false, false, 'none', false, 1, true, now(), now(), now(), now(), 'link.expired',
      ${named.split(' = ')[1]}, true) returning id`;
  const ofIts = await one(signup('customer_id = {customer}', 'EXPIRED'));
  const signupId = await one(signup(`ext_customer_ref = 'ADA'`, 'EXPIRED'));
  for (const each of [ofIts, signupId]) {
    await one(`insert into signup_try (tenant_id, signup_id, number, status, network, shown_amount,
        created_at, ended_at, code)
      values ({tenant}, ${each}, 1, 'returned', '', 0, now(), now(), 'x') returning id`);
  }
  const batch = `insert into batch (tenant_id, job_id, kind, status, created_at, updated_at)
    values ({tenant}, gen_random_uuid()::text, 'customers', 'Draft', now(), now()) returning id`;
  const rest = [
    `insert into idempotency_key (tenant_id, key, request_hash, status, headers, body, customer_ids)
     values ({tenant}, 'key-1', sha256('x'), 200, '{}', 'x', array[{customer}])`,
    `insert into login_network (tenant_id, contact_id, network, used_at)
     values ({tenant}, ${ofContact}, sha256('n'), now())`,
    `insert into login_guess (tenant_id, key, failures, failed_at)
     values ({tenant}, concat('contact ', ${ofContact}), 1, now())`,
    `insert into password_to_hash (tenant_id, contact_id, batch_id, sealed)
     values ({tenant}, ${ofContact}, ${await one(batch)}, 'x')`,
    `insert into password_reset (tenant_id, customer_id, contact_id, token_hash, requested_at, expires_at)
     values ({tenant}, {customer}, ${ofContact}, sha256('reset'), now(), now() + interval '1 hour')`,
    `insert into card_decline (tenant_id, network, customer_id, declined_at)
     values ({tenant}, '', {customer}, now())`,
    `insert into card_decline (tenant_id, network, invoice_id, declined_at)
     values ({tenant}, '', (select min(id) from invoice where tenant_id = {tenant}
       and customer_id = {customer}), now())`,
    `insert into self_service_payment (tenant_id, payment_id, session_id, form_key, network,
       shown_amount, created_at)
     values ({tenant}, ${ofPayment}, ${session}, 'form', '', 1000, now())`,
    `insert into asked_card (tenant_id, form_key, session_id, preference, type, gateway, token,
       validation_id, asks_until)
     values ({tenant}, 'asked', ${session}, 1, 'CreditCard', 'sandbox', '', '', now())`,
    `insert into event_document (tenant_id, event_id, document)
     select {tenant}, min(id), '{}' from event where tenant_id = {tenant} and customer_id = {customer}`,
    `insert into mail (tenant_id, kind, customer_id, object_id)
     values ({tenant}, 'contactChanged', {customer}, ${ofContact})`,
    `insert into gateway_finding (tenant_id, payment_id, gateway_key, kind, detail, found_at,
       closed_at, closed_reason)
     values ({tenant}, ${ofPayment}, 'k', 'difference', 'x', now(), now(), 'x')`,
    `insert into payment_plan (tenant_id, customer_id, currency, charge_amount,
       charge_only_if_balance_owed, start_date, total_installments, counted_installments, frequency_value, frequency_units,
       is_enabled, ended_on, created_at, updated_at)
     values ({tenant}, {customer}, 'USD', 1, true, '2027-01-15', 1, 1, 1, 'Months', false,
       '2027-01-16', now(), now())`,
    `insert into dunning (tenant_id, customer_id, opened_on, closed_on, held_on, held_reason, version,
       created_at, updated_at)
     values ({tenant}, {customer}, '2027-01-15', '2027-01-16', '2027-01-15', 'x', 1, now(), now())
     on conflict (tenant_id, customer_id) do update set held_on = '2027-01-15', held_reason = 'x'`,
    `insert into dunning_note (tenant_id, customer_id, action, reason, noted_on, noted_at)
     values ({tenant}, {customer}, 'hold', 'x', '2027-01-15', now())`,
    `insert into collection_attempt (tenant_id, customer_id, kind, invoice_id, attempt, due_on, state,
       outcome, reason, declined_on, concluded_on, created_at, updated_at)
     select {tenant}, {customer}, 'retry', min(id), 1, '2027-01-20', 'done', 'skipped', 'x', '2027-01-15',
       '2027-01-20', now(), now() from invoice where tenant_id = {tenant} and customer_id = {customer}`,
  ];
  for (const each of rest) await one(each);
  return signupId;
}

/* The marks. */

export interface MarkedColumn {
  readonly table: string;
  readonly column: string;
  readonly said: Said;
}

/** Columns whose form allows no mark, or less of it than finds it. */
const formed: Readonly<Record<string, string>> = {
  'payment_method.last_four': 'zq7m',
  'asked_card.last_four': 'zq7m',
  'payment_method.country': 'DE',
  'signup_try.country': 'DE',
};

/** What a mark is in a type of SQL; `ending` distinguishes rows. */
function markOf(type: string, where: string, ending: string): string | undefined {
  const mark = `${MARK} ${where}`;
  // Documents are drawn of it.
  if (where === 'party.content') return `content || '{"name": "${mark}"}'`;
  switch (type) {
    case 'text':
      return where in formed ? `'${formed[where]}'` : `'${mark} '${ending}`;
    case 'jsonb':
    case 'json':
      return `'{"${MARK}": "${mark}"}'`;
    case 'bytea':
      return `'${mark}'::bytea`;
    default:
      return undefined;
  }
}

const mustBeThere: ReadonlySet<Said> = new Set(['emptied', 'blanked', 'renamed', 'deleted']);

/** Enters a mark into each text of the customer that says something of it; returns where. */
export async function mark(
  db: OpenedDatabase,
  { books: { tenantId }, id, signupId }: WholeCustomer,
): Promise<MarkedColumn[]> {
  const marked: MarkedColumn[] = [];
  for (const entity of Object.values(entities) as readonly Described[]) {
    const own = belongsTo(entity, String(id));
    if (own === undefined) continue;
    const { properties, tableName: table } = descriptionOf(entity);
    const columns = Object.keys(properties).flatMap((key) => {
      const said = saidBy(entity, key);
      if (said === undefined || ['none', 'copied'].includes(said)) return [];
      const column = columnOf(key);
      const ending = 'id' in properties ? ` || id` : '';
      const value = markOf(sqlTypeOf(entity, key), `${table}.${column}`, ending);
      return value === undefined ? [] : [{ table, column, said, value }];
    });
    if (columns.length === 0) continue;
    const others = { signup: `or id = ${signupId}`, signup_try: `or signup_id = ${signupId}` };
    const where = `tenant_id = ${tenantId} and (${own.replaceAll('$1', String(tenantId))}
      ${table in others ? others[table as keyof typeof others] : ''})`;
    const set = columns.map(({ column, value }) => `${column} = ${value}`).join(', ');
    const { rowCount } = await db.owner.query(`update ${table} set ${set} where ${where}`);
    if (!rowCount) {
      if (!columns.some(({ said }) => mustBeThere.has(said))) continue;
      throw new Error(`the customer has nothing in ${table}`);
    }
    const found = columns.filter(({ value }) => value.includes('zq7'));
    marked.push(...found.map(({ column, said }) => ({ table, column, said })));
  }
  await db.owner.query(
    `update signup s set ext_customer_ref = c.ext_customer_ref from customer c
     where c.tenant_id = $1 and c.id = $2 and s.tenant_id = $1 and s.id = $3`,
    [tenantId, id, signupId],
  );
  return marked;
}

/** `table.column` of each row of the tenant that has the mark. */
export async function marksIn(db: OpenedDatabase, tenantId: number): Promise<string[]> {
  const { rows: tables } = await db.owner.query<{ name: string }>(
    `select table_name as name from information_schema.columns c
     join information_schema.tables t using (table_schema, table_name)
     where table_schema = 'public' and column_name = 'tenant_id' and table_type = 'BASE TABLE'`,
  );
  const found = new Set<string>();
  for (const { name } of tables) {
    const { rows } = await db.owner.query<{ column: string }>(
      `select distinct each.key as "column" from ${name} r, jsonb_each_text(to_jsonb(r)) each
       where r.tenant_id = $1 and (each.value ilike '%zq7m%'
         or each.value like '%' || encode('zq7m'::bytea, 'hex') || '%')`,
      [tenantId],
    );
    for (const { column } of rows) found.add(`${name}.${column}`);
  }
  return [...found].toSorted();
}
