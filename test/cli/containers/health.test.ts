/** What a worker answers a supervisor. */
import test from 'ava';
import { startWorkerHealth } from '../../../activities/health.ts';
import { OperatorError } from '../../../operator-error.ts';

test('a worker lives from its start on, and is ready while it takes tasks', async (t) => {
  let takesTasks = false;
  const host = '127.0.0.1';
  const health = await startWorkerHealth({ port: 0, host, isReady: () => takesTasks });
  t.teardown(health.stop);
  const statusOf = async (path: string) =>
    (await fetch(`http://${host}:${health.port}${path}`)).status;
  t.deepEqual([await statusOf('/livez'), await statusOf('/readyz')], [200, 503]);
  takesTasks = true;
  t.deepEqual([await statusOf('/livez'), await statusOf('/readyz')], [200, 200]);
  for (const path of ['/', '/healthz', '/readyz?x', '/__proto__', '/constructor']) {
    t.is(await statusOf(path), 404, path);
  }
  const { port } = health;
  const error = await t.throwsAsync(startWorkerHealth({ port, host, isReady: () => true }), {
    instanceOf: OperatorError,
  });
  t.regex(error?.message ?? '', /^HEALTH_PORT: .*EADDRINUSE/);
});
