/**
 * Kills the worker with SIGKILL while it sends a mail. A mail of which the server had everything but
 * not answered is sent a second time with the same Message-ID; a mail of which the server had less is
 * sent once. The second time that a sender of a mail dies, the mail is left to a person.
 */
import test from 'ava';
import { inTenant } from '../../../db/connection/tenancy.ts';
import { openInbox } from '../../providers/mail/inbox.ts';
import type { Answer } from '../../providers/mail/inbox.ts';
import { suffix } from '../../support/temporal.ts';
import { prepaid, recurring } from '../../operations/support/plans.ts';
import { idOf } from '../../api/payments/bodies.ts';
import { auditIsClean, endConnections } from './aftermath.ts';
import { startParts } from './parts.ts';
import { openTestDatabase, openTill } from './till.ts';
import { until } from '../../support/until.ts';

/** Every mail whose data came, and whose recipient came, accepted or not. */
const data: string[] = [];
const recipients: string[] = [];
/** Where the server hangs until the test lets it go. */
let hangs: {
  readonly at: 'recipient' | 'data';
  readonly free: PromiseWithResolvers<Answer>;
} | null = null;
const held = (at: 'recipient' | 'data') => (hangs?.at === at ? hangs.free.promise : null);

const inbox = await openInbox({
  recipient(address) {
    recipients.push(address);
    return held('recipient');
  },
  afterData({ messageId = '' }) {
    data.push(messageId);
    return held('data');
  },
});
const parts = await startParts({ SMTP_URL: inbox.url, PUBLIC_URL: 'https://billing.example' });
const db = await openTestDatabase(parts, 'sundial_app');
const relayDb = await openTestDatabase(parts, 'sundial_relay');
const till = await openTill(parts, db, {
  label: `mail-${suffix()}`,
  testClock: '2027-01-01T12:00:00Z',
  plans: [recurring('P', 10, prepaid)],
  file: { notifications: { from: 'billing@demo.example', enabled: ['newOrder'] } },
});

test.after.always(async () => {
  await parts.stop();
  await inbox.close();
  for (const opened of [db, relayDb]) await opened.close();
});

const change = (sql: string, values: readonly unknown[] = []) =>
  inTenant(db, till.tenantId, (tx) => tx.query(sql, values));

/** An order of a new customer, whose mail follows. */
async function ordered(email: string): Promise<number> {
  const customer = await till.call(
    'POST',
    '/customers',
    `<customer><billingContact><firstName>Ada</firstName><emailPrimary>${email}</emailPrimary>` +
      '</billingContact></customer>',
  );
  const id = idOf(customer);
  const order = await till.call(
    'POST',
    '/orders',
    `<subscriptionOrder><customer id="${id}"/><contractCode>P</contractCode></subscriptionOrder>`,
  );
  if (order.status !== 201) throw new Error(order.body);
  return Number(id);
}

interface MailRow {
  readonly state: string;
  readonly attempts: number;
  readonly interruptions: number;
  readonly messageId: string;
  readonly errorCode: string | null;
}

const mailOf = async (customerId: number): Promise<MailRow | undefined> => {
  const [row] = await till.read<MailRow>(
    `select state, attempts, interruptions, message_id, error_code from mail
     where customer_id = $1`,
    customerId,
  );
  return row;
};
const reaches = (customerId: number, state: string) =>
  until(`the mail is ${state}`, async () => (await mailOf(customerId))?.state === state);

/** The worker dies while the server hangs; the next worker finds the mail after its time. */
async function dies(): Promise<void> {
  await parts.worker.kill();
  await endConnections(parts, 'worker');
  hangs?.free.resolve(null);
  hangs = null;
}

async function revives(): Promise<void> {
  await change(
    `update mail set attempted_at = attempted_at - interval '3 minutes' where state = 'sending'`,
  );
  await parts.worker.start();
}

test.serial('killed before the answer to the data: twice, with one Message-ID', async (t) => {
  hangs = { at: 'data', free: Promise.withResolvers<Answer>() };
  const ada = await ordered('ada@example.com');
  await until('the server has the data', () => Promise.resolve(data.length === 1));
  await dies();
  t.like(await mailOf(ada), { state: 'sending', attempts: 1 });
  await revives();
  await reaches(ada, 'sent');
  const mail = await mailOf(ada);
  t.like(mail, { attempts: 2, interruptions: 1, errorCode: null });
  t.regex(mail?.messageId ?? '', /^<[\w-]+\.\d+\.\d+@billing\.example>$/);
  t.deepEqual(data, [mail?.messageId, mail?.messageId]);
});

test.serial('killed before the data: once', async (t) => {
  const [before, asked] = [data.length, recipients.length];
  hangs = { at: 'recipient', free: Promise.withResolvers<Answer>() };
  const bob = await ordered('bob@example.com');
  await until('the server is asked', () => Promise.resolve(recipients.length > asked));
  await dies();
  await revives();
  await reaches(bob, 'sent');
  t.is(data.length, before + 1);
  t.like(await mailOf(bob), { attempts: 2, interruptions: 1 });
});

test.serial('killed twice: no third mail, and the audit is clean', async (t) => {
  const before = data.length;
  hangs = { at: 'data', free: Promise.withResolvers<Answer>() };
  const eve = await ordered('eve@example.com');
  await until('the server has the data', () => Promise.resolve(data.length === before + 1));
  await dies();
  hangs = { at: 'data', free: Promise.withResolvers<Answer>() };
  await revives();
  await until('the server has them again', () => Promise.resolve(data.length === before + 2));
  await dies();
  await revives();
  await reaches(eve, 'failed');
  t.like(await mailOf(eve), { attempts: 2, interruptions: 2, errorCode: 'interrupted' });
  t.is(data.length, before + 2);
  await auditIsClean(t, parts, { db, relayDb });
});
