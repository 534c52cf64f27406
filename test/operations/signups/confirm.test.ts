/** Who pays nothing today confirms first, by the button of a mailed page; nothing is made before. */
import test from 'ava';
import { cancelSignup } from '../../../operations/signups/cancel.ts';
import { tenantInfo } from '../../../operations/context/context.ts';
import { sharedDatabase } from '../support/books.ts';
import { demoFile, openSignupBooks, type SignupBooks } from '../support/signups.ts';

const db = await sharedDatabase();
const MINUTE_MS = 60_000;
const later = { startDate: '2027-02-01' } as const;
const nothingDue = { hasCard: false, shownAmount: '0.00' } as const;
const page = (confirmFree: string) => ({ file: { hostedPages: { confirmFree } } });

/** A customer in the state with Ada's e-mail address, or her phone. */
async function known(books: SignupBooks, how: 'email' | 'phone', state = 'NY'): Promise<number> {
  const id = await books.customer({ address: { countryCode: 'US', state } });
  const column = how === 'email' ? 'email_primary' : 'work_phone';
  const value = how === 'email' ? 'ada@example.org' : '1 212 555 0100';
  await books.work(({ tx }) =>
    tx.query(`update contact set ${column} = $2 where customer_id = $1`, [id, value]),
  );
  return id;
}

async function asked(books: SignupBooks, given: object = {}): Promise<number> {
  const id = await books.link({ ...later, ...given });
  await books.submit(id, { ...nothingDue, ...(await books.terms(id)) });
  return id;
}

/** Orders and customers that there are. */
const made = async (books: SignupBooks): Promise<string> => {
  const [row] = await books.read((tx) =>
    tx.query<{ text: string }>(
      `select concat((select count(*) from customer), ' customers, ',
         (select count(*) from subscription_order), ' orders') as text`,
    ),
  );
  return row?.text ?? '';
};

test('nothing is made before the button, all of it after, and the order’s mail follows', async (t) => {
  const books = await openSignupBooks(db);
  const id = await asked(books);
  const look = await books.advance(id);
  t.like(look, { phase: 'Confirming', openTry: null, ended: false });
  t.is(look.told, 'waits for the button of the mailed page');
  t.is(await books.state(id), 'DRAFT: 1 confirming');
  t.is(await made(books), '0 customers, 0 orders');
  t.is(await books.mails(), 'signupConfirm');
  t.deepEqual(await books.take(id), { kind: 'working' });
  t.true(await books.confirm(id));
  t.deepEqual(await books.outboxOf('signup'), [id]);
  t.like(await books.advance(id), { phase: 'Processed', ended: true });
  t.is(await made(books), '1 customers, 1 orders');
  t.is(await books.mails(), 'signupConfirm, newOrder');
  t.false(await books.confirm(id), 'it counts once');
  t.deepEqual(await books.faults(), []);
});

test('it counts for 30 minutes from the mail on, also past the end of the link', async (t) => {
  const books = await openSignupBooks(db);
  const [late, early] = [await asked(books), await asked(books, { email: 'b@example.org' })];
  await books.advance(late);
  books.later(29 * MINUTE_MS);
  await books.advance(early);
  t.truthy(await books.mailed(early));
  books.later(MINUTE_MS);
  t.like(await books.advance(late), { phase: 'Expired', ended: true });
  t.is(await books.state(late), 'EXPIRED expired: 1 returned expired');
  t.false(await books.confirm(late));
  t.is(await books.mailed(late), undefined, 'no mail leads there any more');
  books.later(28 * MINUTE_MS);
  t.is((await books.advance(early)).phase, 'Confirming');
  t.true(await books.confirm(early));
  t.is((await books.advance(early)).phase, 'Processed');
  t.deepEqual(await books.faults(), []);
});

test('a mail that is late puts the end off, but not beyond an hour', async (t) => {
  const books = await openSignupBooks(db);
  const id = await asked(books);
  await books.advance(id);
  for (const _ of [1, 2, 3]) {
    books.later(25 * MINUTE_MS);
    await books.mailed(id);
    await books.advance(id);
  }
  t.is(await books.state(id), 'EXPIRED expired: 1 returned expired');
});

test('all is the same whether the address is known, until its button is pressed', async (t) => {
  const stories: string[] = [];
  for (const state of [null, 'NY', 'CA']) {
    const books = await openSignupBooks(db);
    if (state !== null) await known(books, 'email', state);
    const id = await books.link(later);
    const price = await books.price(id);
    await books.submit(id, { ...nothingDue, ...(await books.terms(id)) });
    const { phase, told, happened } = await books.advance(id);
    const mails = await books.mails();
    stories.push(JSON.stringify([price, phase, told, happened, await books.state(id), mails]));
  }
  t.is(new Set(stories).size, 1, stories.join('\n'));
});

test('the mailed page shows the terms of the customer that it proves; others are not taken', async (t) => {
  const books = await openSignupBooks(db);
  const customerId = await known(books, 'email', 'CA');
  const id = await asked(books);
  const { quoteHash, startDate, taxBasis } = await books.terms(id);
  await books.advance(id);
  t.is(await books.price(id), '44.10 + 26.95 = 71.05, due today 0.00');
  // As the first page showed it.
  t.true(await books.confirm(id, { quoteHash, startDate, taxBasis }));
  const again = await books.advance(id);
  t.like(again, { phase: 'Confirming' });
  t.deepEqual(again.happened, ['the mailed page is shown again (price.moved)']);
  t.is(await made(books), '1 customers, 0 orders');
  t.true(await books.confirm(id));
  t.is((await books.advance(id)).phase, 'Processed');
  t.is((await books.row(id)).customerId, customerId);
  t.is(await books.mails(), 'signupConfirm, newOrder');
  t.deepEqual(await books.faults(), []);
});

test('a mailbox proves nothing of a phone: its customer is not reused', async (t) => {
  const books = await openSignupBooks(db);
  const customerId = await known(books, 'phone');
  const id = await asked(books);
  await books.advance(id);
  await books.confirm(id);
  t.is((await books.advance(id)).phase, 'Processed');
  t.like(await books.row(id), { isNewCustomer: true });
  t.not((await books.row(id)).customerId, customerId);
  t.deepEqual(await books.faults(), []);
});

test('a card to be saved is validated before the mail, whether the address is known or not', async (t) => {
  for (const isKnown of [false, true]) {
    const books = await openSignupBooks(db);
    if (isKnown) await known(books, 'email');
    books.validates('declined');
    const id = await books.link(later);
    const form = { shownAmount: '0.00', savePaymentMethod: true } as const;
    await books.submit(id, form);
    t.is((await books.advance(id)).phase, 'Open');
    t.is(await books.state(id), 'DRAFT: 1 declined card_declined');
    books.validates('approved');
    await books.submit(id, form);
    t.is((await books.advance(id)).phase, 'Confirming');
    await books.confirm(id);
    t.is((await books.advance(id)).phase, 'Processed');
    const { customerId } = await books.row(id);
    t.is((await books.filed(customerId ?? 0)) === '', isKnown);
    t.deepEqual(await books.faults(), []);
  }
});

test('unlessCard: a validated card needs no mail, and its address gets none until it has paid', async (t) => {
  const books = await openSignupBooks(db, page('unlessCard'));
  const id = await books.link(later);
  await books.submit(id, { shownAmount: '0.00', savePaymentMethod: true });
  t.is((await books.advance(id)).phase, 'Processed');
  t.is(await books.mails(), '');
  const without = await asked(books, { email: 'b@example.org', phone: null });
  t.is((await books.advance(without)).phase, 'Confirming');
  t.deepEqual(await books.faults(), []);
});

test('a link that hides the customer, and a tenant without a sender, need no mail', async (t) => {
  const books = await openSignupBooks(db);
  const id = await asked(books, { hideCustomerFields: true });
  t.is((await books.advance(id)).phase, 'Processed');
  t.is(await books.mails(), 'newOrder');
  const silent = await openSignupBooks(db, { file: { notifications: undefined } });
  t.is((await tenantInfo(silent.dependencies, silent.tenantId)).confirmsFree, null);
  const other = await asked(silent);
  t.is((await silent.advance(other)).phase, 'Processed');
  t.truthy(demoFile.notifications.from);
});

test('an address gets three mails an hour, whoever types it', async (t) => {
  const books = await openSignupBooks(db);
  for (let count = 0; count < 4; count += 1) {
    const id = await asked(books, {
      email: count % 2 === 0 ? 'ada@example.org' : 'Ada@Example.org',
    });
    t.is((await books.advance(id)).phase, 'Confirming');
  }
  t.is(await books.mails(), Array(3).fill('signupConfirm').join(', '));
  const other = await asked(books, { email: 'b@example.org' });
  await books.advance(other);
  t.is((await books.mails()).split(', ').length, 4);
});

test('an operator ends it while it waits, and two presses at once count once', async (t) => {
  const books = await openSignupBooks(db);
  const ended = await asked(books);
  await books.advance(ended);
  const request = { signupId: ended, reason: 'a test', requestId: '1' };
  await cancelSignup(books.dependencies, books.tenantId, request);
  t.false(await books.confirm(ended));
  await books.advance(ended);
  t.is(await books.state(ended), 'EXPIRED operator: 1 returned operator');
  const id = await asked(books, { email: 'b@example.org', phone: null });
  await books.advance(id);
  const tokenHash = Buffer.from('0'.repeat(64), 'hex');
  await books.work(({ tx }) =>
    tx.query(`update signup_try set confirm_hash = $2 where signup_id = $1`, [id, tokenHash]),
  );
  const presses = await Promise.all([1, 2, 3].map(() => books.press(id, { tokenHash })));
  t.is(presses.filter(Boolean).length, 1);
  await Promise.all([books.advance(id), books.advance(id)]);
  t.is((await books.row(id)).status, 'PROCESSED');
  t.is(await made(books), '1 customers, 1 orders');
  t.deepEqual(await books.faults(), []);
});
