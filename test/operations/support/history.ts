/**
 * Much history: the rows of a tenant's life that is over, copied many times under other ids and
 * numbers, as if as many customers had lived it. What makes no new customer (plans, endpoints, the
 * tenant itself) is not copied.
 */
import { Client } from 'pg';

/** Tables of a tenant that a customer's life leaves nothing in, and those whose rows are for work. */
const shared = new Set(
  `tenant test_clock counter base_user notification mail_template callback_endpoint
   callback_subscription callback_resumption dunning_rules plan plan_charge pricing_tier
   coupon product_offering retention_mark billing_run outbox billing_note billing_suspect
   commission_plan commission_charge sales_agent party logo notice_mark`.split(/\s+/),
);
/** Ids of shared rows. */
const sameId = new Set([
  'tenant_id',
  'endpoint_id',
  'plan_id',
  'charge_id',
  'plan_charge_id',
  'coupon_id',
  'commission_plan_id',
  'commission_charge_id',
  'sales_agent_id',
]);
/** Texts in unique indexes that say of which kind a row is; others are unique by themselves. */
const kinds = ['kind', 'type', 'event_type', 'gateway', 'currency', 'operation', 'state'];
/** Higher than every id of the life. */
const STRIDE = 10_000_000;

interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly isUnique: boolean;
}

/** Also analyzes all tables, as autovacuum does after so many new rows. */
export async function copyLife(
  ownerUrl: string,
  tenantId: number,
  copies: number,
): Promise<Readonly<Record<string, number>>> {
  const client = new Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    const { rows: columns } = await client.query<Column>(`
      select c.relname as table, a.attname as name, format_type(a.atttypid, null) as type,
        exists (select from pg_index i where i.indrelid = c.oid and i.indisunique
          and a.attnum = any (i.indkey)) as "isUnique"
      from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0
        and not a.attisdropped and a.attgenerated = '' and exists (
          select from pg_attribute t where t.attrelid = c.oid and t.attname = 'tenant_id')
      order by c.relname, a.attnum`);
    // No foreign keys and no triggers: the rows were checked when they were made.
    await client.query(`set session_replication_role = replica`);
    const counts: Record<string, number> = {};
    for (const [table, own] of Map.groupBy(columns, (column) => column.table)) {
      if (shared.has(table)) continue;
      const { rowCount } = await client.query(
        `insert into ${table} (${own.map(({ name }) => `"${name}"`).join(', ')})
         select ${own.map(copied).join(', ')}
         from ${table} r, generate_series(1, ${copies}) k where r.tenant_id = ${tenantId}`,
      );
      if (rowCount) counts[table] = rowCount;
    }
    await client.query(`select setval('id_seq', ${(copies + 1) * STRIDE})`);
    await client.query(`update counter set next = next + ${copies + 1} * 1000
      where tenant_id = ${tenantId}`);
    await client.query(`update callback_endpoint set cursor =
      (select max(sequence) from event where tenant_id = ${tenantId}) where tenant_id = ${tenantId}`);
    await client.query('vacuum (analyze)');
    return counts;
  } finally {
    await client.end();
  }
}

function copied({ name, type, isUnique }: Column): string {
  const value = `r."${name}"`;
  const numbers = ['order_number', 'number_value', 'sequence'];
  if (type === 'bigint' && numbers.includes(name)) return `${value} + k * 1000`;
  if (name === 'lane') return `${value} + sign(${value})::bigint * k * ${STRIDE}::bigint`;
  const isId = type === 'bigint' && (name === 'id' || name.endsWith('_id')) && !sameId.has(name);
  if (isId) return `${value} + k * ${STRIDE}::bigint`;
  return type === 'text' && isUnique && !kinds.includes(name) ? `${value} || '-' || k` : value;
}
