/**
 * What a restored database must not give out again: each column of a unique index that counts, by
 * PostgreSQL's catalogue. A new one has to be said here, and raised by the restoration if people keep
 * it. Numbers of documents are texts, of the counters that it raises.
 */
import test from 'ava';
import { sharedDatabase } from '../support/books.ts';

const db = await sharedDatabase();

const RAISED = 'raised by a restoration';
const WITHIN = 'counts within an object, whose id is raised';
const FILE = 'counts applied tenant files, which are applied again';
const OTHER = 'an id of another object, a year, or of restorations themselves';

const counting: Readonly<Record<string, string>> = {
  'audit_log.sequence': RAISED,
  'billed_period.period_index': WITHIN,
  'billed_period.segment': WITHIN,
  'callback_subscription.after_event_id': OTHER,
  'collection_attempt.attempt': WITHIN,
  'collection_attempt.installment': WITHIN,
  'commission.order_agent_id': OTHER,
  'commission.turn': WITHIN,
  'counter.year': OTHER,
  'coupon.version': FILE,
  'event.customer_id': OTHER,
  'event.customer_sequence': RAISED,
  'event.sequence': RAISED,
  'import_line.line': WITHIN,
  'import_line.parent_id': OTHER,
  'import_line.position': WITHIN,
  'import_row.line': WITHIN,
  'lost_number.after': OTHER,
  'lost_number.year': OTHER,
  'metadata_entry.object_id': OTHER,
  'notice.object_id': OTHER,
  'payment.attempt': WITHIN,
  'payment_method.autopay_preference': WITHIN,
  'plan.version': FILE,
  'refund_share.position': WITHIN,
  'removed_object.object_id': OTHER,
  'restoration.epoch': OTHER,
  'signup_try.number': WITHIN,
  'subscription_order.order_number': RAISED,
  'subscription_order.removed_order_id': OTHER,
  'update_answer.object_id': OTHER,
  'usage_window.period_index': WITHIN,
  'workflow_seen.object_id': OTHER,
  'workflow_unseen.object_id': OTHER,
};

test('each number that is given out once is raised, or counts within an object', async (t) => {
  const { rows } = await db.owner.query<{ column: string }>(`
    select distinct c.relname || '.' || a.attname as column
    from pg_index i
    join pg_class c on c.oid = i.indrelid
    join pg_attribute a on a.attrelid = c.oid and a.attnum = any (i.indkey::int2[])
    where i.indisunique and c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
      and a.atttypid in ('int4'::regtype, 'int8'::regtype, 'int2'::regtype)
      and a.attname not in ('id', 'tenant_id')
      and not exists (select from pg_constraint k
        where k.conrelid = c.oid and k.contype = 'f' and a.attnum = any (k.conkey))
    `);
  t.deepEqual(rows.map(({ column }) => column).toSorted(), Object.keys(counting));
});

test('all ids are of one sequence, which a restoration raises and nobody turns back', async (t) => {
  const { rows } = await db.owner.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'S' and relname <> 'migration_id_seq'`,
  );
  t.deepEqual(rows, [{ name: 'id_seq' }]);
  const last = async (): Promise<number> => {
    const { rows: found } = await db.app.pool.query<{ last: string }>(
      'select last_value as last from id_seq',
    );
    return Number(found[0]?.last);
  };
  const before = await last();
  await db.app.pool.query('select raise_ids($1)', [before + 1_000]);
  t.true((await last()) >= before + 1_000);
  await db.app.pool.query('select raise_ids($1)', [1]);
  t.true((await last()) >= before + 1_000);
  await t.throwsAsync(db.app.pool.query("select setval('id_seq', 1)"), { message: /permission/ });
});
