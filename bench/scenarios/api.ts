/** The interface: calls per second and their times, each beside a bare handler's. */
import { once } from 'node:events';
import { bareCalls, type interfaceCalls } from '../client/calls.ts';
import { callRows, startChild, startClient, startSecondApi, timesOf } from '../harness/client.ts';
import { openOwner } from '../harness/copy.ts';
import { memoryOf } from '../harness/processes.ts';
import { scenario, type Bench } from '../harness/scenario.ts';
import type { BenchSystem } from '../harness/system.ts';
import { addCustomers, addOrders, makeTenant } from '../harness/tenants.ts';

/** The baseline of each call: one indexed read, or one insert. */
const floors: Readonly<Record<string, string>> = {
  'GET customer': 'bare read',
  'list of 50 customers': 'bare read',
  'POST customer': 'bare insert',
  'POST order': 'bare insert',
  'POST order with invoice': 'bare insert',
} satisfies Record<keyof typeof interfaceCalls, keyof typeof bareCalls>;

export const api = scenario({
  about:
    'calls of the interface: per second, p50, p99, each beside a bare handler that does one indexed read or ' +
    "one insert in the same tenant's transaction; two API processes; the API's memory",
  sizes: { customers: 100_000, connections: [1, 8, 16], warmMs: 1_000, measureMs: 4_000 },
  brief: { customers: 100, connections: [2], warmMs: 20, measureMs: 60 },
  async measure(bench, { customers: count, connections: counts, ...times }) {
    const system = await bench.system();
    bench.say(`${count} customers and orders`);
    const { tenant, customers } = await filled(bench, system, count);
    const asked = { targets: [tenant.target], facts: { customers }, ...times };
    const bare = { ...tenant.target, port: await startBare(bench, system, tenant.id) };
    const { api: before = 0 } = await memoryOf(system.pids);
    const client = startClient(bench);
    const rows = [];
    for (const each of counts) {
      const connections = [each];
      const inBare = { ...asked, targets: [bare], connections };
      const ofBare = await callRows(bench, client, Object.keys(bareCalls), inBare);
      const rateOf = (name: string) =>
        ofBare.find((row) => row[''] === name)?.['per second'] ?? NaN;
      for (const row of await callRows(bench, client, Object.keys(floors), {
        ...asked,
        connections,
      })) {
        const floor = floors[row['']] ?? '';
        const shareOf = (name: string) => row['per second'] / rateOf(name);
        const shares = { 'of bare': shareOf(floor), 'of unfenced': shareOf(`${floor}, no fence`) };
        rows.push({ ...row, ...shares });
      }
      rows.push(...ofBare);
    }
    const { api: after = 0 } = await memoryOf(system.pids);
    const connections = counts[1] ?? 1;
    bench.say(`GET customer by two API processes, ${connections} at once each`);
    const port = await startSecondApi(bench);
    const what = 'GET customer';
    const rates = [tenant.target, { ...tenant.target, port }].map(async (target) => {
      const own = { ...asked, what, targets: [target], connections };
      return timesOf(await startClient(bench).ask(own), what)['per second'];
    });
    const perSecond = (await Promise.all(rates)).reduce((sum, rate) => sum + rate, 0);
    return [
      { title: `The interface on ${count} customers and orders`, rows },
      { title: `${what} by two API processes, ${connections} at once each`, rows: [{ perSecond }] },
      { title: "The API's memory in MB", rows: [{ before, after }] },
    ];
  },
});

async function filled(bench: Bench, system: BenchSystem, count: number) {
  const tenant = await makeTenant(system, 'api', { isRealTime: true });
  const customers = await addCustomers(system, tenant, count);
  const startDate = new Date().toISOString().slice(0, 'YYYY-MM-DD'.length);
  // Nothing of them becomes due.
  await addOrders(system, tenant, { count, startDate, billOn: '2099-01-01' });
  const owner = await openOwner(bench);
  await owner.query('create table bare_customer (like customer including all)');
  await owner.query('insert into bare_customer select * from customer');
  await owner.query('grant select, insert on bare_customer to sundial_app');
  await owner.query('vacuum analyze');
  return { tenant, customers };
}

async function startBare({ cleanups }: Bench, { ownerUrl }: BenchSystem, tenantId: number) {
  const ready = Promise.withResolvers<number>();
  const child = startChild('bench/baselines/server.ts', (line) => ready.resolve(Number(line)), {
    args: [ownerUrl, String(tenantId)],
  });
  cleanups.push(async () => {
    child.stdin.end();
    await once(child, 'exit');
  });
  return ready.promise;
}
