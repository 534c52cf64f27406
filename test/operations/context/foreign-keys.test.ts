/** An index serves the check of each foreign key when its parent is deleted or gets another key. */

import test from 'ava';
import { inTenant, type Tx } from '../../../db/connection/tenancy.ts';
import { administer } from '../../support/template.ts';
import { openBooks, ownDatabase } from '../support/books.ts';
import { liveLong } from '../support/long-lives.ts';
import { prepaid, recurring } from '../support/plans.ts';

const db = await ownDatabase();
/**
 * Without an index, which would cost each insert and serve nothing: no row of the parent is
 * deleted, and no statement changes its key. Rows of invoices and plans stay after their end.
 */
const withoutIndex: Readonly<Record<string, string>> = {
  // A window goes only with an order that has no records, and the index of the line finds none.
  'activity (order_line_id, window_id)': 'usage_window',
  'billed_period (charge_id)': 'plan_charge',
  'callback_delivery (endpoint_id)': 'callback_endpoint',
  'callback_resumption (endpoint_id)': 'callback_endpoint',
  'commission (commission_charge_id)': 'commission_charge',
  'commission_due (commission_charge_id)': 'commission_charge',
  'invoice_charge (billed_period_id)': 'billed_period',
  'order_agent (sales_agent_id)': 'sales_agent',
  'party (logo_digest)': 'logo',
  'payment (credited_invoice_id)': 'invoice',
  'plan (product_offering_id)': 'product_offering',
  'sales_agent (commission_plan_id)': 'commission_plan',
  'invoice_charge (coupon_id)': 'coupon',
  'subscription_order (plan_id)': 'plan',
};

interface KeyRow {
  readonly name: string;
  readonly parent: string;
  readonly covered: boolean;
  /** The service's own role may delete rows of the parent. */
  readonly deletable: boolean;
}

// The check compares for equality, so an index of the rows whose key is not null serves as well.
const keys = `
  select c.conrelid::regclass || ' (' || (
           select string_agg(a.attname, ', ' order by k.place)
           from unnest(c.conkey) with ordinality k (number, place)
           join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.number
           where a.attname <> 'tenant_id' or cardinality(c.conkey) = 1) || ')' as name,
         c.confrelid::regclass::text as parent,
         has_table_privilege('sundial_app', c.confrelid, 'delete') as deletable,
         exists (
           select from pg_index i
           where i.indrelid = c.conrelid and i.indisvalid
             and (select array_agg(number order by number)
                  from unnest((i.indkey::int2[])[0:cardinality(c.conkey) - 1]) number)
               = (select array_agg(number order by number) from unnest(c.conkey) number)
             and (i.indpred is null or pg_get_expr(i.indpred, i.indrelid) in (
               select '(' || quote_ident(a.attname) || ' IS NOT NULL)' from pg_attribute a
               where a.attrelid = c.conrelid and a.attnum = any(c.conkey)))) as covered
  from pg_constraint c where c.contype = 'f' and c.connamespace = 'public'::regnamespace
  order by 1`;

test('each foreign key begins an index, or its parent is never deleted', async (t) => {
  const { rows } = await db.app.pool.query<KeyRow>(keys);
  t.true(rows.length > 40);
  const uncovered = rows.filter((key) => !key.covered);
  t.deepEqual(Object.fromEntries(uncovered.map(({ name, parent }) => [name, parent])), {
    ...withoutIndex,
  });
  for (const { name, deletable } of uncovered) t.false(deletable, name);
});

test('a period that was rolled back may be billed again, but only once', async (t) => {
  const books = await openBooks(db, {
    today: '2027-01-15',
    plans: [recurring('P', 2.5, prepaid)],
  });
  const customerId = await books.customer();
  const orderId = await books.order({ customerId, contractCode: 'P' });
  await books.work(({ tx }) => liveLong(tx, { customerId, orderId, lines: 1, periods: 1 }));
  const voided = `update billed_period set voided_at = '2027-01-15T05:00:00Z'`;
  const again = `insert into billed_period (tenant_id, order_line_id, charge_id, period_index, segment,
      billed_from, billed_to, invoice_id)
    select tenant_id, order_line_id, charge_id, period_index, segment, billed_from, billed_to, invoice_id
    from billed_period limit 1`;
  // Several times at one instant of a test clock.
  for (let count = 0; count < 2; count += 1) {
    await books.work(({ tx }) => tx.query(voided));
    await books.work(({ tx }) => tx.query(again));
  }
  const twice = inTenant(db.app, books.tenantId, (tx) => tx.query(again));
  await t.throwsAsync(twice, { message: /billed_period_once/ });
});

const LINES = 20;
const looked = ['billed_period', 'invoice_payment', 'payment'];

/** Every customer has a method on file; its customer paid each invoice. */
async function payAll(tx: Tx): Promise<void> {
  await tx.query(
    `insert into payment_method (tenant_id, customer_id, type, gateway, token, created_at,
       updated_at)
     select tenant_id, id, 'Token', 'sandbox', 'tok_ok', now(), now() from customer`,
  );
  await tx.query(
    `insert into payment (tenant_id, customer_id, payment_type, status, payment_method_type,
       payment_method_id, currency, amount, effective_date, cascade_id, created_at, updated_at)
     select i.tenant_id, i.customer_id, 'Payment', 'Paid', 'Token', m.id, 'USD',
       i.current_amount_due, '2027-01-01', i.id, now(), now()
     from invoice i join payment_method m on m.customer_id = i.customer_id`,
  );
  await tx.query(
    `insert into invoice_payment (tenant_id, payment_id, invoice_id, customer_id, amount_applied,
       balance_remaining, created_at)
     select tenant_id, id, cascade_id, customer_id, amount, 0, now() from payment`,
  );
}

test('deleting lines and customers reads only their own rows', async (t) => {
  const books = await openBooks(db, {
    today: '2027-01-15',
    plans: [recurring('P', 2.5, prepaid)],
  });
  const life = async (lines: number, periods: number) => {
    const customerId = await books.customer();
    const orderId = await books.order({ customerId, contractCode: 'P' });
    await books.work(({ tx }) => liveLong(tx, { customerId, orderId, lines, periods }));
    return orderId;
  };
  await life(LINES, 100);
  const orderId = await life(LINES, 0);
  const customerId = await books.customer();
  await books.work(({ tx }) => payAll(tx));
  // Without statistics PostgreSQL chooses any index (docs/performance.md).
  await administer(db.ownerUrl, 'analyze');
  const read = await books.work(async ({ tx }) => {
    // A plan for any values would read tables of a few pages whole, as the run's server plans.
    await tx.query('set local plan_cache_mode = auto');
    const before = await rowsRead(tx);
    await tx.query('delete from order_line where order_id = $1', [orderId]);
    await tx.query('delete from customer where id = $1', [customerId]);
    const after = await rowsRead(tx);
    return after.map(({ name: table, rows }, index) => [table, rows - (before[index]?.rows ?? 0)]);
  });
  t.deepEqual(
    read,
    looked.map((table) => [table, 0]),
  );
});

/**
 * The reads of this connection so far, with and without indexes, including earlier transactions.
 */
function rowsRead(tx: Tx) {
  return tx.query<{ readonly name: string; readonly rows: number }>(
    `select relname as name, seq_tup_read + coalesce(idx_tup_fetch, 0) as rows
     from pg_stat_xact_user_tables where relname = any($1) order by 1`,
    [looked],
  );
}
