/** Entry of the thread for heavy calls: it runs the same routes as the main thread. */
import assert from 'node:assert';
import { AsyncLocalStorage } from 'node:async_hooks';
import { parentPort, workerData } from 'node:worker_threads';
import { openDatabase } from '../../../db/connection/database.ts';
import type { Dependencies } from '../../../operations/context/context.ts';
import { describeError } from '../../../operations/context/describe-error.ts';
import { openGateways } from '../../../operations/gateway-calls/gateways.ts';
import { gatewayAdapters } from '../../../providers/gateway/adapters.ts';
import { noStorage } from '../../../providers/storage/open-storage.ts';
import { createVault } from '../../../providers/vault.ts';
import { openTaxProviders } from '../../../operations/tax/providers.ts';
import { taxAdapters } from '../../../providers/tax/adapters.ts';
import { keepEventDocuments } from '../../../operations/feed/event-views.ts';
import { type Answer, isStreamed } from '../../calls/answer.ts';
import type { MissedId } from '../../calls/errors.ts';
import { createFormKeys } from '../../calls/form-keys.ts';
import { missedBy, refusalOf } from '../../calls/refusals.ts';
import { routeKey, xmlRoutesOf } from '../../calls/route-types.ts';
import { allRoutes } from '../../resources/routes.ts';
import { apiDatabase } from '../run-api.ts';
import { lowerThisThread } from '../priorities.ts';
import {
  BEAT_MS,
  type FromThread,
  type HeavySettings,
  type SentCall,
  type ToThread,
} from './messages.ts';

/** Two heavy calls run at once; each may read with two connections. */
const POOL_MAX = 4;
const TENANT_CONNECTIONS_MAX = 2;

const { databaseUrl, readDatabaseUrl, ...settings } = workerData as HeavySettings;
const { gateway, hashCost, fingerprintKey } = settings;
const moved = new AsyncLocalStorage<number[]>();
lowerThisThread();

const db = await openDatabase({
  ...apiDatabase({ databaseUrl, poolMax: POOL_MAX, tenantConnectionsMax: TENANT_CONNECTIONS_MAX }),
  name: `api ${process.pid} heavy`,
  // The main thread has checked its login, and tells what becomes of it.
  ...(readDatabaseUrl !== undefined && { replica: { url: readDatabaseUrl } }),
  noteMoved: (bytes) => void moved.getStore()?.push(bytes),
});
db.pool.on('error', (error) => say({ kind: 'lost', error: describeError(error) }));

const plain = { db, realNow: Date.now };
const { secretKeys } = gateway;
const dependencies: Dependencies = {
  ...plain,
  taxProviderOf: openTaxProviders(plain, taxAdapters(plain, { secretKeys })),
  keepDocuments: keepEventDocuments,
  onWork: (line) => say({ kind: 'work', line }),
};
const routes = new Map(
  xmlRoutesOf(
    allRoutes({
      ...dependencies,
      dispatch: (tenantId, nudges) => say({ kind: 'nudges', tenantId, nudges }),
      hashCost,
      fingerprintKey: Buffer.from(fingerprintKey),
      formKeys: createFormKeys(secretKeys, Date.now),
      gateways: openGateways(dependencies, gatewayAdapters(dependencies, gateway)),
      // A call that waits for others is never a heavy one.
      awaitPayment: () => Promise.resolve(),
      awaitSignup: () => Promise.resolve(),
      paymentWaitSeconds: 0,
      // Calls of gateways are no heavy ones, either.
      webhookSecretOf: () => Promise.resolve(null),
      // Nor are those of batches.
      storage: noStorage,
      vault: createVault(secretKeys),
      // Nor are those with addresses in their answers.
      baseDomain: '',
      publicUrl: '',
    }),
  ).map((route) => [routeKey(route), route]),
);

/** An answer that is a stream is given by the main thread. */
async function perform(key: string, sent: SentCall, missed: MissedId[]): Promise<Answer> {
  const route = routes.get(key);
  if (route === undefined) throw new Error(`no route ${key}`);
  const { headers, ...call } = sent;
  const answer = await route.respond({
    ...call,
    header: (name) => headers[name],
    noteMiss: (kind, id) => missed.push({ kind, id }),
  });
  assert(!isStreamed(answer), `${key} answers with a stream`);
  return answer;
}

async function take({ number, route, call }: Extract<ToThread, { kind: 'call' }>): Promise<void> {
  const ended = { number, moved: [] as number[] };
  const missed: MissedId[] = [];
  try {
    const answer = await moved.run(ended.moved, () => perform(route, call, missed));
    const body = bytesOf(answer);
    say({ ...ended, kind: 'answered', answer: { ...answer, body }, missed }, [body.buffer]);
  } catch (error) {
    const { status, errors, headers } = refusalOf(error);
    const cause = status >= 500 ? describeError(error) : undefined;
    const refusal = { status, errors, headers, missed: missedBy(error), cause };
    say({ ...ended, kind: 'refused', refusal });
  }
}

const encoder = new TextEncoder();

/** In memory of their own. The main thread need not encode megabytes, nor collect them. */
function bytesOf({ body }: Answer): Uint8Array<ArrayBuffer> {
  return typeof body === 'string' ? encoder.encode(body) : new Uint8Array(body);
}

function say(message: FromThread, moves: readonly ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, [...moves]);
}

parentPort?.on('message', (message: ToThread) => {
  if (message.kind === 'call') void take(message);
  // In a thread this ends the thread, and not the process.
  else void db.close().finally(() => process.exit());
});
setInterval(() => say({ kind: 'beat' }), BEAT_MS).unref();
say({ kind: 'ready' });
