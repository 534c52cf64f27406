/** The mails of a debt on the test clock: what the customer reads from the order to the payment. */

import test from 'ava';
import { done } from '../../../cli/rest.ts';
import { openSmtp } from '../../../providers/mail/smtp.ts';
import { prepaid, recurring } from '../../operations/support/plans.ts';
import { openInbox } from '../../providers/mail/inbox.ts';
import { localPages } from '../../support/mail.ts';
import { startSystem } from '../../support/system.ts';
import { until } from '../../support/until.ts';
import { tell } from './story.ts';

const inbox = await openInbox();
const mailer = openSmtp(inbox.url);
const system = await startSystem({ mail: { mailer, host: 'billing.example', pages: localPages } });

test.after.always(async () => {
  mailer.close();
  await inbox.close();
});

const file = {
  notifications: {
    from: 'billing@demo.example',
    enabled: ['newInvoice', 'newOrder', 'paymentReceived', 'paymentFailed', 'customerOverdue'],
  },
  dunning: {
    thresholds: [
      { daysOverdue: 15, status: 'Overdue1' },
      { daysOverdue: 20, status: 'Suspended1' },
    ],
    retryDays: [1, 3],
  },
};

test('a customer reads of its order, invoice, declined payments, reminders and payment', async (t) => {
  const story = await tell(system, { plans: [recurring('FEE', 31, prepaid)], file });
  const subjects = () => inbox.mails.map(({ subject }) => subject ?? '');
  const mailed = (count: number) =>
    until(`${count} mails are sent`, async () => inbox.mails.length >= count);
  await story.customer('ADA');
  await story.card('ADA', 1, { cardNumber: '4000000000000002' });
  const term = { isAutoPay: 'true', endDate: '2027-01-31', isAutoRenew: 'false' };
  await story.order('ADA', 'FEE', { fields: term });
  await mailed(1);
  t.deepEqual(subjects(), ['Your order 1001']);

  // Billed and declined on the 2nd, retried 1 and 3 days later.
  await story.moveClock('2027-01-10');
  await mailed(5);
  const failed = 'Your payment of $31.00 failed';
  const invoiced = 'Invoice 1001 from Test tenant';
  t.deepEqual(subjects().slice(1).toSorted(), [invoiced, failed, failed, failed]);
  t.deepEqual(
    inbox.mails.map(({ attachments }) => attachments.map(({ filename }) => filename)).flat(),
    ['invoice-1001.pdf'],
  );

  // Due on 1 February; 15 and 20 days later.
  await story.moveClock('2027-02-16');
  await mailed(6);
  await story.moveClock('2027-02-28');
  await mailed(7);
  const reminder = 'Payment reminder: $31.00 overdue';
  t.deepEqual(subjects().slice(5), [reminder, reminder]);
  t.regex(inbox.mails[5]?.text ?? '', /1001 \| February 1, 2027 \| \$31\.00/);
  t.notRegex(inbox.mails[5]?.text ?? '', /suspended/);
  t.regex(inbox.mails[6]?.text ?? '', /Your service is suspended until they are paid\./);

  const paid =
    '<processPayment><amount>31.00</amount><paymentMethodDTO type="Cash"><cashPaymentMethod/>' +
    '</paymentMethodDTO></processPayment>';
  await done(story.target, 'POST', '/rest/payments?extCustomerRef=ADA', paid);
  await story.moveClock('2027-03-31');
  await mailed(8);
  t.deepEqual(subjects().slice(7), ['Your payment of $31.00']);
  t.true(inbox.mails.every(({ to }) => [to].flat()[0]?.text.includes('ada@test.example')));
  await story.isClean(t);
});
