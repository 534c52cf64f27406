/** Sign-ups that are paid by a bank debit, which takes days. */
import test from 'ava';
import { readSignups } from '../../../operations/signups/read.ts';
import { sequenceTenant } from '../../../operations/events/sequencer.ts';
import { queueMails } from '../../../operations/feed/numbered-hooks.ts';
import { storeTry } from '../../../operations/signups/take.ts';
import { removeMethod } from '../../../operations/payment-methods/methods.ts';
import { tenantInfo } from '../../../operations/context/context.ts';
import { sharedDatabase } from '../support/books.ts';
import { type SignupBooks, openSignupBooks } from '../support/signups.ts';

const db = await sharedDatabase();

/** A form with an account to debit, which is saved; carried on until the gateway has accepted it. */
async function accepted() {
  const books = await openSignupBooks(db);
  const id = await books.link();
  books.gateway.onCharge('acct', 'accept');
  const taken = await books.take(id, { savePaymentMethod: true, cardholderName: null });
  if (taken.kind !== 'taken') throw new Error(taken.kind);
  const debit = { debit: 'usBankAccount', mandate: 'SBX17' } as const;
  const method = { token: 'acct', brand: null, lastFour: '6789', expiry: null, ...debit };
  await books.work((context) =>
    storeTry(context, {
      tryId: taken.tryId,
      method: { type: 'Token', gateway: 'sandbox', method },
    }),
  );
  const look = await books.carry(id);
  const { customerId } = await books.row(id);
  return { books, id, look, customerId: customerId ?? 0 };
}

const viewOf = async (books: SignupBooks, id: number) => {
  const tenant = await tenantInfo(books.dependencies, books.tenantId);
  const [view] = await books.read((tx) => readSignups(tx, tenant, [id]));
  return view;
};

test('a sign-up is PROCESSED, and its account on file, once the gateway has accepted the debit', async (t) => {
  const { books, id, look, customerId } = await accepted();
  t.is(look.phase, 'Processed');
  t.is(await books.state(id), 'PROCESSED: 1 paid');
  t.is(await books.filed(customerId), '1 acct');
  t.deepEqual(await books.payments(), ['#1 Payment Pending Processing 73.44 Token']);
  t.like(await viewOf(books, id), { paymentAmount: null, paymentApprovalCode: null });
  t.deepEqual(await books.faults(), []);

  await books.gateway.finish('Approved');
  await books.settle();
  t.like(await viewOf(books, id), { paymentAmount: '73.44', paymentApprovalCode: '000001' });
  t.is(await books.filed(customerId), '1 acct');
  t.deepEqual(await books.faults(), []);
});

test('an account that is removed before the debit is paid stays away', async (t) => {
  const { books, customerId } = await accepted();
  await books.work((its) => removeMethod(its, { id: customerId }, 1));
  await books.gateway.finish('Approved');
  await books.settle();
  t.is(await books.filed(customerId), '');
});

test('a debit that is declined later is the customer’s: the sign-up stands, and a mail tells of it', async (t) => {
  const { books, id } = await accepted();
  await books.gateway.finish('Declined');
  await books.settle();
  t.is((await books.advance(id)).phase, 'Processed');
  t.is(await books.state(id), 'PROCESSED: 1 paid');
  t.like(await viewOf(books, id), { paymentAmount: null });
  t.regex((await books.open()).join(), /Outstanding/);
  const { dependencies, tenantId } = books;
  const rest = { relayDb: db.relay, dispatch: () => undefined, onError: () => undefined };
  await sequenceTenant(
    { dependencies, hooks: [{ name: 'mails', numbered: queueMails }], ...rest },
    tenantId,
  );
  t.regex(await books.mails(), /paymentFailed/);
  t.deepEqual(
    (await books.faults()).filter(({ check }) => !check.startsWith('event.')),
    [],
  );
});
