/** Sign-ups whose gateway asks for the payer: DRAFT, working, until he has answered. */
import test from 'ava';
import { advancePayment } from '../../../operations/gateway-calls/process.ts';
import { sharedDatabase } from '../support/books.ts';
import { type SignupBooks, openSignupBooks } from '../support/signups.ts';

const db = await sharedDatabase();
const MINUTE_MS = 60_000;
const returnSealed = 'http://demo.localhost/signup/a-page';

async function asked(): Promise<{ books: SignupBooks; id: number; paymentId: number }> {
  const books = await openSignupBooks(db);
  const id = await books.link();
  books.gateway.onCharge('tok', 'ask');
  await books.submit(id, { returnSealed });
  await books.carry(id);
  const [cascade] = await books.read((tx) =>
    tx.query<{ id: number }>(`select id from payment where status = 'ActionRequired'`),
  );
  return { books, id, paymentId: cascade?.id ?? 0 };
}

/** As its workflow does. */
const carryPayment = ({ dependencies, tenantId, gateway }: SignupBooks, cascadeId: number) => {
  const hooks = { onStep: () => undefined, dispatch: () => undefined };
  return advancePayment(dependencies, gateway.gateways, tenantId, { cascadeId, asked: 0 }, hooks);
};

test('it is DRAFT and working while the payer is asked, and PROCESSED once he has confirmed', async (t) => {
  const { books, id, paymentId } = await asked();
  t.deepEqual(await books.waiting(), ['73.44 present']);
  const look = await books.advance(id);
  t.like(look, { phase: 'Charging', openTry: null, ended: false });
  t.regex(look.told, /waits for the payer/);
  t.is(await books.state(id), 'DRAFT: 1 charging');
  t.is(await books.mails(), '');
  await books.gateway.payer('confirms');
  await books.comeBack(paymentId);
  t.is((await books.advance(id)).phase, 'Processed');
  t.deepEqual(await books.faults(), []);
});

test('refused, it is a try that was declined, and the form is open again', async (t) => {
  const { books, id, paymentId } = await asked();
  await books.gateway.payer('refuses');
  await books.comeBack(paymentId);
  t.is((await books.advance(id)).phase, 'Open');
  t.is(await books.state(id), 'DRAFT: 1 declined authentication_failed');
  t.deepEqual(await books.faults(), []);
});

test('after 30 minutes without an answer it is declined, and what was made is reversed', async (t) => {
  const { books, id, paymentId } = await asked();
  books.later(30 * MINUTE_MS);
  t.like(await carryPayment(books, paymentId), { done: true, status: 'Declined' });
  t.is((await books.advance(id)).phase, 'Failed');
  t.deepEqual(await books.faults(), []);
});

/** Nothing is due today, and the card is saved. */
const saving = { savePaymentMethod: true, shownAmount: '0.00', returnSealed };

async function savingBooks(): Promise<{ books: SignupBooks; id: number }> {
  const books = await openSignupBooks(db);
  const id = await books.link({ startDate: '2027-02-01' });
  books.validates('asks');
  await books.submit(id, saving);
  return { books, id };
}

test('a card that is to be saved makes nothing before its payer has confirmed it', async (t) => {
  const { books, id } = await savingBooks();
  const look = await books.advance(id);
  t.like(look, { phase: 'Working', openTry: null });
  t.regex(look.told, /waits for the payer/);
  t.like((await books.row(id)).lastTry, { validationId: 'seti_1', status: 'submitted' });
  t.is((await books.row(id)).customerId, null);
  books.validates('approved');
  // Its address is proven by a mail, as always where nothing is paid.
  t.is((await books.advance(id)).phase, 'Confirming');
  t.true(await books.confirm(id));
  t.is((await books.advance(id)).phase, 'Processed');
  const { customerId } = await books.row(id);
  t.regex(String(await books.filed(customerId ?? 0)), /^1/);
  t.deepEqual(await books.faults(), []);
});

test('a card that is refused, or whose time is over, is a try that was declined', async (t) => {
  for (const how of ['refused', 'late']) {
    const { books, id } = await savingBooks();
    await books.advance(id);
    if (how === 'refused') books.validates('declined');
    else books.later(30 * MINUTE_MS);
    await books.advance(id);
    t.is((await books.row(id)).customerId, null, how);
    t.regex(await books.state(id), /1 declined/, how);
    t.deepEqual(await books.faults(), []);
  }
});
