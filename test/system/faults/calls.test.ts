/**
 * Every documented call that writes, with the connection to the database cut at each boundary of each
 * of its transactions, and with each of its calls to the outside failing. Sent again under its Idempotency-Key, the call ends as if nothing had happened:
 * with the same answer, and with the same rows in every table.
 */
import test, { registerCompletionHandler } from 'ava';
import { story } from '../../../api/docs/examples/examples.ts';
import type { Step } from '../../../api/docs/examples/example-step.ts';
import { billApart } from '../../../operations/billing/apart.ts';
import { audit } from '../../support/audit.ts';
import { openDatabase } from '../../../db/connection/database.ts';
import { prepareStep, storyUsers } from '../../api/docs/example-story.ts';
import { likeDemo } from '../../api/signups/calls.ts';
import { errorsOf, type Received } from '../../api/support.ts';
import { startTenantApi, valueOf } from '../../api/tenant-api.ts';
import { patientSession } from '../../support/database.ts';
import { countingCommits, startProxy, type Proxy } from '../../support/proxy.ts';
import { isLong } from '../../support/random.ts';
import { testStorage } from '../../support/storage.ts';
import { until } from '../../support/until.ts';
import type { Gateways } from '../../../providers/gateway/gateway.ts';
import { faultsOf, type Fault } from './faults.ts';
import { faultyPorts, nowhere } from './ports.ts';
import { more, rowCounter } from './rows.ts';

/** Of an order that is billed at once: it locks, rates, takes numbers and raises events. */
const SMALL = 'order-create';
/** The run of all tests keeps one of them. */
const writes = story.filter(({ method, name }) => method !== 'GET' && (isLong || name === SMALL));

let proxy: Proxy | undefined;
let ownerUrl = '';
let gateways: Gateways = nowhere.gateways;
const outside = faultyPorts({
  ...nowhere,
  storage: testStorage(),
  gateways: {
    ofTenant: (...which) => gateways.ofTenant(...which),
    named: (...which) => gateways.named(...which),
    returnUrl: (...which) => gateways.returnUrl(...which),
  },
});
const api = await startTenantApi({
  file: {
    ...likeDemo.file,
    users: storyUsers,
    documents: { cancellation: 'document' },
    gateway: { type: 'sandbox', actionDays: 3 },
  },
  storage: outside.ports.storage,
  gateways(real) {
    gateways = real;
    return outside.ports.gateways;
  },
  // A BatchInit is not finished here, and each look of a call that waits is a transaction.
  waitSeconds: 1,
  async through(url) {
    ownerUrl = url;
    proxy = await startProxy(url);
    return proxy.url;
  },
});

const dependencies = { db: api.db, realNow: Date.now };

registerCompletionHandler(() => proxy?.stop());

const rowsOf = await rowCounter(api.asOwner);

/**
 * While the clock of a tenant is advancing, it takes no other call to advance. Who suspends a suspended
 * user changes nothing.
 */
const ofTenant: ReadonlySet<string> = new Set(['/testClock', '/user/:id']);

let references = 0;
async function prepared(step: Step) {
  const own = ofTenant.has(step.route)
    ? await api.another({ file: { ...likeDemo.file, users: storyUsers } })
    : api;
  return { own, send: await prepareStep(own, step, `F-${(references += 1)}`) };
}

type Prepared = Awaited<ReturnType<typeof prepared>>;

/** As a caller does who hears that the service is not there, or that the key is in use. */
async function untilAnswered({ own, send }: Prepared): Promise<Received> {
  let answer: Received | undefined;
  const isAnswered = async (): Promise<boolean> => {
    answer = await send();
    const [code] = errorsOf(answer);
    // As the worker does with customers whose billing was cut off.
    const [, suspect] = /"customer\.billedApart" value="(\d+)"/.exec(answer.body) ?? [];
    if (suspect !== undefined) await billApart(dependencies, own.tenantId, Number(suspect));
    return answer.status !== 503 && code !== 'idempotency.inUse' && suspect === undefined;
  };
  await until('the call is answered', isAnswered).catch(() => undefined);
  if (answer === undefined) throw new Error('no answer');
  return answer;
}

/** As the workflow of a payment does that is under way; returns whether there is one. */
async function goOn(
  { own }: Prepared,
  { status, body }: Pick<Received, 'status' | 'body'>,
): Promise<boolean> {
  const payment = status === 202 ? valueOf(body, 'payment@id') : undefined;
  if (payment === undefined) return false;
  // The turn of a process that is gone ends by itself; a bank takes days.
  await until('the payment waits for nobody here', async () => {
    const { done, phase, status: now } = await own.advance(payment);
    return done || phase === 'Processing' || now === 'ActionRequired';
  });
  return true;
}

function began(each: Proxy | undefined): Proxy {
  if (!each) throw new Error('the proxy has not started');
  return each;
}

interface Undisturbed {
  readonly status: number;
  readonly body: string;
  /** The rows that it made, by table. */
  readonly made: ReturnType<typeof more>;
  /** Its transactions. */
  readonly counted: ReturnType<ReturnType<typeof countingCommits>['counted']>;
  readonly calls: typeof outside.calls;
}

const BUSY_MAX = 5;
const ACCEPTED = 202;

/** The call without a fault; a busy machine may answer that it is busy, which is tried anew. */
async function undisturbed(step: Step): Promise<Undisturbed> {
  for (let busy = 0; ; busy += 1) {
    const commits = countingCommits();
    const clean = await prepared(step);
    const start = await rowsOf(clean.own.tenantId);
    const calledBefore = outside.calls.length;
    proxy?.cutOnce(commits.cut);
    const answer = await clean.send();
    proxy?.heal();
    const calls = outside.calls.slice(calledBefore);
    await goOn(clean, answer);
    const made = more(start, await rowsOf(clean.own.tenantId));
    const { status, body } = answer;
    if (status < 500) return { status, body, made, counted: commits.counted(), calls };
    if (status !== 503 || busy === BUSY_MAX) throw new Error(`${status}: ${body}`);
    await untilAnswered(clean);
  }
}

/** The call with the fault, or how it was answered without; a busy machine may refuse it too early. */
async function reachedBy(fault: Fault, step: Step) {
  let answered = '';
  for (let busy = 0; busy <= BUSY_MAX; busy += 1) {
    const faulty = await prepared(step);
    const before = await rowsOf(faulty.own.tenantId);
    const hasHappened = fault.begin({ proxy: began(proxy), outside });
    const first = await faulty.send();
    if (hasHappened()) return { faulty, before, first };
    answered = `${fault.where}: ${first.status} ${errorsOf(first).join()}`;
    if (first.status !== 503) break;
    await untilAnswered(faulty);
  }
  return answered;
}

let walked = 0;

for (const step of writes) {
  test.serial(`${step.name} leaves the same wherever it is cut off`, async (t) => {
    const { status, body, made, counted, calls } = await undisturbed(step);
    // A call that waits for a workflow that nobody runs is answered before it is done.
    if (status !== ACCEPTED) t.is(status, step.status ?? 200, body);
    const missed: string[] = [];
    const walkedBefore = walked;
    for (const fault of faultsOf(counted, calls)) {
      const reached = await reachedBy(fault, step);
      if (typeof reached === 'string') {
        missed.push(reached);
        continue;
      }
      const { faulty, before, first } = reached;
      walked += 1;
      const where = `${fault.where}: ${first.status} ${errorsOf(first).join()}`;
      const last = await untilAnswered(faulty);
      // A payment whose processing was cut off is under way, and its workflow goes on with it.
      const isUnderWay = await goOn(faulty, last);
      if (!isUnderWay) t.is(last.status, status, `${where}: ${last.body}`);
      t.deepEqual(more(before, await rowsOf(faulty.own.tenantId)), made, where);
    }
    const answered = `${counted} transactions, ${status}; ${missed.join('; ')}`;
    t.true(walked > walkedBefore, `it was never cut off: ${answered}`);
  });
}

test.serial('the books are right after all of that', async (t) => {
  const pool = { ...patientSession, url: ownerUrl, poolMax: 2, name: 'test' };
  const [db, relayDb] = [
    await openDatabase({ ...pool, role: 'sundial_app' }),
    await openDatabase({ ...pool, role: 'sundial_relay' }),
  ];
  const report = await audit({ db, realNow: Date.now }, { relayDb, engine: null });
  t.deepEqual(
    report.tenants.flatMap(({ faults }) => faults),
    [],
  );
  t.log(`${walked} boundaries of ${writes.length} calls`);
  t.true(walked > writes.length * 3);
  await Promise.all([db.close(), relayDb.close()]);
});
