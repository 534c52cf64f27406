/**
 * Entry: a bare Koa handler that does one indexed read or one insert, with or without row-level
 * security; it prints its port.
 */
import Koa from 'koa';
import { openDatabase } from '../../db/connection/database.ts';
import { inTenant } from '../../db/connection/tenancy.ts';
import { listen } from '../../api/http/server.ts';

const [databaseUrl = '', tenant = ''] = process.argv.slice(2);
const tenantId = Number(tenant);
const db = await openDatabase({
  url: databaseUrl,
  role: 'sundial_app',
  poolMax: 10,
  statementTimeoutMs: 5_000,
  name: 'bare',
});
const read = `select id, name, status, ext_customer_ref, currency from customer
  where tenant_id = $1 and id = $2`;
const insert = `insert into customer (tenant_id, name, status, currency, created_at, updated_at)
  values ($1, 'Bare', 'Active', 'USD', now(), now()) returning id`;

const app = new Koa();
app.use(async (ctx) => {
  const readOnly = ctx.method === 'GET';
  if (!readOnly) for await (const _ of ctx.req) void _;
  const values = readOnly ? [tenantId, ctx.path.slice(ctx.path.lastIndexOf('/') + 1)] : [tenantId];
  const text = readOnly ? read : insert;
  const name = text.slice(0, 'select'.length);
  const rows = ctx.path.startsWith('/fenced')
    ? await inTenant(db, tenantId, (tx) => tx.query(text, values, name), { readOnly })
    : await unfenced(`open ${name}`, text, values);
  ctx.status = readOnly ? 200 : 201;
  ctx.body = JSON.stringify(rows);
});

/** As without tenants: a separate table without a policy, and no explicit transaction. */
async function unfenced(name: string, sql: string, values: readonly unknown[]): Promise<unknown> {
  const text = sql.replace(/(from|into) customer/, '$1 bare_customer');
  return (await db.pool.query({ name, text, values: [...values] })).rows;
}

// oxlint-disable-next-line typescript/no-misused-promises -- Koa answers by itself
const server = await listen(app.callback(), { host: '127.0.0.1', port: 0 });
process.stdout.write(`${server.port}\n`);
process.stdin.resume().once('close', () => {
  void server
    .drain()
    .then(() => db.close())
    .then(() => process.exit());
});
