/**
 * Kills the worker and the API with SIGKILL at every step of later gateway answers: when it accepts
 * a call that takes days, gives its outcome, withdraws money, and sends an event.
 */
import test, { type ExecutionContext } from 'ava';
import { account, amount, pay } from '../../api/payments/bodies.ts';
import { intent, stripeServer } from '../../providers/gateway/stripe-server.ts';
import { suffix } from '../../support/temporal.ts';
import { auditIsClean, endConnections } from './aftermath.ts';
import { openGates } from './gates.ts';
import { startParts } from './parts.ts';
import { paidOnce } from './scenes.ts';
import { listOf, metadataOf, openStripeTill } from './stripe-account.ts';
import { type Story, type Till, openTestDatabase, openTill } from './till.ts';
import { until } from '../../support/until.ts';

const TAKES_DAYS = '000222222226';
const COMES_BACK = '000333333335';

const ends: (() => unknown)[] = [];
const server = await stripeServer({ teardown: (end) => void ends.push(end) });
const parts = await startParts({ STRIPE_API_URL: server.url, PAYMENT_WAIT_SECONDS: '5' });
const db = await openTestDatabase(parts, 'sundial_app');
const relayDb = await openTestDatabase(parts, 'sundial_relay');
const gates = await openGates(parts.ownerUrl);

test.afterEach.always(() => gates.openAll());
test.after.always(async () => {
  await gates.end();
  await parts.stop();
  for (const opened of [db, relayDb]) await opened.close();
  for (const end of ends) await end();
});

const allIsRight = (t: ExecutionContext) => auditIsClean(t, parts, { db, relayDb });

async function kill(part: 'worker' | 'api'): Promise<void> {
  await parts[part].kill();
  await endConnections(parts, part);
}

/** A tenant on a test clock whose customers pay by bank accounts of the sandbox. */
async function openBank(): Promise<Till & { readonly advance: (to: string) => Promise<void> }> {
  const label = `bank-${suffix()}`;
  const till = await openTill(parts, db, { label, testClock: '2027-01-01T12:00:00Z' });
  return {
    ...till,
    async advance(to) {
      const { status, body } = await till.call('POST', `/testClock?advanceTo=${to}`);
      if (status > 299) throw new Error(body);
    },
  };
}

const isReady = (till: Till) =>
  until('the clock is Ready', async () => {
    return (await till.read(`select from test_clock where status = 'Ready'`)).length === 1;
  });

const payBy = (till: Till, id: number, number: string) =>
  till.call('POST', '/payments', pay(`<customer id="${id}"/>${amount('10.00')}${account(number)}`));

const processing: Story = {
  books: ['Payment Pending Processing 10.00'],
  log: ['charge Processing 10.00'],
  sums: 'owes 10.00 applied 0.00 left 0.00',
};

test.serial(
  'after a kill while a charge is accepted, or while its late answer is recorded, it is charged once',
  async (t) => {
    const bank = await openBank();
    const [uncalled, unrecorded] = [await bank.customer(), await bank.customer()];
    const ids = [uncalled, unrecorded];
    const [call, accept] = [`call/${uncalled}/1`, `accept/${unrecorded}/1`] as const;
    await gates.close(call, accept);
    const answers = ids.map((id) => payBy(bank, id, TAKES_DAYS));
    await gates.reached(call, accept);
    await kill('worker');
    const charging = 'Payment Pending Charging 10.00';
    t.like(await bank.story(uncalled), { books: [charging] });
    t.like(await bank.story(unrecorded), { books: [charging], log: processing.log });
    await gates.open(call, accept);
    await parts.worker.start();
    await Promise.all(ids.map((id) => bank.tells(id, processing)));
    for (const { status } of await Promise.all(answers)) t.is(status, 202);
    await allIsRight(t);

    const records = ids.map((id) => `record/${id}/1` as const);
    await gates.close(...records);
    await bank.advance('2027-01-04');
    // Settlement asks about one payment after the other: one waits here, the other was not asked
    // about yet.
    await Promise.race(records.map((record) => gates.reached(record)));
    await kill('worker');
    for (const id of ids) t.like(await bank.story(id), { books: processing.books });
    await gates.open(...records);
    await parts.worker.start();
    await bank.settled(...ids);
    await isReady(bank);
    for (const id of ids) t.deepEqual(await bank.story(id), paidOnce);
    await allIsRight(t);
  },
);

test.serial('after a kill while a returned debit is withdrawn, it is withdrawn once', async (t) => {
  const bank = await openBank();
  const id = await bank.customer();
  t.is((await payBy(bank, id, COMES_BACK)).status, 201);
  t.deepEqual(await bank.story(id), paidOnce);
  const withdraw = `withdraw/${id}/1` as const;
  await gates.close(withdraw);
  await bank.advance('2027-01-04');
  await gates.reached(withdraw);
  await kill('worker');
  // The bank has returned the debit, but the books do not show it yet.
  const log = [...paidOnce.log, 'return Approved 10.00'];
  t.deepEqual(await bank.story(id), { ...paidOnce, log });
  await gates.open(withdraw);
  await parts.worker.start();
  await isReady(bank);
  t.deepEqual(await bank.story(id), {
    books: ['Payment Canceled 10.00'],
    log,
    sums: 'owes 10.00 applied 0.00 left 0.00',
  });
  const kinds = await bank.read('select kind from ledger_entry where customer_id = $1', id);
  t.is(kinds.filter(({ kind }: { kind?: string }) => kind === 'paymentReturned').length, 1);
  await allIsRight(t);
});

test.serial(
  'after a kill with a pending charge at Stripe, the charge is found by its key',
  async (t) => {
    const till = await openStripeTill(parts, db, server);
    const id = await till.customer();
    const made = intent({ id: 'pi_days', status: 'processing' });
    const charges = 'POST /v1/payment_intents';
    const asked = server.seen(charges);
    server.answer('POST', '/v1/payment_intents', 'is silent');
    const answer = till.pay(id);
    const metadata = metadataOf(await asked);
    await kill('worker');
    t.like(await till.story(id), { books: ['Payment Pending Charging 10.00'] });
    // Stripe has received the call, but its answer was lost.
    const amounts = { amount: 1000, metadata };
    const search = { object: 'search_result', data: [{ ...made, ...amounts }] };
    server.answer('GET', '/v1/payment_intents/search', { body: search });
    server.answer('GET', '/v1/payment_intents/pi_days', { body: { ...made, ...amounts } });
    await parts.worker.start();
    await till.tells(id, { books: processing.books });
    t.is((await answer).status, 202);
    t.is(till.count(charges), 1);
    await allIsRight(t);
  },
);

test.serial(
  'after a kill between taking an event and acting on it, the event has its effect once',
  async (t) => {
    const till = await openStripeTill(parts, db, server);
    const id = await till.customer();
    const charged = till.count('POST /v1/payment_intents');
    const at = '/v1/payment_intents/pi_event';
    const made = { id: 'pi_event', status: 'processing' };
    server.answer('GET', at, { body: intent(made) });
    t.is((await till.payBy(id, made)).status, 202);
    const books = ['Payment Pending Processing 12.50'];
    await till.tells(id, { books });
    const tell = () => till.event('evt_paid', 'payment_intent.succeeded', intent(made));

    // Before the commit: nothing was taken, and Stripe sends the event again.
    const event = `event/${id}/1` as const;
    await gates.close(event);
    const cut = t.throwsAsync(tell());
    await gates.reached(event);
    await kill('api');
    await cut;
    await gates.open(event);
    t.deepEqual(await till.events(id), []);
    await parts.api.start();

    // After the commit, before the engine is nudged.
    parts.temporal.freeze();
    t.is((await tell()).status, 200);
    await kill('api');
    t.deepEqual(await till.events(id), ['evt_paid open']);
    const look = server.seen(`GET ${at}`);
    server.answer('GET', at, 'is silent');
    parts.temporal.thaw();
    await parts.api.start();

    // While Stripe is asked, and while its answer is recorded.
    await look;
    await kill('worker');
    t.deepEqual(await till.events(id), ['evt_paid open']);
    server.answer('GET', at, { body: intent({ id: 'pi_event' }) });
    const record = `record/${id}/1` as const;
    await gates.close(record);
    await parts.worker.start();
    await gates.reached(record);
    await kill('worker');
    t.deepEqual(await till.events(id), ['evt_paid open']);
    t.like(await till.story(id), { books });
    await gates.open(record);
    await parts.worker.start();
    const end = { books: ['Payment Paid 12.50'], sums: 'owes -2.50 applied 10.00 left 2.50' };
    await till.tells(id, end);
    await until('it was asked', async () => (await till.events(id)).join() === 'evt_paid asked');
    t.is((await tell()).status, 200);
    t.deepEqual(await till.events(id), ['evt_paid asked']);
    t.like(await till.story(id), end);
    t.is(till.count('POST /v1/payment_intents'), charged + 1);
    await allIsRight(t);
  },
);

test.serial(
  'after a kill while a lost dispute is looked up, or while it is withdrawn, it is withdrawn once',
  async (t) => {
    const till = await openStripeTill(parts, db, server);
    const id = await till.customer();
    t.is((await till.payBy(id, { id: 'pi_lost' })).status, 201);
    const dispute = {
      id: 'du_1',
      object: 'dispute',
      payment_intent: 'pi_lost',
      amount: 1250,
      currency: 'usd',
      reason: 'fraudulent',
      status: 'lost',
      balance_transactions: [{ id: 'txn_1', amount: -1250 }],
    };
    const look = server.seen('GET /v1/disputes');
    server.answer('GET', '/v1/disputes', 'is silent');
    t.is((await till.event('evt_lost', 'charge.dispute.closed', dispute)).status, 200);
    await look;
    await kill('worker');
    t.deepEqual(await till.events(id), ['evt_lost open']);
    server.answer('GET', '/v1/disputes', listOf(dispute));
    const withdraw = `withdraw/${id}/1` as const;
    await gates.close(withdraw);
    await parts.worker.start();
    await gates.reached(withdraw);
    await kill('worker');
    t.deepEqual(await till.events(id), ['evt_lost open']);
    t.like(await till.story(id), { books: ['Payment Paid 12.50'] });
    await gates.open(withdraw);
    await parts.worker.start();
    const end = { books: ['Payment Canceled 12.50'], sums: 'owes 10.00 applied 0.00 left 0.00' };
    await till.tells(id, end);
    await until('it was asked', async () => (await till.events(id)).join() === 'evt_lost asked');
    // Another event of the same dispute withdraws nothing more.
    await till.event('evt_again', 'charge.dispute.funds_withdrawn', dispute);
    await until('again', async () => (await till.events(id)).includes('evt_again asked'));
    t.like(await till.story(id), end);
    await allIsRight(t);
  },
);

test.serial(
  'after a kill at any step of a refund that takes days, it is refunded once',
  async (t) => {
    const till = await openStripeTill(parts, db, server);
    const id = await till.customer(false);
    const refunds = 'POST /v1/refunds';
    t.is((await till.payBy(id, { id: 'pi_back' })).status, 201);
    server.answer('GET', '/v1/refunds', listOf());
    server.answer('POST', '/v1/refunds', 'is silent');
    const asked = server.seen(refunds);
    const answer = till.refund(id, '12.50');
    const metadata = metadataOf(await asked);
    await kill('worker');
    const charging = ['Payment Paid 12.50', 'Refund Pending Charging -12.50'];
    t.like(await till.story(id), { books: charging });

    // Stripe has made the refund, but its answer was lost.
    const made = { id: 're_1', amount: 1250, currency: 'usd', status: 'pending', metadata };
    server.answer('GET', '/v1/refunds', listOf(made));
    server.answer('GET', '/v1/refunds/re_1', { body: made });
    const accept = `accept/${id}/1` as const;
    await gates.close(accept);
    await parts.worker.start();
    await gates.reached(accept);
    await kill('worker');
    await gates.open(accept);
    await parts.worker.start();
    const books = ['Payment Paid 12.50', 'Refund Pending Processing -12.50'];
    await till.tells(id, { books });
    t.is((await answer).status, 202);
    await allIsRight(t);

    server.answer('GET', '/v1/refunds/re_1', { body: { ...made, status: 'succeeded' } });
    const record = `record/${id}/1` as const;
    await gates.close(record);
    const refund = { ...made, object: 'refund', payment_intent: 'pi_back' };
    t.is((await till.event('evt_back', 'refund.updated', refund)).status, 200);
    await gates.reached(record);
    await kill('worker');
    t.like(await till.story(id), { books });
    await gates.open(record);
    await parts.worker.start();
    const sums = 'owes 0.00 applied 0.00 left 0.00';
    await till.tells(id, { books: ['Payment Refunded 12.50', 'Refund Paid -12.50'], sums });
    await until('it was asked', async () => (await till.events(id)).join() === 'evt_back asked');
    t.is(till.count(refunds), 1);
    await allIsRight(t);
  },
);
