/**
 * Entry: the baseline, a bare Koa handler that does one indexed read or one insert, with or without
 * row-level security.
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

function fenced(text: string, values: readonly unknown[], readOnly: boolean): Promise<unknown> {
  return inTenant(db, tenantId, (tx) => tx.query(text, values, text.slice(0, 6)), { readOnly });
}

/** As without tenants: a separate table without a policy, and no explicit transaction. */
async function open(text: string, values: readonly unknown[]): Promise<unknown> {
  const { rows } = await db.pool.query({
    name: `open ${text.slice(0, 6)}`,
    text: text.replace(/(from|into) customer/, '$1 bare_customer'),
    values: [...values],
  });
  return rows;
}

const app = new Koa();
app.use(async (ctx) => {
  const isFenced = ctx.path.startsWith('/fenced');
  const isRead = ctx.method === 'GET';
  if (!isRead) for await (const _ of ctx.req) void _;
  const values = isRead ? [tenantId, ctx.path.slice(ctx.path.lastIndexOf('/') + 1)] : [tenantId];
  const text = isRead ? read : insert;
  const rows = await (isFenced ? fenced(text, values, isRead) : open(text, values));
  ctx.status = isRead ? 200 : 201;
  ctx.body = JSON.stringify(rows);
});
// oxlint-disable-next-line typescript/no-misused-promises -- Koa answers by itself
const server = await listen(app.callback(), { host: '127.0.0.1', port: 0 });
process.stdout.write(`${JSON.stringify({ port: server.port })}\n`);
process.stdin.resume().once('close', () => {
  void server
    .drain()
    .then(() => db.close())
    .then(() => process.exit());
});
