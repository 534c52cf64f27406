/**
 * Entry: a worker that starts nothing again, on a task queue of its own, so that what is measured is the
 * work that a benchmark begins. It ends when its input ends.
 */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import { loadConfig } from '../../config.ts';
import { startWorker } from '../../activities/run-worker.ts';
import { openEmlFolder } from '../../providers/mail/open-mailer.ts';
import { noStorage } from '../../providers/storage/open-storage.ts';

const [databaseUrl = '', temporalAddress = '', temporalNamespace = '', taskQueue = ''] =
  process.argv.slice(2);
const SECRET_KEY = 'b'.repeat(64);

Runtime.install({
  logger: new DefaultLogger('ERROR'),
  telemetryOptions: { logging: { filter: { core: 'ERROR', other: 'ERROR' } } },
  shutdownSignals: [],
});
const { workflowBundle: codePath } = loadConfig();
const pages = { publicUrl: 'http://localhost', baseDomain: 'localhost' };
const worker = await startWorker({
  databaseUrl,
  temporalAddress,
  temporalNamespace,
  taskQueue,
  workflowBundle: codePath === undefined ? undefined : { codePath },
  identity: `bench ${process.pid}`,
  gateway: { secretKeys: [SECRET_KEY] },
  mail: { mailer: openEmlFolder(join(tmpdir(), 'sundial-bench-mail')), host: 'localhost', pages },
  storage: noStorage,
  realNow: Date.now,
  supervises: false,
  onError: (error) => process.stderr.write(`${String(error)}\n`),
});
process.stdin.resume().once('end', () => void worker.stop().catch(() => undefined));
process.stdout.write('ready\n');
await worker.ended;
process.exit();
