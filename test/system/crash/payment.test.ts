/**
 * Kills the worker, the API and the Temporal server with SIGKILL at every step of a payment, which
 * a gate (gates.ts) or the sandbox's delay stops there. Afterwards each payment becomes final by
 * itself, with one charge in the sandbox's log, and one in the books.
 */
import { isDeepStrictEqual } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import { prepaid, recurring } from '../../operations/support/plans.ts';
import { idOf } from '../../api/payments/bodies.ts';
import type { Received } from '../../api/support.ts';
import { isLong } from '../../support/random.ts';
import { suffix } from '../../support/temporal.ts';
import { auditIsClean, endConnections } from './aftermath.ts';
import { gateBefore } from './gate.ts';
import { openGates } from './gates.ts';
import { startParts } from './parts.ts';
import { openPayers } from './payers.ts';
import { APPROVED, asked, paidOnce, scenes } from './scenes.ts';
import { openShop } from './shop.ts';
import { openTestDatabase, openTill } from './till.ts';
import { until } from '../../support/until.ts';

/**
 * The waiting time of the API, which must be long enough for calls that are cut off while they
 * wait.
 */
const PATIENT = { PAYMENT_WAIT_SECONDS: '60' };
const HASTY = { PAYMENT_WAIT_SECONDS: '1' };

const parts = await startParts(PATIENT);
const db = await openTestDatabase(parts, 'sundial_app');
const relayDb = await openTestDatabase(parts, 'sundial_relay');
const gates = await openGates(parts.ownerUrl);
const till = await openTill(parts, db, {
  label: `crash-${suffix()}`,
  testClock: '2027-01-01T12:00:00Z',
  file: { gateway: { type: 'sandbox', actionDays: 3 } },
});

test.afterEach.always(() => gates.openAll());
test.after.always(async () => {
  await gates.end();
  await parts.stop();
  for (const opened of [db, relayDb]) await opened.close();
});

const bury = (part: 'worker' | 'api') => endConnections(parts, part);
const allIsRight = (t: ExecutionContext) => auditIsClean(t, parts, { db, relayDb });

/** The call is answered, whether its payment was final in time or not. */
const isTaken = ({ status }: Received): boolean => status === 201 || status === 202;

/** The run of all tests keeps the death of a worker. */
function later(title: string, run: (t: ExecutionContext) => Promise<void>): void {
  if (isLong) test.serial(title, run);
}

test.serial(
  'the worker dies at every step: the next worker completes each payment once',
  async (t) => {
    const staged = await Promise.all(
      scenes.map(async (scene) => ({ ...scene, id: await till.customer() })),
    );
    const [answered, inFlight] = await Promise.all([till.customer(), till.customer()]);
    for (const { before, id } of staged) await before?.(till, id);
    const closed = staged.flatMap(({ gate, id }) => (gate ? [gate(id)] : []));
    const [record, call] = [`record/${answered}/1`, `call/${inFlight}/1`] as const;
    const gathered = staged.flatMap(({ gathersAt, id, middle }) =>
      gathersAt ? [{ id, at: gathersAt(id), middle }] : [],
    );
    const gathering = gathered.map(({ at }) => at);
    await gates.close(...closed, ...gathering, record, call);
    const calls = staged.flatMap(({ act, id }) => act(till, id));
    calls.push(till.pay(answered), till.pay(inFlight));
    // The sandbox holds these back for a minute at most.
    const slow = staged.filter(({ gate }) => gate === null);
    const slowAreThere = Promise.all(slow.map(({ id, middle }) => till.tells(id, middle)));
    await Promise.all(gathered.map(({ id, middle }) => till.tells(id, { books: middle.books })));
    await gates.open(...gathering);
    await gates.reached(...closed, record, call);
    await slowAreThere;
    const gated = staged.filter(({ gate }) => gate !== null);
    await Promise.all(gated.map(({ id, middle }) => till.tells(id, middle)));

    // After the record, before the engine receives the result.
    parts.temporal.freeze();
    await gates.open(record);
    await till.tells(answered, paidOnce);
    await parts.worker.kill();
    // A call on its way to the gateway arrives there after its sender has died.
    await gates.open(call);
    await till.tells(inFlight, { log: paidOnce.log });
    await bury('worker');
    for (const { id, step, middle } of gated) t.like(await till.story(id), middle, step);
    for (const { id, step, middle, end } of slow) {
      const story = await till.story(id);
      const isOver = isDeepStrictEqual(story, end);
      if (isOver) t.log(`LEFT OUT, as the machine was too slow for it: ${step}`);
      else t.like(story, middle, step);
    }
    t.like(await till.story(inFlight), { books: ['Payment Pending Charging 10.00'] });

    await gates.open(...closed);
    parts.temporal.thaw();
    await parts.worker.start();
    const ids = staged.map(({ id }) => id);
    await till.settled(...ids, answered, inFlight);
    for (const { id, step, end, orEnd } of staged) {
      const story = await till.story(id);
      t.deepEqual(story, isDeepStrictEqual(story, orEnd) ? orEnd : end, step);
    }
    for (const id of [answered, inFlight]) t.deepEqual(await till.story(id), paidOnce);
    t.true((await Promise.all(calls)).every(isTaken));
    await allIsRight(t);
  },
);

later('the API dies before its write and while it waits: a retry makes one payment', async (t) => {
  const [unwritten, waiting] = [await till.customer(), await till.customer()];
  const [write, record] = [`insert/${unwritten}/1`, `record/${waiting}/1`] as const;
  const again = (id: number): Promise<Received> => till.pay(id, { key: `crash ${id}` });
  const before = await vaulted();
  await gates.close(write, record);
  const cut = [t.throwsAsync(again(waiting))];
  await gates.reached(record);
  cut.push(t.throwsAsync(again(unwritten)));
  await gates.reached(write);
  await parts.api.kill();
  await bury('api');
  await Promise.all(cut);
  t.is(await vaulted(), before + 2);
  t.deepEqual((await till.story(unwritten)).books, []);

  await parts.api.start(HASTY);
  // The payment that is under way is shown in its present state, and no second one is made.
  const shown = await again(waiting);
  t.is(shown.status, 202, shown.body);
  t.is(shown.headers['idempotency-replayed'], 'true');
  await gates.open(write, record);
  t.true(isTaken(await again(unwritten)));
  await till.settled(unwritten, waiting);
  for (const id of [unwritten, waiting]) t.is((await again(id)).status, 201);
  for (const id of [unwritten, waiting]) t.deepEqual(await till.story(id), paidOnce);
  t.is(await vaulted(), before + 2);
  await allIsRight(t);
});

/** The number of methods in the sandbox's vault. */
async function vaulted(): Promise<number> {
  return (await till.read('select from sandbox_method')).length;
}

later(
  'the engine dies: its payments are completed later, and new ones are accepted meanwhile',
  async (t) => {
    const [charging, unstarted, later] = [
      await till.customer(),
      await till.customer(),
      await till.customer(),
    ];
    await parts.api.kill();
    await parts.api.start(PATIENT);
    const call = `call/${charging}/1` as const;
    await gates.close(call);
    const cut = [t.throwsAsync(till.pay(charging))];
    await gates.reached(call);
    parts.temporal.freeze();
    const again = (): Promise<Received> => till.pay(unstarted, { key: `crash ${unstarted}` });
    cut.push(t.throwsAsync(again()));
    await till.tells(unstarted, { books: ['Payment Pending Waiting 10.00'] });
    // After its commit the API waits for an engine that does not know the payment.
    await parts.api.kill();
    await parts.temporal.kill();
    await Promise.all(cut);
    t.deepEqual((await till.story(charging)).books, ['Payment Pending Charging 10.00']);
    await gates.open(call);
    await parts.api.start(HASTY);
    for (const answer of [await again(), await till.pay(later)]) {
      t.is(answer.status, 202, answer.body);
    }
    t.deepEqual((await till.story(later)).log, []);

    await parts.temporal.start();
    await till.settled(charging, unstarted, later);
    for (const id of [charging, unstarted, later]) t.deepEqual(await till.story(id), paidOnce);
    t.is((await again()).status, 201);
    await allIsRight(t);
  },
);

later(
  'the worker dies before and during the charges of a renewal: each is charged once',
  async (t) => {
    const shop = await openShop(parts, db, 12);
    const reservations = shop.customers.map((id) => `reserve/${id}/1` as const);
    await gates.close(...reservations);
    await shop.advance('2027-01-02');
    const claimed = { books: ['Payment Pending Waiting 10.00'], log: [] };
    await Promise.all(shop.customers.map((id) => shop.tells(id, claimed)));
    await parts.worker.kill();
    await bury('worker');
    await gates.open(...reservations);
    await parts.worker.start();
    await shop.arrived();
    for (const id of shop.customers) t.deepEqual(await shop.story(id), paidOnce);

    const [first = 0, second = 0] = shop.customers;
    const among = [`call/${first}/1`, `record/${second}/1`] as const;
    await gates.close(...among);
    await shop.advance('2027-02-02');
    await gates.reached(...among);
    await parts.worker.kill();
    await bury('worker');
    await gates.open(...among);
    await parts.worker.start();
    await shop.arrived();
    const paidTwice = {
      books: [...paidOnce.books, ...paidOnce.books],
      log: [...paidOnce.log, ...paidOnce.log],
      sums: 'owes 0.00 applied 20.00 left 0.00',
    };
    for (const id of shop.customers) t.deepEqual(await shop.story(id), paidTwice);
    await allIsRight(t);
  },
);

later('the API dies amid confirmations: Paid exactly if the gateway has charged', async (t) => {
  const payers = await openPayers(parts, db);
  const { once, twice, gone, deleted, abandoned } = payers.ids;
  // Before the gateway hears of a confirmation whose number is stored.
  const heard = await gateBefore('sandbox_challenge', 'true', parts.ownerUrl);
  await heard.close();
  const confirming = payers.confirms(once);
  await heard.reached();
  await dies();
  await heard.open();
  await heard.end();
  t.is(await confirming, null);
  t.deepEqual(await payers.story(once), asked);

  // After the gateway has charged, or has ended it, before the books say so.
  for (const id of [twice, gone]) await payers.answers(await payers.confirms(id));
  const ends = [twice, gone, deleted, abandoned].map((id) => `end/${id}/1` as const);
  await gates.close(...ends);
  const cut = [
    ...[twice, gone].map((id) => payers.comesBack(id)),
    ...[deleted, abandoned].map((id) => payers.deletes(id)),
  ];
  await gates.reached(...ends);
  await dies();
  await gates.open(...ends);
  t.deepEqual(await Promise.all(cut), [null, null, null, null]);
  for (const id of [twice, gone]) {
    t.like(await payers.story(id), { books: asked.books, log: paidOnce.log });
  }
  for (const id of [deleted, abandoned]) {
    t.like(await payers.story(id), { books: asked.books, log: ['charge Declined 10.00'] });
  }

  // One confirms again, one comes back again, one is deleted again; the other two never return.
  await payers.answers(await payers.confirms(once));
  await Promise.all([once, twice, twice].map((id) => payers.comesBack(id)));
  t.is((await payers.deletes(deleted))?.status, 200);
  await payers.advance('2027-01-05');
  for (const id of [once, twice, gone]) t.deepEqual(await payers.story(id), paidOnce);
  const unpaid = { log: ['charge Declined 10.00'], sums: asked.sums };
  t.deepEqual(await payers.story(deleted), { ...unpaid, books: ['Payment Canceled 10.00'] });
  t.deepEqual(await payers.story(abandoned), { ...unpaid, books: ['Payment Declined 10.00'] });
  await allIsRight(t);
});

async function dies(): Promise<void> {
  await parts.api.kill();
  await bury('api');
  await parts.api.start(PATIENT);
}

later(
  'the process dies after an invoice payable today: the invoice is paid on that day, once',
  async (t) => {
    const now = await openTill(parts, db, {
      label: `now-${suffix()}`,
      plans: [recurring('P', 10, prepaid)],
    });
    const id = await now.customer(false);
    await now.onFile(id, APPROVED);
    const order =
      `<subscriptionOrder><customer id="${id}"/><contractCode>P</contractCode>` +
      '<isAutoPay>true</isAutoPay></subscriptionOrder>';
    const orderId = idOf(await now.call('POST', '/orders', order));
    const undelivered = () => now.read(`select from outbox where kind = 'order'`);
    await until('its workflow sleeps', async () => (await undelivered()).length === 0);
    parts.temporal.freeze();
    const made = await now.call('POST', `/order/${orderId}?action=generateInvoice`);
    t.is(made.status, 200, made.body);
    await parts.api.kill();
    await bury('api');
    t.is((await undelivered()).length, 1);
    t.deepEqual((await now.story(id)).books, []);
    await parts.worker.kill();
    await bury('worker');
    parts.temporal.thaw();
    await parts.worker.start();
    await parts.api.start(HASTY);
    await now.tells(id, paidOnce);
    await allIsRight(t);
  },
);
