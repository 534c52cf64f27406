/** The workflow of a tenant's mails, from the event to the SMTP server. */
import test from 'ava';
import { inTenant, type Tx } from '../../../db/connection/tenancy.ts';
import { openSmtp } from '../../../providers/mail/smtp.ts';
import type { Nudge } from '../../../operations/context/nudge.ts';
import { localPages } from '../../support/mail.ts';
import { openInbox } from '../../providers/mail/inbox.ts';
import { prepaid, recurring } from '../../operations/support/plans.ts';
import { attributesOf, detailsOf, isRunning, openTenant, until } from '../harness.ts';
import { startHarness } from '../setup.ts';

/** Addresses that the server puts off, and how often still. */
const greylisted = new Map<string, number>();
const inbox = await openInbox({
  recipient(address) {
    const left = greylisted.get(address) ?? 0;
    greylisted.set(address, left - 1);
    return left > 0 ? '451 4.7.1 come back later' : null;
  },
});
const mail = { mailer: openSmtp(inbox.url), host: 'billing.example', pages: localPages };
const harness = await startHarness({}, undefined, mail);
const mails: Nudge = { kind: 'mail', objectId: null };

test.after.always(() => inbox.close());

async function open(email: string) {
  const notifications = { from: 'billing@demo.example', enabled: ['newInvoice', 'newOrder'] };
  const books = await openTenant(harness, {
    testClock: '2027-01-01T12:00:00Z',
    timezone: 'UTC',
    plans: [recurring('P', 10, prepaid)],
    file: { notifications },
  });
  const customerId = await books.customer('ADA');
  const change = <Result>(work: (tx: Tx) => Promise<Result>) =>
    inTenant(harness.dependencies.db, books.tenantId, work);
  await change((tx) =>
    tx.query(
      `insert into contact (tenant_id, customer_id, kind, email_primary)
       values ($1, $2, 'billing', $3)`,
      [tx.tenantId, customerId, email],
    ),
  );
  const states = async () => {
    const rows = await books.read((tx) =>
      tx.query<{ text: string }>(
        `select concat_ws(' ', kind, state, attempts) as text from mail order by id`,
      ),
    );
    return rows.map(({ text }) => text);
  };
  const received = () =>
    inbox.mails.filter(({ to }) => [to].flat().some((each) => each?.text.includes(email)));
  return { books, customerId, change, states, received, workflow: books.workflow(mails) };
}

test('an order is mailed by itself, and the workflow ends', async (t) => {
  const { books, customerId, states, received, workflow } = await open('ada@example.com');
  await books.order({ customerId, contractCode: 'P' });
  await until('the mail has arrived', () => Promise.resolve(received().length === 1));
  const end = (await workflow.result()) as { readonly sent: number };
  t.is(end.sent, 1);
  t.deepEqual(await states(), ['newOrder sent 1']);
  t.is(received()[0]?.subject, 'Your order 1001');
  const details = await detailsOf(workflow);
  t.regex(details, new RegExp(`^\\*\\*Mails, ${books.label}: Done\\*\\*`));
  t.regex(details, /- goes to SMTP server 127\.0\.0\.1:\d+\n- .* UTC: 1 mail sent$/);
  const history = JSON.stringify(await workflow.fetchHistory());
  t.notRegex(history, /example\.com|ada@/);
  // The lines of the log name the mail, and nobody.
  const [line] = harness.lines.filter(
    (each) => each.work === 'mail' && each.tenant === books.label,
  );
  t.like(line, { kind: 'newOrder', attempts: 1 });
  t.notRegex(JSON.stringify(harness.lines), /ada@example/);
});

test('a mail that is put off waits in sight, and is sent when it is due', async (t) => {
  greylisted.set('bob@example.com', 1);
  const { books, customerId, change, states, received, workflow } = await open('bob@example.com');
  await books.order({ customerId, contractCode: 'P' });
  await until(
    'it waits',
    async () =>
      (await states())[0] === 'newOrder queued 1' &&
      (await isRunning(workflow)) &&
      (await attributesOf(workflow)).includes('Phase=Waiting'),
  );
  const details = await detailsOf(workflow);
  t.regex(details, /: Waiting\*\*\n\n- 1 open mail, next attempt at .* UTC\n/);
  t.regex(details, /- mail \d+ \(newOrder\): 451 4\.7\.1, again at .* UTC\n/);
  t.notRegex(details, /bob@/);
  // Another mail does not wait with it.
  const other = await books.order({ customerId, contractCode: 'P' });
  t.true(other > 0);
  await until('the other mail has arrived', () => Promise.resolve(received().length === 1));
  await change((tx) => tx.query(`update mail set next_attempt_at = now() where state = 'queued'`));
  await books.start(mails);
  await until('both have arrived', () => Promise.resolve(received().length === 2));
  t.is(((await workflow.result()) as { readonly sent: number }).sent, 2);
  t.deepEqual(await states(), ['newOrder sent 2', 'newOrder sent 1']);
});
