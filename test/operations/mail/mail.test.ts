/** Mails of events: which are queued, what is sent, and what becomes of those that cannot be. */
import test, { type ExecutionContext } from 'ava';
import { inTenant } from '../../../db/connection/tenancy.ts';
import { DEFERRED_AT_ONCE_MAX } from '../../../db/queries/mail/mails.ts';
import type { Mailer } from '../../../providers/mail/mailer.ts';
import { openSmtp } from '../../../providers/mail/smtp.ts';
import { type InboxOptions, openInbox } from '../../providers/mail/inbox.ts';
import { corrupt } from '../books/corrupt.ts';
import { sharedDatabase } from '../support/books.ts';
import { createPaymentPlan } from '../../../operations/payment-plans/change.ts';
import { monthly as installments } from '../support/collection-books.ts';
import { type Post, openPost } from './post.ts';

const db = await sharedDatabase();

async function serve(t: ExecutionContext, options: InboxOptions = {}) {
  const inbox = await openInbox(options);
  const mailer = openSmtp(inbox.url);
  t.teardown(async () => {
    mailer.close();
    await inbox.close();
  });
  return { inbox, mailer };
}

/** An order with its first invoice of 10.00; returns its id. */
function ordered({ books }: Post, customerId: number): Promise<number> {
  return books.order({ customerId, contractCode: 'P' }, { generateInvoice: true });
}

test('an invoice is mailed once, with its PDF, in the customer’s language', async (t) => {
  const { inbox, mailer } = await serve(t);
  const post = await openPost(db, { enabled: ['newInvoice'] });
  await ordered(post, await post.customer({ locale: 'de_DE' }));
  await post.number();
  t.true(await post.nudged());
  const progress = await post.pass(mailer);
  t.like(progress, { sent: 1, deferred: 0, ended: 0, open: 0, waitMs: null, troubles: [] });
  t.deepEqual(await post.mails(), ['newInvoice sent 1']);
  t.is(inbox.mails.length, 1);
  const [mail] = inbox.mails;
  t.is(mail?.subject, 'Rechnung 1001 von Test tenant');
  t.regex(mail?.text ?? '', /Bitte zahlen Sie 10,00\s\$ bis zum 14\. Februar 2027\./);
  const [pdf] = mail?.attachments ?? [];
  t.is(pdf?.filename, 'invoice-1001.pdf');
  t.is(pdf?.content.subarray(0, 5).toString(), '%PDF-');
  // The next pass finds nothing.
  t.like(await post.pass(mailer), { sent: 0, waitMs: null });
  t.is(inbox.mails.length, 1);
});

test('a mail with an invoice goes to the copies of its customer, once to each, and others do not', async (t) => {
  const { inbox, mailer } = await serve(t);
  const post = await openPost(db, { enabled: ['newInvoice', 'newOrder'] });
  const customerId = await post.customer();
  await post.sql(
    `update contact set email_cc = 'bob@example.com, ADA@example.com, Bob@example.com, cy@example.com'
     where customer_id = $1`,
    [customerId],
  );
  await ordered(post, customerId);
  await post.number();
  await post.pass(mailer);
  t.deepEqual((await post.mails()).toSorted(), ['newInvoice sent 1', 'newOrder sent 1']);
  const copiesOf = (subject: RegExp) =>
    [inbox.mails.find((mail) => subject.test(mail.subject ?? ''))?.cc]
      .flat()
      .flatMap((each) => each?.value ?? [])
      .map(({ address }) => address);
  t.deepEqual(copiesOf(/^Invoice 1001/), ['Bob@example.com', 'cy@example.com']);
  t.deepEqual(copiesOf(/^Your order/), []);
});

test('each kind follows its event', async (t) => {
  const { inbox, mailer } = await serve(t);
  const post = await openPost(db, { today: '2027-03-01' });
  const customerId = await post.customer();
  await post.books.suspend(await ordered(post, customerId));
  await post.number();
  await post.books.advance('2027-04-15');
  const [payment] = await post.sql<{ id: number }>(
    `insert into payment (tenant_id, customer_id, payment_type, payment_method_type, status,
       amount, surcharge, balance, currency, effective_date, attempt, created_at, updated_at,
       cascade_id, id)
     select $1, $2, 'Payment', 'Cash', 'Paid', 10, 0, 10, 'USD', '2027-03-02', 1, now(), now(),
       n, n from nextval('id_seq') n returning id`,
    [post.books.tenantId, customerId],
  );
  const [transition] = await post.sql<{ id: number }>(
    `insert into customer_transition (tenant_id, customer_id, previous_status, new_status,
       transitioned_on, transitioned_at)
     values ($1, $2, 'Active', 'Suspended1', '2027-04-15', now()) returning id`,
    [post.books.tenantId, customerId],
  );
  const of = (type: string, objectId: number, detail?: object) =>
    post.event({ type, customerId, objectId, ...(detail && { detail }) });
  await of('payment.success', payment?.id ?? 0);
  await of('payment.failed', payment?.id ?? 0, { final: true });
  await of('customer.transition', transition?.id ?? 0, { by: 'ageing', mail: true });
  // These are no reason for a mail.
  await of('payment.failed', payment?.id ?? 0);
  await of('payment.failed', payment?.id ?? 0, { final: false });
  await of('customer.transition', transition?.id ?? 0, { by: 'ageing' });
  await of('customer.transition', transition?.id ?? 0, { by: 'hand', mail: true });
  await of('customer.updated', customerId);
  await of('invoice.cancelled', customerId);
  await post.pass(mailer);
  t.deepEqual((await post.mails()).toSorted(), [
    'customerOverdue sent 1',
    'newInvoice sent 1',
    'newOrder sent 1',
    'paymentFailed sent 1',
    'paymentReceived sent 1',
  ]);
  t.deepEqual(inbox.mails.map(({ subject }) => String(subject)).toSorted(), [
    'Invoice 1001 from Test tenant',
    'Payment reminder: $10.00 overdue',
    'Your order 1001',
    'Your payment of $10.00',
    'Your payment of $10.00 failed',
  ]);
  const reminder = inbox.mails.find(({ subject }) => subject?.startsWith('Payment reminder'));
  t.regex(reminder?.text ?? '', /1001 \| March 31, 2027 \| \$10\.00/);
  t.regex(reminder?.text ?? '', /Your service is suspended until they are paid\./);
});

test('while a payment plan is enabled, no mail says that autopay charges an invoice', async (t) => {
  const { inbox, mailer } = await serve(t);
  const post = await openPost(db, { enabled: ['newInvoice'] });
  const customerId = await post.customer();
  const order = { customerId, contractCode: 'P', isAutoPay: true };
  await post.books.order(order, { generateInvoice: true });
  await post.books.work((work) => createPaymentPlan(work, { id: customerId }, installments));
  await post.books.order(order, { generateInvoice: true });
  await post.number();
  await post.pass(mailer);
  t.is(inbox.mails.length, 2);
  for (const { text } of inbox.mails) {
    t.regex(text ?? '', /The installments of your payment plan pay \$10\.00\./);
  }
});

test('an order is mailed when it leaves Draft, or is made as anything else, and only then', async (t) => {
  const post = await openPost(db, { enabled: ['newOrder'] });
  const { books } = post;
  const customerId = await post.customer();
  const draft = () => books.order({ customerId, contractCode: 'P', orderStatus: 'Draft' });
  const mailed = async () => {
    await post.number();
    const rows = await post.sql<{ objectId: number }>('select object_id from mail order by id');
    return rows.map(({ objectId: id }) => id);
  };
  const drafts = [await draft(), await draft(), await draft()] as const;
  await books.put(drafts[0], { notes: 'still a draft' });
  t.deepEqual(await mailed(), []);
  await books.activate(drafts[0]);
  await books.put(drafts[1], { startDate: '2027-03-01', orderStatus: 'Provisioning' });
  await books.put(drafts[2], { orderStatus: 'Canceled' });
  t.deepEqual(await mailed(), [drafts[0], drafts[1]]);
  // Later changes are no new order.
  await books.suspend(drafts[0]);
  await books.activate(drafts[0]);
  const later = { startDate: '2027-03-01', orderStatus: 'Provisioning' } as const;
  const provisioning = await books.order({ customerId, contractCode: 'P', ...later });
  t.deepEqual(await mailed(), [drafts[0], drafts[1], provisioning]);
  const { faults } = await books.audit();
  t.deepEqual(
    faults.filter(({ check }) => check.startsWith('mail.')),
    [],
  );
});

test('a kind that is not enabled, and what was before it was, is not mailed', async (t) => {
  const { inbox, mailer } = await serve(t);
  const post = await openPost(db, { enabled: ['newOrder'] });
  const customerId = await post.customer();
  await post.sql(`update notification set first_in_force_at = now() + interval '1 minute'`);
  await ordered(post, customerId);
  await post.number();
  t.false(await post.nudged());
  t.deepEqual(await post.mails(), []);
  await post.sql(`update notification set first_in_force_at = now()`);
  await ordered(post, customerId);
  await post.number();
  t.true(await post.nudged());
  await post.pass(mailer);
  t.deepEqual(await post.mails(), ['newOrder sent 1']);
  t.is(inbox.mails.length, 1);
});

test('a customer without an address has a mail that says so', async (t) => {
  const { inbox, mailer } = await serve(t);
  const post = await openPost(db, { enabled: ['newOrder'] });
  for (const email of [null, 'two@example.com,three@example.com']) {
    await ordered(post, await post.customer({ email }));
  }
  await post.number();
  t.like(await post.pass(mailer), { sent: 0, ended: 2, open: 0 });
  t.deepEqual(await post.mails(), [
    'newOrder noAddress 1 address.none',
    'newOrder failed 1 address.invalid',
  ]);
  t.is(inbox.mails.length, 0);
});

test('a reminder whose invoices were paid meanwhile is not sent', async (t) => {
  const { inbox, mailer } = await serve(t);
  const post = await openPost(db);
  const customerId = await post.customer();
  const [transition] = await post.sql<{ id: number }>(
    `insert into customer_transition (tenant_id, customer_id, previous_status, new_status,
       transitioned_on, transitioned_at)
     values ($1, $2, 'Active', 'Overdue1', '2027-01-15', now()) returning id`,
    [post.books.tenantId, customerId],
  );
  await post.event({
    type: 'customer.transition',
    customerId,
    objectId: transition?.id ?? 0,
    detail: { by: 'ageing', mail: true },
  });
  await post.pass(mailer);
  t.deepEqual(await post.mails(), ['customerOverdue obsolete 1 overdue.settled']);
  t.is(inbox.mails.length, 0);
});

async function onePost(): Promise<Post> {
  const post = await openPost(db, { enabled: ['newOrder'] });
  await ordered(post, await post.customer());
  await post.number();
  return post;
}

test('a greylisted mail is tried again after growing pauses, with the same Message-ID', async (t) => {
  let refusals = 2;
  const { inbox, mailer } = await serve(t, {
    recipient: () => (refusals-- > 0 ? '451 4.7.1 come back later' : null),
  });
  const post = await onePost();
  const first = await post.pass(mailer);
  t.like(first, { sent: 0, deferred: 1, open: 1 });
  t.true((first.waitMs ?? 0) > 50_000 && (first.waitMs ?? 0) <= 60_000);
  t.like(first.troubles[0], { kind: 'newOrder', state: 'queued', code: '451 4.7.1' });
  const [{ messageId } = { messageId: '' }] = await post.sql<{ messageId: string }>(
    'select message_id from mail',
  );
  t.regex(messageId, /^<[\w-]+\.\d+\.\d+@billing\.example>$/);
  // It is not due yet.
  t.like(await post.pass(mailer), { sent: 0, deferred: 0 });
  await post.soon();
  const second = await post.pass(mailer);
  t.true((second.waitMs ?? 0) > 110_000 && (second.waitMs ?? 0) <= 120_000);
  await post.soon();
  t.like(await post.pass(mailer), { sent: 1, open: 0, waitMs: null, troubles: [] });
  t.deepEqual(await post.mails(), ['newOrder sent 3']);
  t.deepEqual(
    inbox.mails.map((mail) => mail.messageId),
    [messageId],
  );
});

test('a mail is given up after three days, after a last attempt', async (t) => {
  const { mailer } = await serve(t, { recipient: () => '451 4.7.1 later' });
  const post = await onePost();
  await post.pass(mailer);
  await post.sql(
    `update mail set created_at = now() - interval '3 days' + interval '1 hour', attempts = 20,
       next_attempt_at = now()`,
  );
  const last = await post.pass(mailer);
  // Not after the usual four hours.
  t.true((last.waitMs ?? 0) <= 3_600_000);
  t.deepEqual(await post.mails(), ['newOrder queued 21 451 4.7.1']);
  await post.sql(`update mail set created_at = now() - interval '3 days', next_attempt_at = now()`);
  const ended = await post.pass(mailer);
  t.like(ended, { open: 0, waitMs: null });
  t.like(ended.troubles[0], { state: 'givenUp', code: '451 4.7.1', nextAt: null });
  t.deepEqual(await post.mails(), ['newOrder givenUp 22 451 4.7.1']);
});

test('a recipient that the server refuses is not tried again', async (t) => {
  const { mailer } = await serve(t, { recipient: (to) => `550 5.1.1 unknown <${to}>` });
  const post = await onePost();
  const progress = await post.pass(mailer);
  t.like(progress, { ended: 1, open: 0, waitMs: null });
  t.deepEqual(await post.mails(), ['newOrder failed 1 550 5.1.1']);
  t.notRegex(JSON.stringify(progress), /ada@|lovelace/i);
});

test('while the server is unreachable, all mails wait, and one look is enough', async (t) => {
  let looks = 0;
  const nobody: Mailer = {
    destination: 'nobody',
    check: () => Promise.resolve((looks += 1) > 0 ? 'ECONNREFUSED' : null),
    send: () => Promise.reject(new Error('nothing is sent')),
    close: () => undefined,
  };
  const post = await openPost(db);
  await ordered(post, await post.customer());
  await post.number();
  t.like(await post.pass(nobody), { deferred: 2, open: 2 });
  t.is(looks, 1);
  t.deepEqual((await post.mails()).toSorted(), [
    'newInvoice queued 1 ECONNREFUSED',
    'newOrder queued 1 ECONNREFUSED',
  ]);
  const { inbox, mailer } = await serve(t);
  await post.soon();
  t.like(await post.pass(mailer), { sent: 2, open: 0 });
  t.is(inbox.mails.length, 2);
  const more = DEFERRED_AT_ONCE_MAX + 1;
  await post.sql(
    `insert into mail (tenant_id, kind, customer_id, object_id)
     select m.tenant_id, m.kind, m.customer_id, m.object_id
     from (select * from mail limit 1) m, generate_series(1, $1)`,
    [more],
  );
  t.like(await post.pass(nobody), { deferred: more, open: more });
});

test('a mail whose sender died is sent again once, and then left to a person', async (t) => {
  const { inbox, mailer } = await serve(t);
  const post = await onePost();
  const dies = () =>
    post.sql(`update mail set state = 'sending', attempts = attempts + 1, attempted_at = now()`);
  const ages = () =>
    post.sql(`update mail set attempted_at = attempted_at - interval '181 seconds'`);
  await dies();
  // Its process may still be alive.
  const waiting = await post.pass(mailer);
  t.like(waiting, { sent: 0, open: 1 });
  t.true((waiting.waitMs ?? 0) > 150_000);
  await ages();
  t.like(await post.pass(mailer), { sent: 1, open: 0 });
  t.is(inbox.mails.length, 1);
  await post.sql(`update mail set sent_at = null, done_at = null, state = 'queued'`);
  await dies();
  await ages();
  t.like(await post.pass(mailer), { sent: 0, open: 0 });
  t.deepEqual(await post.mails(), ['newOrder failed 3 interrupted']);
  t.is(inbox.mails.length, 1);
});

test('a template of the tenant that fails on real data holds up no other mail', async (t) => {
  const { inbox, mailer } = await serve(t);
  const post = await openPost(db);
  await inTenant(db.app, post.books.tenantId, (tx) =>
    tx.query(
      `insert into mail_template (tenant_id, name, content)
       values ($1, 'newOrder.text.liquid', '{{ values.nobody }}'),
         ($1, 'newInvoice.en.subject.liquid', 'Bill {{ values.invoiceNumber }}')`,
      [tx.tenantId],
    ),
  );
  await ordered(post, await post.customer());
  await post.number();
  t.like(await post.pass(mailer), { sent: 1, deferred: 1, open: 1 });
  t.deepEqual((await post.mails()).toSorted(), [
    'newInvoice sent 1',
    'newOrder queued 1 content.failed',
  ]);
  t.is(inbox.mails[0]?.subject, 'Bill 1001');
  t.is(post.books.bugs.length, 1);
  t.notRegex(post.books.bugs[0]?.message ?? '', /Ada Lovelace|nobody/);
});

test('a pass sends many, and none twice', async (t) => {
  const { inbox, mailer } = await serve(t);
  const post = await openPost(db, { enabled: ['newOrder'] });
  const customerId = await post.customer();
  for (let n = 0; n < 40; n += 1) await ordered(post, customerId);
  await post.number();
  // Two passes at once: a worker that lost its heartbeat, and the next one.
  const passes = await Promise.all([post.pass(mailer), post.pass(mailer)]);
  t.is(
    passes.reduce((sum, { sent }) => sum + sent, 0),
    40,
  );
  t.is(new Set(inbox.mails.map(({ messageId }) => messageId)).size, 40);
  t.is(inbox.mails.length, 40);
});

const own = `tenant_id = current_setting('app.tenant')::bigint`;
const faults: readonly [string, string, RegExp][] = [
  [
    'an event without its mail',
    `delete from mail where ${own}`,
    /^mail\.missing: event \d+: newOrder is enabled, but order\.created has no mail$/,
  ],
  [
    'a mail of another object than its event',
    `update mail set object_id = object_id + 1 where ${own}`,
    /^mail\.event: mail \d+: newOrder of object \d+ follows order\.created of object \d+$/,
  ],
  [
    'a mail that nobody sends',
    `update mail set next_attempt_at = now() - interval '61 minutes' where ${own}`,
    /^mail\.stuck: mail \d+: newOrder is queued, and nothing was done since it was due$/,
  ],
  [
    'a mail that is being sent for ever',
    `update mail set state = 'sending', done_at = null, attempted_at = now() - interval '63 minutes' where ${own}`,
    /^mail\.stuck: mail \d+: newOrder is sending, /,
  ],
];

for (const [what, change, found] of faults) {
  test(`the audit finds ${what}`, async (t) => {
    const post = await onePost();
    const mailFaults = async () =>
      (await post.books.audit()).faults
        .map(({ check, object, detail }) => `${check}: ${object}: ${detail}`)
        .filter((fault) => fault.startsWith('mail.'));
    t.deepEqual(await mailFaults(), []);
    await corrupt(post.books, [change]);
    const [fault = '', ...more] = await mailFaults();
    t.regex(fault, found);
    t.deepEqual(more, []);
  });
}
