/** The mails of notices: what they say, and when they are not sent any more. */
import test, { type ExecutionContext } from 'ava';
import { putMethodOnFile } from '../../../operations/payment-methods/methods.ts';
import { openSmtp } from '../../../providers/mail/smtp.ts';
import { openInbox } from '../../providers/mail/inbox.ts';
import { sharedDatabase } from '../support/books.ts';
import { makeTenant } from '../../support/tenants.ts';
import { prepaid, recurring } from '../support/plans.ts';
import { openPost, type Post } from './post.ts';

const db = await sharedDatabase();
const kinds = { enabled: ['renewalNotice', 'cardExpiring'] };
const tenDays = { ...kinds, file: { notices: { renewalNoticeDays: 10 } } };
/** P costs 10.00 a month, prepaid; the next term begins on 2027-04-15. */
const term = { contractCode: 'P', endDate: '2027-04-14' };

async function serve(t: ExecutionContext) {
  const inbox = await openInbox({});
  const mailer = openSmtp(inbox.url);
  t.teardown(async () => {
    mailer.close();
    await inbox.close();
  });
  return { inbox, mailer };
}

const fileCard = ({ books }: Post, customerId: number, expiry: string) =>
  books.work((work) =>
    putMethodOnFile(work, { id: customerId }, 1, {
      type: 'CreditCard',
      gateway: 'sandbox',
      method: { token: 'tok_1', brand: 'Visa', lastFour: '1111', expiry },
    }),
  );

const plain = (text: string | undefined): string => (text ?? '').replaceAll(/[\u00a0\u202f]/g, ' ');

test('the mail of a renewal says what it costs, and how that is paid', async (t) => {
  const { inbox, mailer } = await serve(t);
  const post = await openPost(db, tenDays);
  const customerId = await post.customer();
  await fileCard(post, customerId, '2030-04-30');
  const order = { ...term, customerId, isAutoPay: true };
  await post.books.order(order, { generateInvoice: true });
  await post.books.advance('2027-04-05');
  await post.number();
  await post.pass(mailer);
  t.deepEqual(await post.mails(), ['renewalNotice sent 1']);
  const [mail] = inbox.mails;
  t.is(mail?.subject, 'Your order 1001 renews on April 15, 2027');
  const text = plain(mail?.text);
  t.regex(text, /Your order 1001: Plan P renews for another term on April 15, 2027\./);
  t.regex(text, /We will charge the invoice to your payment method on file\./);
  t.regex(text, /Next invoice on: April 15, 2027/);
  t.regex(text, /Amount of the next invoice: \$10\.00/);
  t.regex(text, /Payment method: Visa - \*+1111/);
});

test('without autopay the mail promises an invoice; without a method it asks for one', async (t) => {
  const { inbox, mailer } = await serve(t);
  const post = await openPost(db, tenDays);
  for (const isAutoPay of [false, true]) {
    await post.books.order({ ...term, customerId: await post.customer(), isAutoPay });
  }
  await post.books.advance('2027-04-05');
  await post.number();
  await post.pass(mailer);
  const texts = inbox.mails.map(({ text }) => plain(text)).join('\n');
  t.regex(texts, /You will receive an invoice\./);
  t.regex(texts, /You have no payment method on file\. Please add one/);
});

test('a mail whose date has moved, or is no longer ahead, is not sent', async (t) => {
  const { inbox, mailer } = await serve(t);
  const post = await openPost(db, tenDays);
  const customerId = await post.customer();
  const moved = await post.books.order({ ...term, customerId });
  const ended = await post.books.order({ ...term, customerId });
  await post.books.order({ ...term, endDate: '2027-04-10', customerId });
  await post.books.advance('2027-04-05');
  await post.number();
  await post.books.put(moved, { endDate: '2027-05-14' });
  await post.books.end(ended);
  post.books.jump('2027-04-11');
  await post.pass(mailer);
  t.is(inbox.mails.length, 0);
  t.deepEqual(await post.mails(), [
    'renewalNotice obsolete 1 notice.outdated',
    'renewalNotice obsolete 1 notice.outdated',
    'renewalNotice obsolete 1 notice.outdated',
  ]);
});

test('the mail of new prices says what a period costs before and after', async (t) => {
  const { inbox, mailer } = await serve(t);
  const file = {
    notices: { priceChangeDays: 10 },
    notifications: { from: 'billing@demo.example', enabled: ['priceChange'] },
  };
  const post = await openPost(db, { enabled: ['priceChange'], file });
  const customerId = await post.customer();
  await post.books.order({ contractCode: 'P', customerId }, { generateInvoice: true });
  await post.books.advance('2027-01-20');
  const { label, dependencies } = post.books;
  const plans = [recurring('P', 12, prepaid, { existingOrders: 'nextPeriod' })];
  await makeTenant(dependencies, { label, timezone: 'UTC', plans, file });
  await post.books.advance('2027-02-05');
  await post.number();
  await post.pass(mailer);
  t.deepEqual(await post.mails(), ['priceChange sent 1']);
  const [mail] = inbox.mails;
  t.is(mail?.subject, 'New prices of your order 1001 from February 15, 2027');
  const text = plain(mail?.text);
  t.regex(text, /From February 15, 2027 on, your order 1001: Plan P has new prices\./);
  t.regex(text, /Price so far: \$10\.00\nNew price: \$12\.00/);
  t.regex(text, /Amount of the next invoice: \$12\.00/);
});

test('the mail of a trial that ends says what is charged first', async (t) => {
  const { inbox, mailer } = await serve(t);
  const post = await openPost(db, { enabled: ['trialEnding'] });
  const customerId = await post.customer();
  await post.books.order({ contractCode: 'P', customerId, trialDays: 14 });
  await post.books.advance('2027-01-26');
  await post.number();
  await post.pass(mailer);
  t.deepEqual(await post.mails(), ['trialEnding sent 1']);
  const [mail] = inbox.mails;
  t.is(mail?.subject, 'The trial of your order 1001 ends: it is charged from January 29, 2027');
  t.regex(
    plain(mail?.text),
    /Next invoice on: January 29, 2027\nAmount of the next invoice: \$10\.00/,
  );
});

test('the mail of a card shows it masked, with its last day', async (t) => {
  const { inbox, mailer } = await serve(t);
  const post = await openPost(db, kinds);
  const customerId = await post.customer({ locale: 'de_DE' });
  await fileCard(post, customerId, '2027-03-15');
  await post.books.order({ contractCode: 'P', customerId, isAutoPay: true });
  const replaced = await post.customer();
  await fileCard(post, replaced, '2027-03-31');
  await post.books.order({ contractCode: 'P', customerId: replaced, isAutoPay: true });
  await post.books.advance('2027-02-01');
  await post.number();
  await fileCard(post, replaced, '2029-03-31');
  await post.pass(mailer);
  t.deepEqual((await post.mails()).toSorted(), [
    'cardExpiring obsolete 1 notice.outdated',
    'cardExpiring sent 1',
  ]);
  const [mail] = inbox.mails;
  t.is(mail?.subject, 'Ihre Karte läuft ab: Visa - *****1111');
  t.regex(plain(mail?.text), /Ihre Karte Visa - \*{5}1111 ist bis 31\. März 2027 gültig\./);
});
