/** What a process counts, and who may scrape it. */
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import test from 'ava';
import { createTurns } from '../../../db/connection/turns.ts';
import { OperatorError } from '../../../operator-error.ts';
import { GatewayError } from '../../../providers/gateway/gateway.ts';
import { guarded } from '../../../providers/gateway/adapters.ts';
import type { GatewayAdapter } from '../../../providers/gateway/adapter.ts';
import { OTHER_TENANTS, TENANT_LABELS_MAX } from '../../../providers/metrics/metric.ts';
import { metricsOfProcess } from '../../../providers/metrics/of-process.ts';
import { createMetrics } from '../../../providers/metrics/registry.ts';
import { startMetricsServer } from '../../../providers/metrics/server.ts';
import { processMetrics } from '../../../providers/metrics/table.ts';

const build = { process: 'api', version: '1.2.3', build: '1.2.3-abc', schema: '0310' } as const;
const token = 'a-token-of-thirty-characters!!';

const lineOf = (text: string, start: string): string | undefined =>
  text.split('\n').find((line) => line.startsWith(start));

test('a scrape without the token, or with another one, is 401 and shows nothing', async (t) => {
  const metrics = await metricsOfProcess({ port: 0, host: '127.0.0.1', token }, build);
  t.teardown(() => metrics?.stop());
  const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(`http://127.0.0.1:${metrics?.port}${path}`, { headers, method });
  for (const authorization of ['', 'Bearer', `Bearer ${token}x`, `Basic ${token}`, token]) {
    const answer = await ask('/metrics', authorization === '' ? {} : { authorization });
    t.is(answer.status, 401, authorization);
    t.is(answer.headers.get('www-authenticate'), 'Bearer');
    t.notRegex(await answer.text(), /sundial_/);
  }
  t.is((await ask('/other')).status, 401);
  const authorization = `Bearer ${token}`;
  const scrape = await ask('/metrics?name=x', { authorization });
  t.is(scrape.status, 200);
  t.regex(scrape.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
  t.regex(await scrape.text(), /^sundial_build_info\{process="api",version="1\.2\.3"/m);
  t.is((await ask('/other', { authorization })).status, 404);
  t.is((await ask('/metrics', { authorization }, 'POST')).status, 405);
});

test('a port that another program has ends the start with its reason', async (t) => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  t.teardown(() => other.close());
  const { port } = other.address() as AddressInfo;
  const starting = (host: string, wanted: number) =>
    startMetricsServer({
      host,
      port: wanted,
      token: undefined,
      text: () => Promise.resolve(''),
      contentType: 'text/plain',
    });
  const taken = await t.throwsAsync(starting('127.0.0.1', port), { instanceOf: OperatorError });
  t.is(
    taken?.message,
    `METRICS_PORT ${port} of 127.0.0.1 cannot be used: another program listens there`,
  );
  const elsewhere = await t.throwsAsync(starting('192.0.2.1', 0), { instanceOf: OperatorError });
  t.regex(elsewhere?.message ?? '', /METRICS_HOST is no address of this machine$/);
});

test('requests are counted by route and class, and 503s by tenant', async (t) => {
  const metrics = createMetrics(build);
  t.teardown(metrics.close);
  const own = { route: 'GET /customer/:id', tenant: 'demo' };
  metrics.request({ ...own, status: 200, milliseconds: 7 });
  metrics.request({ ...own, status: 204, milliseconds: 20 });
  metrics.request({ ...own, status: 503, milliseconds: 1 });
  metrics.request({ route: undefined, tenant: undefined, status: 404, milliseconds: 1 });
  const text = await metrics.text();
  const route = 'route="GET /customer/:id",status="2xx"';
  t.is(lineOf(text, `sundial_request_seconds_count{${route}`)?.split(' ').at(-1), '2');
  t.is(lineOf(text, `sundial_request_seconds_bucket{le="0.01",${route}`)?.split(' ').at(-1), '1');
  t.truthy(lineOf(text, 'sundial_request_seconds_count{route="none",status="4xx"} 1'));
  t.truthy(lineOf(text, 'sundial_busy_total{tenant="demo"} 1'));
});

test('tenants beyond the limit are one label', async (t) => {
  const metrics = createMetrics(build);
  t.teardown(metrics.close);
  for (let count = 0; count < TENANT_LABELS_MAX + 5; count += 1) {
    const tenant = `t${count}`;
    metrics.request({ route: undefined, status: 503, tenant, milliseconds: 1 });
  }
  const lines = (await metrics.text())
    .split('\n')
    .filter((line) => line.startsWith('sundial_busy_total{'));
  t.is(lines.length, TENANT_LABELS_MAX + 1);
  t.true(lines.includes(`sundial_busy_total{tenant="${OTHER_TENANTS}"} 5`));
});

test('waits for turns are counted, and nothing that had its turn at once', async (t) => {
  const metrics = createMetrics(build);
  t.teardown(metrics.close);
  const turns = createTurns({ of: 'a test', placesMax: 1, waitingMax: 1, waitMs: 60_000 });
  const leave = await turns.take('demo');
  const second = turns.take('demo');
  await t.throwsAsync(turns.take('demo'));
  t.truthy(lineOf(await metrics.text(), 'sundial_turns_waiting{turns="a test"} 1'));
  leave();
  (await second)();
  const text = await metrics.text();
  t.truthy(lineOf(text, 'sundial_turns_waiting{turns="a test"} 0'));
  const count = 'sundial_turn_wait_seconds_count{turns="a test",outcome=';
  t.truthy(lineOf(text, `${count}"begun"} 1`));
  t.truthy(lineOf(text, `${count}"full"} 1`));
  t.is(lineOf(text, `${count}"late"`), undefined);
});

test('calls of gateways are counted by what they gave', async (t) => {
  const metrics = createMetrics(build);
  t.teardown(metrics.close);
  const adapter = {
    name: 'sandbox',
    charge: () => Promise.resolve({ outcome: 'declined' }),
    void: () => Promise.reject(new GatewayError('unavailable', 'http_503')),
    remove: () => Promise.resolve(),
  } as unknown as GatewayAdapter;
  const gateway = guarded(adapter, { timeLimitMs: 1_000, now: () => 0 });
  await gateway.charge({} as never);
  await t.throwsAsync(gateway.void({} as never));
  await gateway.remove({ token: 't' });
  const text = await metrics.text();
  const count = 'sundial_gateway_call_seconds_count{';
  t.truthy(lineOf(text, `${count}gateway="sandbox",call="charge",outcome="declined"} 1`));
  t.truthy(lineOf(text, `${count}gateway="sandbox",call="void",outcome="unavailable"} 1`));
  t.truthy(lineOf(text, `${count}gateway="sandbox",call="remove",outcome="done"} 1`));
});

test('lines of the log are counted by their work', async (t) => {
  const metrics = createMetrics(build);
  t.teardown(metrics.close);
  metrics.work({
    work: 'billing batch',
    customers: 3,
    orders: 4,
    invoices: 2,
    held: 1,
    milliseconds: 500,
  });
  metrics.work({ work: 'retry', of: 'payment', tenant: 'demo' });
  const text = await metrics.text();
  t.truthy(lineOf(text, 'sundial_billed_total{what="invoices"} 2'));
  t.truthy(lineOf(text, 'sundial_work_total{work="retry",of="payment"} 1'));
  t.truthy(lineOf(text, 'sundial_work_seconds_total{work="billing batch"} 0.5'));
});

test('what a subject samples is read once a scrape, and is gone with it', async (t) => {
  const metrics = createMetrics(build);
  t.teardown(metrics.close);
  let reads = 0;
  const rows = ['sundial_a', 'sundial_b'].map((name) => ({
    name,
    type: 'gauge' as const,
    help: 'A test.',
    labels: ['tenant'],
    of: 'worker' as const,
  }));
  const hide = metrics.sampled({
    rows,
    read() {
      reads += 1;
      return rows.map(({ name }) => ({ name, labels: { tenant: 'demo' }, value: reads }));
    },
  });
  const first = await metrics.text();
  t.truthy(lineOf(first, 'sundial_a{tenant="demo"} 1'));
  t.truthy(lineOf(first, 'sundial_b{tenant="demo"} 1'));
  await new Promise((resolve) => setImmediate(resolve));
  t.truthy(lineOf(await metrics.text(), 'sundial_b{tenant="demo"} 2'));
  hide();
  t.is(lineOf(await metrics.text(), 'sundial_a{'), undefined);
  t.notThrows(() => metrics.sampled({ rows, read: () => [] }));
});

test('each metric of the table is one of the registry', async (t) => {
  const metrics = createMetrics(build);
  t.teardown(metrics.close);
  const text = await metrics.text();
  for (const { name, type } of Object.values(processMetrics)) {
    t.true(text.includes(`# TYPE ${name} ${type}\n`), name);
  }
});
