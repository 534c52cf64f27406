/** Entry of a worker like the real one, all of whose tenants are taxed by the AvaTax at AVATAX_URL. */
import { Connection } from '@temporalio/client';
import { Runtime } from '@temporalio/worker';
import { createLogger, temporalLogger } from '../../../activities/log.ts';
import { startWorker } from '../../../activities/run-worker.ts';
import { loadConfig, reachable } from '../../../config.ts';
import { workLog } from '../../../operations/context/work-log.ts';
import { ensureSearchAttributes } from '../../../providers/temporal/search-attributes.ts';
import { defaultTaskQueue } from '../../../workflows/contract.ts';
import { unsentMail } from '../../support/mail.ts';

const config = reachable(loadConfig(), 'the API');
const { databaseUrl, temporalAddress: address, temporalNamespace: namespace } = config;
const log = createLogger(config.logLevel);
Runtime.install({ logger: temporalLogger(log), shutdownSignals: [] });
const connection = await Connection.connect({ address });
await ensureSearchAttributes(connection, namespace);
await connection.close();
const { workflowBundle: codePath } = config;
const worker = await startWorker({
  databaseUrl,
  temporalAddress: address,
  temporalNamespace: namespace,
  taskQueue: defaultTaskQueue,
  workflowBundle: codePath === undefined ? undefined : { codePath },
  gateway: { secretKey: config.secretKey, stripeApiUrl: config.stripeApiUrl },
  mail: unsentMail(),
  identity: `taxing ${process.pid}`,
  realNow: () => Date.now(),
  onError: (error) => log.warn({ error }, 'continues'),
  onWork: workLog(log),
});
process.on('SIGTERM', () => void worker.stop().catch(() => undefined));
log.info('ready');
await worker.ended;
