/** Thresholds that change, and many customers at once. */

import test from 'ava';
import { parse, stringify } from 'yaml';
import { applyTenantFile } from '../../../operations/tenants/apply.ts';
import { createVault } from '../../../providers/vault.ts';
import { checkTemplates } from '../../../providers/mail/check-templates.ts';
import { prorated, recurring } from '../support/plans.ts';
import { SECRET_KEY } from '../../support/tenants.ts';
import { sharedDatabase } from '../support/books.ts';
import {
  openDunningBooks,
  type DunningBooks,
  type ThresholdFile,
} from '../support/dunning-books.ts';

const db = await sharedDatabase();

/** Applies the tenant's file with other thresholds. */
async function rule(books: DunningBooks, thresholds: readonly ThresholdFile[]): Promise<void> {
  const [row] = await books.read((tx) =>
    tx.query<{ file: Record<string, unknown> }>('select file from tenant where id = $1', [
      books.tenantId,
    ]),
  );
  const { name, timezone, currency } = row?.file ?? {};
  const text = stringify({
    tenant: books.label,
    name,
    timezone,
    currency,
    plans: [parse(stringify(recurring('FEE', 31, prorated)))],
    dunning: { thresholds },
  });
  const applied = await applyTenantFile(books.dependencies, {
    text,
    vault: createVault(SECRET_KEY),
    secretOf: () => undefined,
    checkTemplates,
    isStrict: false,
    isDryRun: false,
  });
  if (!applied.isValid) throw new Error(JSON.stringify(applied.mistakes));
}

test('changed thresholds are applied by the next run: one transition, which no mail announces', async (t) => {
  const plans = [recurring('FEE', 31, prorated)];
  const books = await openDunningBooks(db, { today: '2027-01-01', plans });
  const [ada, bob] = [await books.customer(), await books.customer()];
  await books.bill(ada, '10', { dueDate: '2027-01-05' });
  await books.bill(bob, '10', { dueDate: '2027-01-20' });
  await books.advance('2027-01-30');
  t.is(await books.standing(ada), 'Overdue1, open, next 2027-02-04');
  t.is(await books.standing(bob), 'Active, open, next 2027-02-04');
  await rule(books, [
    { daysOverdue: 5, status: 'Overdue1' },
    { daysOverdue: 10, status: 'Overdue3' },
    { daysOverdue: 20, status: 'Suspended2' },
    { daysOverdue: 40, status: 'InActive1' },
  ]);
  t.deepEqual(await books.faults(), []);
  t.is(await books.standing(bob), 'Active, open, next 2027-01-31');
  await books.advance('2027-01-31');
  t.deepEqual(await books.transitions(ada), [
    '2027-01-20 Active to Overdue1',
    '2027-01-31 Overdue1 to Suspended2',
  ]);
  t.deepEqual(await books.transitions(bob), ['2027-01-31 Active to Overdue3']);
  // 5 January + 40, 20 January + 20.
  t.is(await books.standing(ada), 'Suspended2, open, next 2027-02-14');
  t.is(await books.standing(bob), 'Overdue3, open, next 2027-02-09');
  t.deepEqual(await books.faults(), []);
});

test('thresholds that become longer bring customers down, without thresholds all are Active', async (t) => {
  const plans = [recurring('FEE', 31, prorated)];
  const books = await openDunningBooks(db, { today: '2027-01-01', plans });
  const customerId = await books.customer();
  const orderId = await books.order({ customerId, contractCode: 'FEE' });
  await books.bill(customerId, '10', { dueDate: '2027-01-05' });
  await books.advance('2027-03-10');
  t.is(await books.standing(customerId), 'Suspended1, open');
  await rule(books, [{ daysOverdue: 64, status: 'Overdue1' }]);
  await books.advance('2027-03-11');
  t.is(await books.standing(customerId), 'Overdue1, open');
  t.is(await books.orderNow(orderId), 'Active next 2027-04-01 bills 2027-04-01');
  await rule(books, []);
  await books.advance('2027-03-13');
  t.is(await books.standing(customerId), 'Active, open');
  t.deepEqual(await books.faults(), []);
});

test('applying the same thresholds again changes nothing', async (t) => {
  const books = await openDunningBooks(db, { today: '2027-01-01' });
  const rules = () =>
    books.read((tx) => tx.query('select in_force_on::text as on from dunning_rules'));
  const [before] = await rules();
  await books.advance('2027-01-10');
  await rule(books, [
    { daysOverdue: 15, status: 'Overdue1' },
    { daysOverdue: 30, status: 'Overdue2' },
    { daysOverdue: 60, status: 'Suspended1' },
  ]);
  t.deepEqual(await rules(), [before]);
});

test('a run takes one step for 1,200 customers in batches, and wakes none of their workflows for it', async (t) => {
  const books = await openDunningBooks(db, { today: '2027-01-01' });
  await books.work(async ({ tx, time }) => {
    await tx.query(
      `with made as (
         insert into customer (tenant_id, name, status, currency, created_at, updated_at)
         select $1, 'C' || n, 'Active', 'USD', $2, $2 from generate_series(1, 1200) n returning id)
       insert into invoice (tenant_id, invoice_number, is_imported, status, customer_id, currency, invoice_date,
         due_date, previous_balance, payments_and_adjustments, current_amount_due, total_due,
         outstanding_balance, created_at, updated_at)
       select $1, 'A' || row_number() over (order by id), true, 'Outstanding', id, 'USD', '2027-01-01',
         '2027-01-01', 0, 0, 5, 5, 5, $2, $2 from made`,
      [tx.tenantId, time.now],
    );
  });
  await books.advance('2027-01-02');
  const count = (sql: string) =>
    books.read(async (tx) => (await tx.query<{ n: number }>(sql))[0]?.n ?? 0);
  t.is(await count("select count(*) as n from outbox where kind = 'dunning'"), 1_200);
  await books.work(async ({ tx }) => tx.query("delete from outbox where kind = 'dunning'"));
  await books.advance('2027-01-16');
  t.is(await count("select count(*) as n from customer where status = 'Overdue1'"), 1_200);
  t.is(await count('select count(*) as n from customer_transition'), 1_200);
  t.is(await count("select count(*) as n from outbox where kind = 'dunning'"), 0);
});
