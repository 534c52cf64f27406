/** Uploads of 1,000 records each, of one tenant and of several, beside COPY of the same rows. */
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { RECORDS_PER_UPLOAD } from '../client/calls.ts';
import { callSlice, startClient } from '../harness/client.ts';
import { copy, lastId, openOwner } from '../harness/copy.ts';
import type { Bench } from '../harness/scenario.ts';
import type { Table } from '../harness/tables.ts';
import type { Tenant } from '../harness/tenants.ts';
import { figuresOf, median, type Slice } from '../harness/turns.ts';
import { usageTenant, type UsageSizes } from './usage-records.ts';

/** Longer than the API keeps lines of its log back. */
const LOG_MS = 400;

export async function uploads(
  bench: Bench,
  { connections: counts, customers, rounds, sliceMs }: UsageSizes,
): Promise<Table[]> {
  const system = await bench.system();
  const made = { orders: customers, contractCode: 'YEARLY' } as const;
  const tenants: Tenant[] = [];
  const most = Math.max(...counts);
  while (tenants.length < most) {
    tenants.push(await usageTenant(system, `usage${tenants.length}`, made));
  }
  const { id: toTenant } = await usageTenant(system, 'usage-copied', made);
  const owner = await openOwner(bench);
  await owner.query(makeWindows, [toTenant]);
  const client = startClient(bench);
  const upload = (connections: number, of: number): Promise<Slice> => {
    const targets = tenants.slice(0, of).map(({ target }) => target);
    const facts = { customerCount: customers };
    return callSlice(client, system, {
      what: 'POST activities',
      connections,
      targets,
      facts,
      measureMs: sliceMs,
    });
  };
  const round = async (connections: number, of: number): Promise<Slice> => {
    const afterId = await lastId(owner);
    const logged = (await readFile(system.apiLog)).length;
    const slice = await upload(connections, of);
    await sleep(LOG_MS);
    const log = (await readFile(system.apiLog)).subarray(logged).toString();
    const copied = await copy(bench, owner, [activities(toTenant)], { afterId, toTenant });
    const uploaded = waitsIn(log);
    const copiesPerSecond = uploaded.length / copied.seconds;
    return {
      'of COPY': (slice['per second'] ?? Number.NaN) / copiesPerSecond,
      ...slice,
      'wait ms': median(uploaded),
      'COPYs per second': copiesPerSecond,
      'CPU ms of COPY': (copied.cpuSeconds * 1_000) / uploaded.length,
    };
  };
  // This makes the windows and the statements' plans, and starts the thread of heavy calls.
  await upload(most, most);
  const rows = [];
  const several = counts.filter((count) => count > 1);
  for (const [count = 1, of = 1] of [
    ...counts.map((each) => [each, 1]),
    ...several.map((each) => [each, each]),
  ]) {
    bench.say(`Uploads at ${count} connections of ${of} tenants`);
    const slices: Slice[] = [];
    while (slices.length < rounds) slices.push(await round(count, of));
    rows.push({ 'at once': count, tenants: of, ...figuresOf(slices, median) });
  }
  return [{ title: `Uploads of ${RECORDS_PER_UPLOAD} records (medians)`, rows }];
}

/** What each upload waited for its turn. */
function waitsIn(log: string): number[] {
  return log.split('\n').flatMap((line) => {
    if (!line.includes('/rest/activities')) return [];
    const { waited = 0 } = JSON.parse(line) as { readonly waited?: number };
    return [waited];
  });
}

const makeWindows = `
  insert into usage_window (tenant_id, order_line_id, period_index)
  select l.tenant_id, l.id, 0 from order_line l where l.tenant_id = $1 on conflict do nothing`;

/** The rows of a tenant whose customers and orders are those of the tenants that uploaded, with ids of their own. */
const activities = (tenant: number) => ({
  table: 'activity',
  by: 'r.old_id',
  columns:
    'tenant_id, id, batch_id, customer_id, order_line_id, window_id, ext_ref_id, quantity, charge_date, ' +
    'created_at',
  from: `(
    select a.id as old_id, nextval('id_seq') as id, a.batch_id, own.id as customer_id,
      l.id as order_line_id, w.id as window_id, a.ext_ref_id, a.quantity, a.charge_date, a.created_at
    from activity a
    join customer c on c.tenant_id = a.tenant_id and c.id = a.customer_id
    join customer own on own.tenant_id = ${tenant} and own.ext_customer_ref = c.ext_customer_ref
    join subscription_order o on o.tenant_id = ${tenant} and o.customer_id = own.id
    join order_line l on l.tenant_id = ${tenant} and l.order_id = o.id
    join usage_window w on w.tenant_id = ${tenant} and w.order_line_id = l.id
    where a.tenant_id <> ${tenant} order by a.id)`,
});
