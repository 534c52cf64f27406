/**
 * SEPA debits on the test clock: EUR 30.00 of 1 March 2027 are announced on that day, debited on
 * 3 March, and Paid at 00:00 on 5 March.
 */
import test, { type ExecutionContext } from 'ava';
import { all, done, text } from '../../../cli/rest.ts';
import { openSmtp } from '../../../providers/mail/smtp.ts';
import { prepaid, recurring } from '../../operations/support/plans.ts';
import { likeDemo, SITE } from '../../api/signups/calls.ts';
import { keyIn, pagesOf, submit, visit } from '../../api/signups/page-calls.ts';
import { openInbox } from '../../providers/mail/inbox.ts';
import { ibans } from '../../providers/gateway/numbers.ts';
import { localPages } from '../../support/mail.ts';
import { startSystem } from '../../support/system.ts';
import { until } from '../../support/until.ts';
import { tell, type Story } from './story.ts';

const inbox = await openInbox();
const mailer = openSmtp(inbox.url);
const system = await startSystem({ mail: { mailer, host: 'billing.example', pages: localPages } });

test.after.always(async () => {
  mailer.close();
  await inbox.close();
});

const file = {
  hostedPages: likeDemo.file?.['hostedPages'],
  gateway: { type: 'sandbox', methods: ['card', 'sepa'] },
  notifications: { from: 'billing@demo.example', enabled: ['debitNotice'] },
};

/** A customer whose order of 1 March pays itself from this account, on 28 February. */
async function debtor(iban: string): Promise<Story & { readonly orderId: string }> {
  const story = await tell(system, {
    testClock: '2027-02-28T12:00:00Z',
    timezone: 'Europe/Berlin',
    currency: 'EUR',
    plans: [recurring('P30', 30, prepaid)],
    file,
  });
  await story.customer('ADA');
  const own = pagesOf(system, story.label);
  const query = new URLSearchParams({
    extCustomerRef: 'ADA',
    cssURL: '/css/signup.css',
    loginUrl: `${SITE}/login`,
  });
  const { body } = await own.call('GET', `/widget/start?${query.toString()}`);
  const path = `${new URL(body).pathname}/card`;
  const page = await visit(own, path);
  const [, form = ''] = /<form class="form"([^]*)/.exec(page.body) ?? [];
  const answer = await submit(own, path, {
    formKey: keyIn({ ...page, body: form }),
    preference: '1',
    methodType: 'sepa',
    iban,
    accountHolder: 'Ada ADA',
    mandateAccepted: 'true',
  });
  if (answer.status !== 303) throw new Error(answer.body);
  const fields = { isAutoPay: 'true', startDate: '2027-03-01' };
  return { ...story, orderId: await story.order('ADA', 'P30', { fields }) };
}

const payments = async (t: ExecutionContext, story: Story, ...expected: string[]) =>
  t.deepEqual(await story.payments(), expected);

test('EUR 30.00 of 2027-03-01: mail on 03-01, debit on 03-03, Paid at 00:00 on 03-05', async (t) => {
  const story = await debtor(ibans.paid);
  await story.moveClock('2027-03-01');
  await payments(t, story);
  const find = () => inbox.mails.find(({ text: said }) => said?.includes('...3000'));
  await until('the mail is sent', () => Promise.resolve(find() !== undefined));
  const mail = find();
  const said = (mail?.text ?? '').replaceAll(/[  ]/g, ' ');
  t.is(mail?.subject?.replaceAll(/[  ]/g, ' '), 'Debit of €30.00 on March 3, 2027');
  t.regex(said, /We will debit €30\.00 from your account SEPA - DE\*\*\.\.\.3000 on March 3, 2027/);
  t.regex(said, /Mandate: SBX[0-9A-F]{16}/);
  t.regex(said, /Invoice number: 1001/);
  const timeline = await done(story.target, 'GET', `/rest/order/${story.orderId}/timeline`);
  const lines = all(timeline, 'entry').map((entry) =>
    ['date', 'state', 'text'].map((name) => text(entry, name)).join(' '),
  );
  const announced = 'debit of 30.00 EUR for invoice 1001 on 2027-03-03 announced';
  t.true(lines.includes(`2027-03-01 happened ${announced}`), lines.join('\n'));
  t.true(lines.includes('2027-03-03 next pays invoice 1001, 30.00 EUR'));
  await story.isClean(t);
  await story.moveClock('2027-03-02');
  await payments(t, story);
  await story.moveClock('2027-03-03');
  await payments(t, story, '2027-03-03 Pending 30.00');
  await story.isClean(t);
  await story.moveClock('2027-03-04');
  await payments(t, story, '2027-03-03 Pending 30.00');
  await story.moveClock('2027-03-05');
  await payments(t, story, '2027-03-03 Paid 30.00');
  await story.isClean(t);
});

test('a clock that jumps over announcement and debit makes both, once', async (t) => {
  const story = await debtor(ibans.paid);
  await story.moveClock('2027-03-20');
  await payments(t, story, '2027-03-03 Paid 30.00');
  await story.isClean(t);
});

test('a debit that is declined is retried from the day of its decline on', async (t) => {
  const story = await debtor(ibans.declined);
  await story.moveClock('2027-03-08');
  await payments(
    t,
    story,
    '2027-03-03 Declined 30.00 insufficient_funds',
    '2027-03-06 Declined 30.00 insufficient_funds',
  );
  await story.isClean(t);
});

test('a debit that is returned three days after it was paid is Canceled', async (t) => {
  const story = await debtor(ibans.returned);
  await story.moveClock('2027-03-07');
  await payments(t, story, '2027-03-03 Paid 30.00');
  await story.moveClock('2027-03-08');
  await payments(t, story, '2027-03-03 Canceled 30.00 insufficient_funds');
  t.regex((await story.invoices()).join(), /Outstanding 30\.00/);
  await story.isClean(t);
});
