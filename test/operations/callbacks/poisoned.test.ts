/** Customers whose events are always refused: they slow no other, and keep the pauses of their own. */
import test, { type ExecutionContext } from 'ava';
import { sharedDatabase } from '../support/books.ts';
import { HOUR_MS, openPostOffice, type PostOffice } from './support.ts';

const db = await sharedDatabase();
const MINUTE_MS = 60_000;
const SECOND_MS = 1_000;

/** A post office whose receiver answers 500 to the events of the poisoned customers. */
async function openPoisoned(t: ExecutionContext, count: number) {
  const post = await openPostOffice(t, db);
  const poisoned: number[] = [];
  for (let made = 0; made < count; made += 1) poisoned.push(await post.customer());
  const isOf = (body: string, ids: readonly number[]): boolean =>
    ids.includes(Number(/<customer id="(\d+)"/.exec(body)?.[1]));
  const refuse = (): void => post.receiver.behave(({ body }) => (isOf(body, poisoned) ? 500 : 200));
  refuse();
  return {
    post,
    poisoned,
    refuse,
    healthy: await post.customer(),
    /** The posts of these customers so far. */
    postsOf: (...ids: readonly number[]): number =>
      post.receiver.received.filter(({ body }) => isOf(body, ids)).length,
    acceptedOf: (id: number): number =>
      post.receiver.accepted.filter(({ body }) => isOf(body, [id])).length,
  };
}

/** Lets the workflow's time pass: it looks whenever the progress says, up to the limit. */
async function pass(
  post: PostOffice,
  limitMs: number,
  isOver: () => boolean = () => false,
): Promise<number> {
  let passed = 0;
  for (;;) {
    const { waitMs } = await post.deliver();
    if (isOver()) return passed;
    const next = Math.min(waitMs ?? limitMs, limitMs - passed);
    if (passed + next >= limitMs) {
      post.pass(limitMs - passed);
      return limitMs;
    }
    post.pass(next);
    passed += next;
  }
}

for (const [count, when] of [
  [5, 'at once'],
  [12, 'at once'],
  [12, 'an hour later'],
] as const) {
  test.serial(
    `${count} poisoned customers delay the event of a healthy one by half a minute (${when})`,
    async (t) => {
      const { post, poisoned, healthy, acceptedOf } = await openPoisoned(t, count);
      await post.raise(poisoned);
      await pass(post, when === 'at once' ? SECOND_MS : HOUR_MS);
      for (let event = 1; event <= 10; event += 1) {
        await post.raise([healthy]);
        const delayMs = await pass(post, HOUR_MS, () => acceptedOf(healthy) === event);
        t.true(delayMs <= 30 * SECOND_MS, `${delayMs} ms until event ${event}`);
        await pass(post, 7 * MINUTE_MS);
      }
      t.deepEqual(await post.faults(), []);
    },
  );
}

test.serial('what waits behind poisoned events delays nobody, however much it is', async (t) => {
  const { post, poisoned, healthy, acceptedOf } = await openPoisoned(t, 8);
  await post.raise(poisoned);
  await pass(post, SECOND_MS);
  await post.raise(Array.from({ length: 1_600 }, (_, index) => poisoned[index % 8] ?? 0));
  await post.raise([healthy]);
  const delayMs = await pass(post, HOUR_MS, () => acceptedOf(healthy) === 1);
  t.true(delayMs <= 30 * SECOND_MS, `${delayMs} ms`);
});

test.serial('a poisoned customer is tried by its own pauses, whoever else is served', async (t) => {
  const { post, poisoned, healthy, postsOf } = await openPoisoned(t, 6);
  await post.raise(poisoned);
  for (let passed = 0; passed < 3 * HOUR_MS; passed += 5 * MINUTE_MS) {
    await post.raise([healthy]);
    await pass(post, 5 * MINUTE_MS);
  }
  // After pauses of 30 seconds, 1, 2, 4, 8, 16, 32 and 60 minutes: 7 posts in the first 64 minutes,
  // then 2; and one more at the end of the outage that the first failures seemed to be.
  t.true(postsOf(...poisoned) <= 6 * 11, `${postsOf(...poisoned)} posts in three hours`);
});

test.serial('the pause of a poisoned customer stays its own over outages', async (t) => {
  const { post, poisoned, refuse, healthy, postsOf, acceptedOf } = await openPoisoned(t, 4);
  await post.raise(poisoned);
  await pass(post, 3 * HOUR_MS);
  const before = postsOf(...poisoned);
  for (let outage = 1; outage <= 20; outage += 1) {
    await post.receiver.close();
    await post.raise([healthy]);
    await pass(post, SECOND_MS);
    await post.receiver.open();
    await pass(post, 2 * MINUTE_MS);
    t.is(acceptedOf(healthy), outage);
  }
  // 40 minutes, in which each of the four is due once.
  t.true(postsOf(...poisoned) - before <= 4, `${postsOf(...poisoned) - before} posts`);
  refuse();
});

test.serial(
  'what failed in an outage is sent at its end, without a pause of its own',
  async (t) => {
    const post = await openPostOffice(t, db);
    const customers: number[] = [];
    for (let count = 0; count < 20; count += 1) customers.push(await post.customer());
    post.receiver.behave(() => 503);
    await post.raise(customers);
    await pass(post, 2 * HOUR_MS);
    t.is(post.receiver.accepted.length, 0);
    post.receiver.behave(() => 200);
    const delayMs = await pass(post, HOUR_MS, () => post.receiver.accepted.length === 20);
    t.true(delayMs <= MINUTE_MS, `${delayMs} ms`);
  },
);

test.serial(
  'an endpoint that refuses everything gets few posts, however much is new',
  async (t) => {
    const post = await openPostOffice(t, db);
    post.receiver.behave(() => 503);
    const customers: number[] = [];
    for (let count = 0; count < 20; count += 1) customers.push(await post.customer());
    for (let minute = 0; minute < 20; minute += 1) {
      await post.raise(customers);
      await pass(post, MINUTE_MS);
    }
    const posts = post.receiver.received.length;
    t.true(posts < 200, `${posts} posts in 20 minutes`);
    t.true(post.receiver.atOnce() <= 32);
    t.deepEqual(await post.faults(), []);
  },
);

test.serial(
  'an endpoint that is away again right after an outage does not get everything once more',
  async (t) => {
    const post = await openPostOffice(t, db);
    const customers: number[] = [];
    for (let count = 0; count < 200; count += 1) customers.push(await post.customer());
    // Each customer fails once in the outage: one post after the other fails, then one succeeds.
    let isUp = false;
    post.receiver.behave(() => (isUp ? 200 : 503));
    await post.raise(customers);
    await pass(post, 2 * HOUR_MS);
    const before = post.receiver.received.length;
    isUp = true;
    post.receiver.behave(() => {
      const status = isUp ? 200 : 503;
      isUp = false;
      return status;
    });
    await pass(post, SECOND_MS);
    const posts = post.receiver.received.length - before;
    t.true(posts <= 64, `${posts} posts`);
  },
);
