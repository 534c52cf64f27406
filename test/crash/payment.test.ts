/**
 * Kills the worker, the API and the Temporal server with SIGKILL at every step of a payment, which
 * is held there by a gate (gates.ts) or by the sandbox's own slowness. Afterwards each payment ends
 * by itself, charged once by the sandbox's log, and once in the books.
 */
import test from 'ava';
import type { ExecutionContext } from 'ava';
import { audit } from '../../operations/audit.ts';
import type { Received } from '../api/support.ts';
import { administer } from '../support/template.ts';
import { suffix } from '../support/temporal.ts';
import { openGates } from './gates.ts';
import { startParts } from './parts.ts';
import { paidOnce, scenes } from './scenes.ts';
import { openTestDatabase, openTill } from './till.ts';

const parts = await startParts();
const db = await openTestDatabase(parts, 'sundial_app');
const relayDb = await openTestDatabase(parts, 'sundial_relay');
const gates = await openGates(parts.ownerUrl);
const till = await openTill(parts, db, {
  label: `crash-${suffix()}`,
  testClock: '2027-01-01T12:00:00Z',
});

test.afterEach.always(() => gates.openAll());
test.after.always(async () => {
  await gates.end();
  await parts.stop();
  for (const opened of [db, relayDb]) await opened.close();
});

/** Ends the connections of one that was killed, which the database would notice later. */
async function bury(part: 'worker' | 'api'): Promise<void> {
  await administer(
    parts.ownerUrl,
    `select pg_terminate_backend(pid, 10000) from pg_stat_activity
     where datname = current_database() and application_name like '${part} %'`,
  );
}

async function allIsRight(t: ExecutionContext): Promise<void> {
  const report = await audit({ db, realNow: Date.now }, { relayDb, engine: parts.engine });
  t.deepEqual(
    report.tenants.flatMap(({ faults }) => faults),
    [],
  );
  t.true(report.clean);
}

/** The call is answered, whether its payment was final in time or not. */
const isTaken = ({ status }: Received): boolean => status === 201 || status === 202;

test.serial('the worker dies at every step: the next one ends what it left, once', async (t) => {
  const staged = await Promise.all(
    scenes.map(async (scene) => ({ ...scene, id: await till.customer() })),
  );
  const [answered, inFlight] = await Promise.all([till.customer(), till.customer()]);
  for (const { before, id } of staged) await before?.(till, id);
  const closed = staged.flatMap(({ gate, id }) => (gate ? [gate(id)] : []));
  const [record, call] = [`record/${answered}/1`, `call/${inFlight}/1`] as const;
  await gates.close(...closed, record, call);
  const calls = staged.flatMap(({ act, id }) => act(till, id));
  calls.push(till.pay(answered), till.pay(inFlight));
  await gates.reached(...closed, record, call);
  await Promise.all(staged.map(({ id, middle }) => till.tells(id, middle)));

  // After the record, before the engine hears of it.
  parts.temporal.freeze();
  await gates.open(record);
  await till.tells(answered, paidOnce);
  await parts.worker.kill();
  // What was on its way to the gateway arrives there without its sender.
  await gates.open(call);
  await till.tells(inFlight, { log: paidOnce.log });
  await bury('worker');
  for (const { id, step, middle } of staged) t.like(await till.story(id), middle, step);
  t.like(await till.story(inFlight), { books: ['Payment Pending Charging 10.00'] });

  await gates.open(...closed);
  parts.temporal.thaw();
  await parts.worker.start();
  const ids = staged.map(({ id }) => id);
  await till.settled(...ids, answered, inFlight);
  for (const { id, step, end } of staged) t.deepEqual(await till.story(id), end, step);
  for (const id of [answered, inFlight]) t.deepEqual(await till.story(id), paidOnce);
  t.true((await Promise.all(calls)).every(isTaken));
  await allIsRight(t);
});
