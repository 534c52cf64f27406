/** Row-level security and the protection of the ledger, read from the catalogue and tried out. */

import test from 'ava';
import { Client, type QueryResultRow } from 'pg';
import { inTenant } from '../../../db/connection/tenancy.ts';
import { openDatabase } from '../../../db/connection/database.ts';
import { openBooks, ownDatabase } from '../support/books.ts';
import { prepaid, recurring } from '../support/plans.ts';

const db = await ownDatabase();

async function asOwner<Row extends QueryResultRow>(sql: string): Promise<Row[]> {
  const client = new Client({ connectionString: db.ownerUrl });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Tables of the installation, not of a tenant; every other table must have a policy. */
const unfenced = [
  'attempt_window',
  'installation',
  'migration',
  'operator_login',
  'worker_heartbeat',
];
/** Policies besides each table's own_tenant, for lookups before a tenant is known. */
const exceptions = [
  'activity owner_reads',
  'audit_head relay',
  'audit_log relay',
  'base_user owner_reads',
  'batch owner_reads',
  'billing_note relay',
  'billing_suspect relay',
  'callback_endpoint owner_reads',
  'commission_charge owner_reads',
  'commission_plan owner_reads',
  'contact owner_reads',
  'customer owner_reads',
  'customer relay',
  'event owner_reads',
  'event relay',
  'event_resend relay',
  'invoice owner_reads',
  'invoice relay',
  'invoice_charge owner_reads',
  'invoice_line owner_reads',
  'order_line owner_reads',
  'outbox relay',
  'payment owner_reads',
  'payment relay',
  'payment_method owner_reads',
  'payment_method relay',
  'payment_plan owner_reads',
  'plan owner_reads',
  'plan_charge owner_reads',
  'pricing_tier owner_reads',
  'product_offering owner_reads',
  'sales_agent owner_reads',
  'signup owner_reads',
  'subscription_order owner_reads',
  'tenant owner_reads',
  'tenant relay',
];

test('every table of a tenant has its policy, forced, and no other table has one', async (t) => {
  const tables = await asOwner<{ name: string; forced: boolean; tenanted: boolean }>(`
    select c.relname as name, c.relrowsecurity and c.relforcerowsecurity as forced,
           exists (select from pg_attribute a
                   where a.attrelid = c.oid and a.attname = 'tenant_id') as tenanted
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by 1`);
  t.true(tables.length > 20);
  t.deepEqual(
    tables.filter((table) => !table.forced).map((table) => table.name),
    unfenced,
  );
  const policies = await asOwner<{ name: string; using: string; owner: boolean }>(`
    select p.tablename || ' ' || p.policyname as name, p.qual as using,
           p.roles = array[current_user::name] as owner
    from pg_policies p where schemaname = 'public' order by 1`);
  const own = policies.filter(({ name }) => name.endsWith(' own_tenant'));
  t.deepEqual(
    own.map(({ name }) => name.split(' ')[0]),
    tables.filter((table) => table.forced).map((table) => table.name),
  );
  for (const { name, using } of own) {
    const column = name.startsWith('tenant ') ? 'id' : 'tenant_id';
    t.true(using.startsWith(`(${column} = `) && using.includes('app.tenant'), `${name}: ${using}`);
  }
  const others = policies.filter(({ name }) => !name.endsWith(' own_tenant'));
  t.deepEqual(
    others.map(({ name }) => name),
    exceptions,
  );
  for (const { name, owner } of others) t.is(owner, name.endsWith(' owner_reads'), name);
});

test('the owner may read every table that a function with the owner’s rights reads', async (t) => {
  const asked = await asOwner<{ name: string; readable: boolean }>(`
    select distinct f.proname || ' ' || c.relname as name, exists (
             select from pg_policies p where p.tablename = c.relname
               and p.policyname = 'owner_reads') as readable
    from pg_proc f
    join pg_depend d on d.classid = 'pg_proc'::regclass and d.objid = f.oid
      and d.refclassid = 'pg_class'::regclass
    join pg_class c on c.oid = d.refobjid and c.relkind in ('r', 'p')
    where f.prosecdef and f.pronamespace = 'public'::regnamespace order by 1`);
  t.true(asked.length > 15);
  t.deepEqual(
    asked.filter(({ readable }) => !readable).map(({ name }) => name),
    [],
  );
});

test('every key and every unique index of a tenant’s table begins with the tenant', async (t) => {
  const indexes = await asOwner<{ name: string; first: string }>(`
    select i.indexrelid::regclass::text as name, a.attname as first
    from pg_index i join pg_class c on c.oid = i.indrelid
    join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
    where c.relnamespace = 'public'::regnamespace and i.indisunique
      and exists (select from pg_attribute own
                  where own.attrelid = c.oid and own.attname = 'tenant_id')`);
  t.true(indexes.length > 20);
  t.deepEqual(
    indexes.filter(({ first }) => first !== 'tenant_id'),
    [],
  );
  const foreign = await asOwner<{ name: string; first: string }>(`
    select k.conrelid::regclass || ' ' || k.conname as name, a.attname as first
    from pg_constraint k join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
    where k.contype = 'f' and k.connamespace = 'public'::regnamespace`);
  t.true(foreign.length > 15);
  t.deepEqual(
    foreign.filter(({ first }) => first !== 'tenant_id'),
    [],
  );
});

/** What the service may do with a table of the installation; of all others it may read the rows at least. */
const unread = new Set(['migration']);

test('the service may read every table, change no catalogue of what was done, and truncate none', async (t) => {
  const tables = await asOwner<Rights>(`
    select c.relname as name,
      has_table_privilege('sundial_app', c.oid, 'select') as reads,
      array(select right_name from unnest(array['truncate', 'references', 'trigger', 'maintain']) right_name
            where has_table_privilege('sundial_app', c.oid, right_name)
               or has_table_privilege('sundial_relay', c.oid, right_name)) as "tooMuch",
      has_any_column_privilege('sundial_app', c.oid, 'update') as updates,
      has_table_privilege('sundial_app', c.oid, 'delete') as deletes,
      exists (select from aclexplode(c.relacl) a where a.grantee = 0) as "isPublic",
      (select string_agg(distinct g.tgname, ' ') from pg_trigger g join pg_proc f on f.oid = g.tgfoid
       where g.tgrelid = c.oid and f.proname = 'refuse_change' and g.tgtype & 8 = 8
         and g.tgqual is null) as "keepsRows"
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v')`);
  t.true(tables.length > 80);
  const named = (is: (table: Rights) => boolean): string[] =>
    tables.filter(is).map(({ name }) => name);
  t.deepEqual(
    named(({ name, reads }) => !reads && !unread.has(name)),
    [],
  );
  t.deepEqual(
    named(({ name, reads }) => reads && unread.has(name)),
    [],
  );
  t.deepEqual(
    named(({ tooMuch, isPublic }) => tooMuch.length > 0 || isPublic),
    [],
  );
  // What a trigger keeps from being deleted, whatever the row, nobody is granted to delete.
  t.deepEqual(
    named(({ keepsRows, deletes }) => keepsRows !== null && deletes),
    [],
  );
});

interface Rights extends QueryResultRow {
  readonly name: string;
  readonly reads: boolean;
  readonly tooMuch: readonly string[];
  readonly updates: boolean;
  readonly deletes: boolean;
  readonly isPublic: boolean;
  readonly keepsRows: string | null;
}

test('a function with the owner’s rights looks at no temporary object, and only the service calls it', async (t) => {
  const functions = await asOwner<{ name: string; path: string[] | null; everybody: boolean }>(`
    select f.proname as name, f.proconfig as path,
           f.proacl is null or exists (select from aclexplode(f.proacl) a where a.grantee = 0) as everybody
    from pg_proc f where f.prosecdef and f.pronamespace = 'public'::regnamespace`);
  t.true(functions.length > 5);
  for (const { name, path, everybody } of functions) {
    t.deepEqual(path, ['search_path=public, pg_temp'], name);
    t.false(everybody, name);
  }
});

test('a pooled connection that is reused without a tenant sees no rows, and no error', async (t) => {
  const app = await openDatabase({
    url: db.loginUrl,
    role: 'sundial_app',
    poolMax: 1,
    statementTimeoutMs: 5_000,
    name: 'test',
  });
  t.teardown(() => app.close());
  const books = await openBooks(db, { today: '2027-01-15' });
  await books.customer({ ref: 'mine' });
  const mine = await inTenant(app, books.tenantId, (tx) => tx.query('select * from customer'));
  t.is(mine.length, 1);
  for (const table of ['customer', 'tenant', 'plan', 'base_user', 'counter']) {
    const { rows } = await app.pool.query(`select * from ${table}`);
    t.deepEqual(rows, [], table);
  }
  const stranger = await inTenant(app, Number.MAX_SAFE_INTEGER, (tx) =>
    tx.query('select * from customer'),
  );
  t.deepEqual(stranger, []);
});

test('a tenant can read and write no row of another, in any table', async (t) => {
  const plans = [recurring('P', 10, prepaid)];
  const [mine, other] = [
    await openBooks(db, { today: '2027-01-15', plans }),
    await openBooks(db, { today: '2027-01-15', plans }),
  ];
  for (const books of [mine, other]) {
    const customerId = await books.customer({ ref: 'C' });
    await books.order({ customerId, contractCode: 'P' }, { generateInvoice: true });
  }
  const tables = await asOwner<{ name: string }>(`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace
      and relkind = 'r' and relrowsecurity`);
  const filled: string[] = [];
  for (const { name } of tables) {
    const id = name === 'tenant' ? 'id' : 'tenant_id';
    const rows = await mine.read((tx) =>
      tx.query<{ id: number }>(`select ${id} as id from ${name}`),
    );
    t.true(
      rows.every((row) => row.id === mine.tenantId),
      name,
    );
    if (rows.length > 0) filled.push(name);
  }
  // In other tables neither of them has rows that the other might see.
  for (const name of ['tenant', 'customer', 'subscription_order', 'invoice', 'invoice_charge']) {
    t.true(filled.includes(name), name);
  }
  const changed = await mine.work(({ tx }) =>
    tx.query('update customer set name = $1 where tenant_id = $2 returning id', [
      'stolen',
      other.tenantId,
    ]),
  );
  t.deepEqual(changed, []);
  const insert = mine.work(({ tx }) =>
    tx.query(`insert into counter (tenant_id, kind, first, next) values ($1, 'order', 1, 1)`, [
      other.tenantId,
    ]),
  );
  await t.throwsAsync(insert, { message: /row-level security/ });
});

test('the service owns nothing, cannot bypass row-level security, and is refused otherwise', async (t) => {
  const [role] = await asOwner<{ owned: string; free: boolean }>(`
    select (select count(*) from pg_class c join pg_roles r on r.oid = c.relowner
            where r.rolname in ('sundial_app', 'sundial_relay')) as owned,
           bool_or(rolsuper or rolbypassrls) as free
    from pg_roles where rolname in ('sundial_app', 'sundial_relay')`);
  t.deepEqual(role, { owned: '0', free: false });
  const asItself = openDatabase({
    url: db.ownerUrl,
    role: new URL(db.ownerUrl).username as 'sundial_app',
    poolMax: 1,
    statementTimeoutMs: 5_000,
    name: 'test',
  });
  await t.throwsAsync(asItself, { message: /may pass row-level security/ });
});

test('the relay sees every outbox and every tenant, and nothing else', async (t) => {
  await openBooks(db, { today: '2027-01-15' });
  const { rows } = await db.relay.pool.query('select * from tenant');
  t.true(rows.length > 0);
  await db.relay.pool.query('select * from outbox');
  // Of events it sees which tenants have some without a number, and not what they tell.
  const { rows: unnumbered } = await db.relay.pool.query('select tenant_id from event');
  t.deepEqual(Object.keys(unnumbered[0] ?? { tenant_id: 0 }), ['tenant_id']);
  await t.throwsAsync(db.relay.pool.query('select type, object_id from event'), {
    message: /permission denied/,
  });
  for (const table of ['customer', 'invoice', 'base_user', 'subscription_order', 'ledger_entry']) {
    await t.throwsAsync(db.relay.pool.query(`select * from ${table}`), {
      message: /permission denied/,
    });
  }
});

test('no role can change or delete a ledger entry, not even the owner', async (t) => {
  const books = await openBooks(db, { today: '2027-01-15', plans: [recurring('P', 10, prepaid)] });
  const customerId = await books.customer();
  await books.order({ customerId, contractCode: 'P' }, { generateInvoice: true });
  const changes = [
    'update ledger_entry set amount = 0',
    'delete from ledger_entry',
    'truncate ledger_entry',
  ];
  for (const change of changes) {
    await t.throwsAsync(asOwner(change), { message: /append-only/ });
    const service = books.work(({ tx }) => tx.query(change));
    await t.throwsAsync(service, { message: /permission denied|append-only/ });
  }
  const rows = await books.read((tx) =>
    tx.query('select trim_scale(amount) as amount from ledger_entry'),
  );
  t.deepEqual(rows, [{ amount: '10' }]);
});
