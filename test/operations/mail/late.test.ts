/**
 * A server that has the data of a mail and answers late, or never: an answer that never comes is an
 * interruption, so that a mail is sent twice at worst.
 */
import test, { type ExecutionContext } from 'ava';
import { openSmtp } from '../../../providers/mail/smtp.ts';
import { openInbox, type Answer } from '../../providers/mail/inbox.ts';
import { sharedDatabase } from '../support/books.ts';
import { openPost, type Post } from './post.ts';

const db = await sharedDatabase();

/** A server that answers the data when the test lets it, and keeps each Message-ID that it had. */
async function serve(t: ExecutionContext, { isDeaf = false } = {}) {
  const data: string[] = [];
  const answer = Promise.withResolvers<Answer>();
  let isSlow = true;
  let hasData = Promise.withResolvers<void>();
  const inbox = await openInbox({
    afterData({ messageId = '' }) {
      data.push(messageId);
      hasData.resolve();
      return isSlow ? answer.promise : null;
    },
  });
  const mailer = openSmtp(inbox.url, {
    promptMs: 0,
    // Its ten minutes are over as soon as it has the data.
    ...(isDeaf ? { answerEnds: () => hasData.promise } : {}),
  });
  t.teardown(async () => {
    answer.resolve(null);
    mailer.close();
    await inbox.close();
  });
  return {
    mailer,
    data,
    answer: answer.resolve,
    isFast(): void {
      isSlow = false;
    },
    next(): void {
      hasData = Promise.withResolvers<void>();
    },
  };
}

async function postWith(orders: number): Promise<Post> {
  const post = await openPost(db, { enabled: ['newOrder'] });
  const customerId = await post.customer();
  for (let n = 0; n < orders; n += 1) {
    await post.books.order({ customerId, contractCode: 'P' });
  }
  await post.number();
  return post;
}

const answers: readonly [string, Answer, string][] = [
  ['that it takes the mail', null, 'newOrder sent 1'],
  ['that it refuses the mail', '554 5.6.0 spam', 'newOrder failed 1 554 5.6.0'],
  ['that it may take the mail later', '451 4.3.0 busy', 'newOrder queued 1 451 4.3.0'],
];

for (const [what, answer, end] of answers) {
  test(`a server says late ${what}: no pass waits for it, and the mail is sent once`, async (t) => {
    const server = await serve(t);
    const post = await postWith(1);
    t.like(await post.pass(server.mailer), { sent: 0, deferred: 0, open: 1 });
    t.deepEqual(await post.mails(), ['newOrder sending 1']);
    // Further passes leave it to the server.
    t.like(await post.pass(server.mailer), { sent: 0, open: 1 });
    server.answer(answer);
    await post.late.settled();
    t.deepEqual(await post.mails(), [end]);
    t.is(server.data.length, 1);
  });
}

test('a server that never answers has a mail twice, with one Message-ID, and never again', async (t) => {
  const server = await serve(t, { isDeaf: true });
  const post = await postWith(1);
  await post.pass(server.mailer);
  await post.late.settled();
  t.deepEqual(await post.mails(), ['newOrder queued 1 interrupted']);
  // It waits for its pause, as after any other failure.
  t.like(await post.pass(server.mailer), { sent: 0, open: 1 });
  await post.soon();
  server.next();
  await post.pass(server.mailer);
  await post.late.settled();
  t.deepEqual(await post.mails(), ['newOrder failed 2 interrupted']);
  await post.soon();
  t.like(await post.pass(server.mailer), { sent: 0, open: 0, waitMs: null });
  t.is(server.data.length, 2);
  t.is(new Set(server.data).size, 1);
});

test('a sender that died and an answer that never came are two interruptions', async (t) => {
  const server = await serve(t, { isDeaf: true });
  const post = await postWith(1);
  await post.sql(
    `update mail set state = 'sending', attempts = 1, attempted_at = now() - interval '1 hour'`,
  );
  await post.pass(server.mailer);
  await post.late.settled();
  t.deepEqual(await post.mails(), ['newOrder failed 2 interrupted']);
  t.is(server.data.length, 1);
});

test('while four mails of a tenant are unanswered, its others wait, and other tenants do not', async (t) => {
  const server = await serve(t);
  const post = await postWith(8);
  await post.pass(server.mailer);
  const inState = async (state: string) =>
    (await post.mails()).filter((mail) => mail.includes(` ${state} `));
  // Both lanes may have one in hand when the fourth is late.
  const begun = (await inState('sending')).length;
  t.true(begun === 4 || begun === 5);
  t.like(await post.pass(server.mailer), { sent: 0, deferred: 8 - begun, open: 8 });
  t.deepEqual(new Set(await inState('queued')), new Set(['newOrder queued 1 answer.late']));
  server.isFast();
  const other = await postWith(1);
  await other.pass(server.mailer);
  await other.late.settled();
  t.deepEqual(await other.mails(), ['newOrder sent 1']);
  server.answer(null);
  await post.late.settled();
  await post.soon();
  await post.pass(server.mailer);
  await post.late.settled();
  t.is((await inState('sent')).length, 8);
  t.is(new Set(server.data).size, 9);
  t.is(server.data.length, 9);
});
