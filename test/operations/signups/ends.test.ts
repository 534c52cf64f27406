/** How sign-ups end otherwise: by their time, by an operator, by what others do meanwhile. */
import test from 'ava';
import { cancelSignup } from '../../../operations/signups/cancel.ts';
import { queueMails } from '../../../operations/feed/numbered-hooks.ts';
import { sequenceTenant } from '../../../operations/events/sequencer.ts';
import { sharedDatabase } from '../support/books.ts';
import { refused } from '../support/refused.ts';
import { type SignupBooks, openSignupBooks } from '../support/signups.ts';

const db = await sharedDatabase();
const MINUTE_MS = 60_000;

test('a link takes forms for 30 minutes; one that was taken is carried to its end', async (t) => {
  const books = await openSignupBooks(db);
  const [late, early] = [
    await books.link(),
    await books.link({ email: 'b@example.org', phone: null }),
  ];
  books.later(30 * MINUTE_MS - 10_000);
  await books.submit(early);
  books.later(10_000);
  t.deepEqual(await books.take(late), { kind: 'over' });
  t.is((await books.advance(late)).phase, 'Expired');
  t.is(await books.state(late), 'EXPIRED expired: ');
  t.is((await books.carry(early)).phase, 'Processed');
  t.deepEqual(await books.faults(), []);
});

test('after a decline the end of the link fails it, and all is reversed', async (t) => {
  const books = await openSignupBooks(db);
  const id = await books.link();
  books.gateway.onCharge('bad', 'decline');
  await books.submit(id, { token: 'bad' });
  await books.carry(id);
  books.later(30 * MINUTE_MS);
  t.is((await books.advance(id)).phase, 'Failed');
  t.is(await books.state(id), 'FAILED declined: 1 declined card_declined');
  t.regex((await books.invoices()).join(), /Cancelled/);
  t.deepEqual(await books.faults(), []);
});

test('a card that never came is returned after a minute, and its late answer does nothing', async (t) => {
  const books = await openSignupBooks(db);
  const id = await books.link();
  const taken = await books.take(id);
  if (taken.kind !== 'taken') return t.fail();
  t.deepEqual(await books.take(id), { kind: 'working' });
  t.is((await books.advance(id)).phase, 'Storing');
  books.later(61_000);
  const second = await books.take(id);
  t.is(second.kind, 'taken');
  await books.store(taken.tryId);
  t.is(await books.state(id), 'DRAFT: 1 returned service.unavailable, 2 storing');
  await books.giveBack(second.kind === 'taken' ? second.tryId : 0, 'field.invalid', 'cvv');
  t.is(
    await books.state(id),
    'DRAFT: 1 returned service.unavailable, 2 returned field.invalid cvv',
  );
});

test('a form stores once', async (t) => {
  const books = await openSignupBooks(db);
  const id = await books.link();
  const form = { formKey: 'the same' };
  const taken = await books.take(id, form);
  await books.giveBack(taken.kind === 'taken' ? taken.tryId : 0, 'service.unavailable');
  t.deepEqual(await books.take(id, form), { kind: 'repeated' });
});

test('what the link hides stays, and after the order only the card can change', async (t) => {
  const books = await openSignupBooks(db);
  const id = await books.link({ hideOrderFields: true, linkHasPassword: true, login: 'ada-1815' });
  const { firstName, lastName } = await books.row(id);
  const customer = {
    ...(await books.row(id)),
    firstName,
    lastName,
    city: 'Albany',
    login: 'another',
  };
  const order = { contractCode: 'SEATS', quantity: '7', couponCode: null };
  await books.enter(id, { customer, order, passwordHash: 'x' });
  t.like(await books.row(id), { contractCode: 'GOLD', city: 'Albany', login: 'ada-1815' });
  books.gateway.onCharge('bad', 'decline');
  await books.submit(id, { token: 'bad' });
  await books.carry(id);
  await books.enter(id, { customer: { ...customer, city: 'Boston' } });
  t.is((await books.row(id)).city, 'Albany');
});

test('a card that is only saved is validated first', async (t) => {
  for (const [outcome, expected] of [
    ['approved', 'PROCESSED: 1 paid'],
    ['declined', 'DRAFT: 1 declined card_declined'],
    ['silent', 'DRAFT: 1 returned service.unavailable'],
  ] as const) {
    const books = await openSignupBooks(db);
    books.validates(outcome);
    const id = await books.link({ startDate: '2027-02-01', hideCustomerFields: true });
    await books.submit(id, { shownAmount: '0.00', savePaymentMethod: true });
    await books.advance(id);
    t.is(await books.state(id), expected);
    const { customerId, orderId } = await books.row(id);
    t.is(orderId === null, outcome !== 'approved');
    if (customerId !== null) t.not(await books.filed(customerId), '');
    t.deepEqual(await books.faults(), []);
  }
});

test('an operator ends it once its payment is not Pending any more', async (t) => {
  const books = await openSignupBooks(db);
  const cancel = (id: number, requestId = `cancel ${id}`) =>
    cancelSignup(books.dependencies, books.tenantId, { signupId: id, reason: 'a test', requestId });
  const paying = await books.link();
  await books.submit(paying);
  await books.advance(paying);
  t.deepEqual(await cancel(paying), { did: 'ends unless its payment is approved' });
  t.deepEqual(await cancel(paying), { did: 'ends unless its payment is approved' });
  await refused(t, cancel(paying, 'another'), 'update.refused');
  t.is((await books.carry(paying)).phase, 'Processed');
  const declined = await books.link();
  books.gateway.onCharge('bad', 'decline');
  await books.submit(declined, { token: 'bad' });
  await books.advance(declined);
  await cancel(declined);
  t.is((await books.carry(declined)).phase, 'Failed');
  t.is(await books.state(declined), 'FAILED operator: 1 declined card_declined');
  await refused(t, cancel(declined, 'late'), 'update.refused');
  t.deepEqual(await books.faults(), []);
});

async function declinedOnce(books: SignupBooks): Promise<number> {
  const id = await books.link();
  books.gateway.onCharge('bad', 'decline');
  await books.submit(id, { token: 'bad' });
  await books.carry(id);
  return id;
}

test('invoices that were paid otherwise end it well', async (t) => {
  const books = await openSignupBooks(db);
  const id = await declinedOnce(books);
  const { customerId } = await books.row(id);
  await books.pay({ customerId: customerId ?? 0, amount: '73.44' });
  t.is((await books.advance(id)).phase, 'Processed');
  t.is(await books.state(id), 'PROCESSED: 1 declined card_declined');
  t.deepEqual(await books.faults(), []);
});

test('an invoice that was cancelled otherwise fails it', async (t) => {
  const books = await openSignupBooks(db);
  const id = await declinedOnce(books);
  await books.cancelInvoice(1001);
  t.is((await books.advance(id)).phase, 'Failed');
  t.is(await books.state(id), 'FAILED operator: 1 declined card_declined');
  t.regex(await books.orderNow((await books.row(id)).orderId ?? 0), /^Canceled/);
  t.deepEqual(await books.faults(), []);
});

/** Of another customer. */
async function takeName(books: SignupBooks, name: string): Promise<void> {
  const customerId = await books.customer();
  await books.work(({ tx }) =>
    tx.query(
      `insert into contact (tenant_id, customer_id, kind, username, login)
       values ($1, $2, 'billing', $3, $3)`,
      [tx.tenantId, customerId, name],
    ),
  );
}

test('a user name that is taken is left out, and one of a failed sign-up is free again', async (t) => {
  const books = await openSignupBooks(db);
  await takeName(books, 'ada-1815');
  const id = await books.link({ login: 'ada-1815', passwordHash: 'x' });
  await books.submit(id);
  t.is((await books.carry(id)).phase, 'Processed');
  t.like(await books.row(id), { login: null, passwordHash: null, isNewCustomer: true });
  const own = { email: 'b@example.org', phone: null, login: 'bea-1815', passwordHash: 'x' };
  const failed = await books.link(own);
  books.gateway.onCharge('bad', 'decline', 'decline', 'decline');
  for (let count = 0; count < 3; count += 1) {
    await books.submit(failed, { token: 'bad' });
    await books.carry(failed);
  }
  t.is((await books.row(failed)).status, 'FAILED');
  const left = await books.read((tx) =>
    tx.query(`select username, password_hash from contact where email_primary = 'b@example.org'`),
  );
  t.deepEqual(left, [{ username: null, passwordHash: null }]);
  t.deepEqual(await books.faults(), []);
});

test('a user name that the link came with is the tenant’s own: it fails the sign-up', async (t) => {
  const books = await openSignupBooks(db);
  await takeName(books, 'ada-1815');
  const id = await books.link({ login: 'ada-1815', passwordHash: 'x', linkHasPassword: true });
  await books.submit(id);
  await books.advance(id);
  t.is(await books.state(id), 'FAILED contact.usernameTaken: 1 returned contact.usernameTaken');
});

test('what nobody can mend fails the sign-up', async (t) => {
  const books = await openSignupBooks(db);
  const gone = await books.link({ couponCode: 'GONE', hideOrderFields: true });
  await books.submit(gone);
  await books.advance(gone);
  t.is(await books.state(gone), 'FAILED coupon.unknown: 1 returned coupon.unknown');
  t.deepEqual(await books.faults(), []);
});

test('each event of it is mailed once, numbered before its end or after', async (t) => {
  const books = await openSignupBooks(db);
  const number = () =>
    sequenceTenant(
      {
        dependencies: books.dependencies,
        relayDb: db.relay,
        dispatch: () => {},
        onError: (error) => t.fail(String(error)),
        hooks: [{ name: 'mails', numbered: queueMails }],
      },
      books.tenantId,
    );
  const id = await books.link();
  await books.submit(id);
  await books.advance(id);
  await number();
  t.is(await books.mails(), '');
  await books.settle();
  await Promise.all([number(), books.advance(id)]);
  await number();
  t.is(
    (await books.mails()).split(', ').toSorted().join(', '),
    'newInvoice, newOrder, paymentReceived',
  );
  // A later invoice of the order is mailed as ever.
  await books.advanceTo('2027-02-15');
  await number();
  t.regex(await books.mails(), /newInvoice.*newInvoice/);
  t.deepEqual(await books.faults(), []);
});

test('the order can be removed where it was never billed, and the sign-up stays', async (t) => {
  const books = await openSignupBooks(db);
  const id = await books.link({ startDate: '2027-02-01', hideCustomerFields: true });
  await books.submit(id, { hasCard: false, shownAmount: '0.00' });
  await books.advance(id);
  const { orderId, customerId } = await books.row(id);
  await books.change(
    orderId ?? 0,
    { customerId: customerId ?? 0, contractCode: 'GOLD' },
    { deletesCurrent: true },
  );
  t.like(await books.row(id), { status: 'PROCESSED', orderId: null, customerId });
  t.deepEqual(await books.faults(), []);
});
