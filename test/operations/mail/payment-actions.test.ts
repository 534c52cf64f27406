/** The mail to a payer who is to confirm a payment: once while it waits, and not at all once it is over. */
import test from 'ava';
import { pageTokenHash } from '../../../operations/hosted-pages/tokens.ts';
import { openSmtp } from '../../../providers/mail/smtp.ts';
import { openInbox } from '../../providers/mail/inbox.ts';
import { sharedDatabase } from '../support/books.ts';
import { openPost } from './post.ts';

const db = await sharedDatabase();

test('an absent payer gets one mail with a link of its own; once it is over it is dropped', async (t) => {
  const inbox = await openInbox({});
  const mailer = openSmtp(inbox.url);
  t.teardown(async () => {
    mailer.close();
    await inbox.close();
  });
  const post = await openPost(db, { enabled: ['paymentAction'] });
  const customerId = await post.customer();
  const [payment] = await post.sql<{ id: number }>(
    `insert into payment (tenant_id, customer_id, payment_type, payment_method_type,
       payment_method_context, status, gateway, gateway_news_on, transaction_id, amount, surcharge, balance,
       currency, effective_date, attempt, created_at, updated_at, cascade_id, id, named_invoice_ids)
     select $1, $2, 'Payment', 'CreditCard', 'Visa - *****3184', 'ActionRequired', 'sandbox', '2027-01-18', '7',
       81.61, 0, 0, 'USD', '2027-01-15', 1, now(), now(), n, n, '{}'
     from nextval('id_seq') n returning id`,
    [post.books.tenantId, customerId],
  );
  const objectId = payment?.id ?? 0;
  const asked = (payer: 'absent' | 'present') =>
    post.event({ type: 'payment.actionRequired', customerId, objectId, detail: { payer } });
  // Whoever is on a page is led on by it.
  await asked('present');
  t.deepEqual(await post.mails(), []);
  await asked('absent');
  for (const _ of [1, 2]) await post.pass(mailer);
  t.deepEqual(await post.mails(), ['paymentAction sent 1']);
  t.is(inbox.mails.length, 1);
  const [mail] = inbox.mails;
  t.is(mail?.subject, 'Please confirm your payment of $81.61');
  t.regex(mail?.text ?? '', /Visa - \*+3184/);
  t.regex(mail?.text ?? '', /Confirm by: January 18, 2027/);
  const [, token = ''] = /\.example\/action\/([\w-]{43})/.exec(mail?.text ?? '') ?? [];
  const links = await post.sql<{ id: number }>(
    'select payment_id as id from action_link where token_hash = $1',
    [pageTokenHash(token)],
  );
  t.deepEqual(links, [{ id: objectId }]);

  await post.sql(`update payment set status = 'Canceled', gateway_news_on = null`);
  await asked('absent');
  await post.pass(mailer);
  const [, late = ''] = await post.mails();
  t.is(late, 'paymentAction obsolete 1 object.gone');
  t.is(inbox.mails.length, 1);
});
