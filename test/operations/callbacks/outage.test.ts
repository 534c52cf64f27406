/** An endpoint that is away: it is paused, loses nothing, and gets everything without a storm. */
import test from 'ava';
import { openDatabase } from '../../../db/connection/database.ts';
import { deliverCallbacks } from '../../../operations/callbacks/deliver.ts';
import { patientSession } from '../../support/database.ts';
import { startProxy } from '../../support/proxy.ts';
import { sharedDatabase } from '../support/books.ts';
import { DAY_MS, HOUR_MS, openPostOffice, type PostOffice } from './support.ts';

const db = await sharedDatabase();

/** 40 customers with 5 events each, turn by turn. */
async function raiseMany(post: PostOffice): Promise<number[]> {
  const customers: number[] = [];
  for (let count = 0; count < 40; count += 1) customers.push(await post.customer());
  await post.raise(Array.from({ length: 200 }, (_, index) => customers[index % 40] ?? 0));
  return customers;
}

/** Each customer's events came once, in order. */
function arrivedInOrder(post: PostOffice, customers: readonly number[], count: number): boolean {
  const expected = Array.from({ length: count }, (_, index) => index + 1).join();
  return customers.every((id) => {
    const own = post.receiver.accepted.filter(({ body }) => body.includes(`<customer id="${id}"`));
    return own.map(({ place }) => place).join() === expected;
  });
}

/** Lets time pass until nothing is left to send, and returns the number of looks. */
async function untilDone(post: PostOffice, limitMs: number): Promise<number> {
  let looks = 0;
  for (let passed = 0; passed <= limitMs; looks += 1) {
    const { done, waitMs, phase } = await post.deliver();
    if (done || phase === 'GivenUp') return looks + 1;
    post.pass(waitMs ?? 0);
    passed += waitMs ?? 0;
  }
  return looks;
}

test.serial(
  'a receiver that is down for a day gets everything, in order, without a storm',
  async (t) => {
    const post = await openPostOffice(t, db);
    await post.receiver.close();
    const customers = await raiseMany(post);
    let tries = 0;
    const openLine: typeof post.options.openLine = async (url, options) => {
      const line = await post.options.openLine(url, options);
      const counted: typeof line.post = (sent) => {
        tries += 1;
        return line.post(sent);
      };
      return { ...line, post: counted };
    };
    const first = await post.deliver(post.endpointId, { openLine });
    t.like(first, { phase: 'Paused', delivered: 0, failureCode: 'ECONNREFUSED' });
    t.true(tries <= 32, `${tries} posts until the endpoint was paused`);
    tries = 0;
    for (let passed = 0; passed < DAY_MS;) {
      const { waitMs } = await post.deliver(post.endpointId, { openLine });
      t.true(waitMs !== null && waitMs > 0 && waitMs <= 900_000);
      post.pass(waitMs ?? DAY_MS);
      passed += waitMs ?? DAY_MS;
    }
    // At most two posts every 15 minutes, and some more at the beginning.
    t.true(tries > 90 && tries < 240, `${tries} posts in a day`);
    t.deepEqual(await post.faults(), []);
    await post.receiver.open();
    post.pass(900_000);
    t.like(await post.deliver(), { done: true, delivered: 200 });
    t.true(arrivedInOrder(post, customers, 5));
    t.is(post.receiver.received.length, 200);
    t.true(post.receiver.atOnce() <= 32);
    t.deepEqual(await post.faults(), []);
  },
);

test.serial('after an outage the posts at once begin with one, and double', async (t) => {
  const post = await openPostOffice(t, db);
  await post.receiver.close();
  await raiseMany(post);
  await post.deliver();
  const atOnce = async (): Promise<number> => {
    const rows = await post.read<{ n: number }>('select at_once as n from callback_endpoint');
    return rows[0]?.n ?? 0;
  };
  t.is(await atOnce(), 1);
  await post.receiver.open();
  const most: number[] = [];
  let open = 0;
  post.receiver.behave((_, response) => {
    open += 1;
    most.push(open);
    setImmediate(() => {
      open -= 1;
      response.writeHead(200).end();
    });
  });
  post.pass(30_000);
  t.like(await post.deliver(), { done: true, delivered: 200 });
  t.is(most[0], 1);
  t.is(Math.max(...most.slice(0, 2)), 1, 'the first two came one by one');
  t.true(Math.max(...most) > 2);
  t.is(await atOnce(), 32);
});

test.serial(
  'a receiver that fails for every customer is paused, too, and by a few posts',
  async (t) => {
    const post = await openPostOffice(t, db);
    post.receiver.behave(() => 503);
    const customers = await raiseMany(post);
    t.like(await post.deliver(), { phase: 'Paused', delivered: 0, failureCode: 'http_503' });
    t.true(post.receiver.received.length <= 36, `${post.receiver.received.length} posts`);
    post.receiver.behave(() => 200);
    await untilDone(post, HOUR_MS);
    t.true(arrivedInOrder(post, customers, 5));
    t.deepEqual(await post.faults(), []);
  },
);

test.serial(
  'one customer who fails for good does not keep an endpoint paused that is back',
  async (t) => {
    const post = await openPostOffice(t, db);
    const [poisoned, well] = [await post.customer(), await post.customer()];
    await post.receiver.close();
    await post.raise([poisoned]);
    t.like(await post.deliver(), { phase: 'Paused' });
    await post.receiver.open();
    post.receiver.behave(({ body }) => (body.includes(`<customer id="${poisoned}"`) ? 500 : 200));
    await post.raise([well, well]);
    post.pass(30_000);
    t.like(await post.deliver(), { phase: 'Retrying', delivered: 2, waiting: 1 });
  },
);

test.serial(
  'what an endpoint missed for three days is given up, and resumed in order',
  async (t) => {
    const post = await openPostOffice(t, db);
    await post.receiver.close();
    const customers = await raiseMany(post);
    await post.deliver();
    post.pass(3 * DAY_MS + HOUR_MS);
    const progress = await post.deliver();
    t.like(progress, { phase: 'GivenUp', givenUp: 200, waiting: 0, waitMs: null, done: false });
    t.deepEqual(await post.faults(), []);
    await post.receiver.open();
    t.deepEqual(await post.resume('it is back'), { events: 200 });
    t.like(await post.deliver(), { done: true, delivered: 200 });
    t.true(arrivedInOrder(post, customers, 5));
    t.deepEqual(await post.faults(), []);
  },
);

test.serial('an endpoint that is back before it is asked gets even older events', async (t) => {
  const post = await openPostOffice(t, db);
  const customers = await raiseMany(post);
  post.pass(4 * DAY_MS);
  t.like(await post.deliver(), { done: true, delivered: 200, givenUp: 0 });
  t.true(arrivedInOrder(post, customers, 5));
});

test.serial(
  'a worker that stops leaves the rest to the next one, and nothing comes twice',
  async (t) => {
    const post = await openPostOffice(t, db);
    const customers = await raiseMany(post);
    const stopping = new AbortController();
    post.receiver.behave(() => {
      if (post.receiver.received.length === 50) stopping.abort();
      return 200;
    });
    const { done } = await post.deliver(post.endpointId, {}, stopping.signal);
    t.false(done);
    t.true(post.receiver.received.length < 200);
    t.like(await post.deliver(), { done: true });
    t.is(post.receiver.received.length, 200);
    t.true(arrivedInOrder(post, customers, 5));
  },
);

// AVA fails a file with a rejection that nobody handles, which would end a worker.
test.serial('a connection to the database that breaks fails the slice alone', async (t) => {
  const post = await openPostOffice(t, db);
  await post.raise([await post.customer()]);
  const proxy = await startProxy(db.ownerUrl);
  t.teardown(proxy.stop);
  const session = { ...patientSession, role: 'sundial_app', poolMax: 1, name: 'cut' } as const;
  const cut = await openDatabase({ ...session, url: proxy.url });
  t.teardown(() => cut.close());
  const { dependencies, tenantId, options, endpointId } = post;
  const slice = { endpointId, signal: new AbortController().signal, onProgress: () => undefined };
  proxy.cutOnce((chunk, direction) =>
    direction === 'toServer' && chunk.includes('callbacks-fresh') ? 0 : undefined,
  );
  const broken = { ...dependencies, db: cut };
  await t.throwsAsync(deliverCallbacks(broken, tenantId, options, slice));
  t.true(proxy.heal());
  t.like(await deliverCallbacks(broken, tenantId, options, slice), { done: true, delivered: 1 });
});
