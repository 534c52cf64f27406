/** What traces tell, and that they cost nothing where nobody collects them. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { InMemorySpanExporter, type ReadableSpan } from '@opentelemetry/sdk-trace-base';
import test from 'ava';
import { withOrigin, currentOrigin, ofNobody } from '../../../operations/context/origin.ts';
import type { GatewayAdapter } from '../../../providers/gateway/adapter.ts';
import { guarded } from '../../../providers/gateway/adapters.ts';
import { GatewayError } from '../../../providers/gateway/gateway.ts';
import { startTraces } from '../../../providers/traces/traces.ts';

const root = join(import.meta.dirname, '../../..');

/** Keeps what it was given when it is closed, as a collector does. */
class Kept extends InMemorySpanExporter {
  spans: readonly ReadableSpan[] = [];
  override shutdown(): Promise<void> {
    this.spans = this.getFinishedSpans();
    return super.shutdown();
  }
}

test.serial(
  'a request and the calls below it are one trace, without any word of an error',
  async (t) => {
    const exporter = new Kept();
    const traces = startTraces({
      endpoint: 'http://127.0.0.1:4318',
      process: 'api',
      version: '1',
      exporter,
    });
    const secret = 'card 4242 of Ada, 12.50';
    const adapter = {
      name: 'sandbox',
      charge: () => Promise.resolve({ outcome: 'approved' }),
      void: () =>
        Promise.reject(new GatewayError('unknown', 'timeout', { cause: new Error(secret) })),
    } as unknown as GatewayAdapter;
    const gateway = guarded(adapter, { timeLimitMs: 1_000, now: () => 0 });
    let later: (() => Promise<unknown>) | undefined;
    await traces.request(
      'r-1',
      async (within) => {
        await gateway.charge({} as never);
        later = () => within(() => gateway.void({} as never));
      },
      () => ({ route: 'POST /order', status: 500, tenant: 'demo' }),
    );
    await t.throwsAsync(async () => later?.());
    // Nobody began it.
    await gateway.charge({} as never);
    await traces.close();
    const shown = exporter.spans.map(({ name, attributes, status, events }) => ({
      name,
      attributes,
      code: status.code,
      events: events.length,
    }));
    t.deepEqual(shown, [
      { name: 'sandbox charge', attributes: { 'sundial.outcome': 'approved' }, code: 0, events: 0 },
      {
        name: 'POST /order',
        attributes: {
          'sundial.request_id': 'r-1',
          'http.response.status_code': 500,
          'sundial.tenant': 'demo',
        },
        code: 2,
        events: 0,
      },
      { name: 'sandbox void', attributes: { 'sundial.outcome': 'unknown' }, code: 0, events: 0 },
    ]);
    const [charge, request, voided] = exporter.spans;
    t.is(charge?.spanContext().traceId, request?.spanContext().traceId);
    t.is(charge?.parentSpanId, request?.spanContext().spanId);
    t.is(voided?.parentSpanId, request?.spanContext().spanId);
    t.notRegex(JSON.stringify(shown), /4242|Ada|12\.50/);
  },
);

test.serial('an interceptor of Temporal tells no reason and no error', async (t) => {
  const exporter = new Kept();
  const traces = startTraces({ endpoint: 'http://x', process: 'api', version: '1', exporter });
  const input = { workflowExecution: { workflowId: 'order/demo/17' }, reason: 'Ada did not pay' };
  await t.throwsAsync(async () =>
    traces.client.terminate?.(input, () => Promise.reject(new Error('no such Ada'))),
  );
  await traces.close();
  const [span] = exporter.spans;
  t.deepEqual(span?.attributes, { temporalWorkflowId: 'order/demo/17' });
  t.deepEqual(span?.events, []);
  t.deepEqual(span?.status, { code: 2 });
});

test('without a collector no package of traces is loaded', (t) => {
  const script = `
    import { Module } from 'node:module';
    await import('./api/http/run-api.ts');
    await import('./activities/run-worker.ts');
    await import('./providers/traces/open-traces.ts');
    const loaded = Object.keys(Module._cache);
    if (!loaded.some((file) => file.includes('@temporalio/worker'))) throw new Error('nothing seen');
    process.stdout.write(loaded.filter((file) =>
      /opentelemetry.(sdk|exporter|otlp|resources)|interceptors-opentelemetry/.test(file)).join());`;
  const args = ['--input-type=module', '--eval', script];
  t.is(execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' }), '');
});

test('what a request begins later is known as its own, and work of nobody is not', async (t) => {
  const asNobody = ofNobody();
  await withOrigin({ requestId: 'r-2' }, async () => {
    await Promise.resolve();
    t.is(currentOrigin()?.requestId, 'r-2');
    t.is(
      asNobody(() => currentOrigin()),
      undefined,
    );
  });
  t.is(currentOrigin(), undefined);
});
