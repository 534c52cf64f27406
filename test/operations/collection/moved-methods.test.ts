/** Methods on file that move or go while payments by them are under way. */
import test from 'ava';
import { removeMethod, reorderMethods } from '../../../operations/payment-methods/methods.ts';
import { sharedDatabase } from '../support/books.ts';
import { openCollectionBooks } from '../support/collection-books.ts';
import { onFile } from '../support/payment-books.ts';

const db = await sharedDatabase();

/** Three methods on file: an account, and two cards. */
async function withThree() {
  const books = await openCollectionBooks(db, { today: '2027-01-15' });
  const customerId = await books.customer();
  await books.file(customerId, 1, { token: 'tok_1', type: 'ACH', brand: null, lastFour: '1111' });
  await books.file(customerId, 2, { token: 'tok_2', lastFour: '2222' });
  await books.file(customerId, 3, { token: 'tok_3', lastFour: '3333' });
  const address = { id: customerId };
  return {
    books,
    customerId,
    reorder: (...order: number[]) => books.work((its) => reorderMethods(its, address, order)),
    remove: (preference: 1 | 2 | 3) => books.work((its) => removeMethod(its, address, preference)),
    /** The debit by tok_1 is declined, and the cascade goes on. */
    declineDebit: async () => {
      const [cascadeId = 0] = await books.pending();
      await books.gateway.finish('Declined');
      await books.carry(cascadeId, 1);
      await books.settle();
    },
  };
}

const tokens = (calls: readonly string[]): string[] =>
  calls
    .filter((call) => call.startsWith('charge'))
    .map((call) => call.replace(/^charge (\S+) .*: /, '$1 '));

test('a cascade under way takes the first method that it has not tried', async (t) => {
  const { books, customerId, reorder, declineDebit } = await withThree();
  books.gateway.onCharge('tok_1', 'accept');
  books.gateway.onCharge('tok_3', 'decline');
  await books.bill(customerId, '30', { isAutoPay: true });
  await books.settle();
  t.is(await reorder(3, 1, 2), null);
  await declineDebit();
  t.deepEqual(tokens(books.gateway.calls), ['tok_1 accept', 'tok_3 decline', 'tok_2 approve']);
  t.deepEqual(await books.faults(), []);
});

test('a method that is tried is not tried again where it has moved behind the others', async (t) => {
  const { books, customerId, reorder, declineDebit } = await withThree();
  books.gateway.onCharge('tok_1', 'accept');
  books.gateway.onCharge('tok_2', 'decline');
  books.gateway.onCharge('tok_3', 'decline');
  await books.bill(customerId, '30', { isAutoPay: true });
  await books.settle();
  await reorder(2, 3, 1);
  await declineDebit();
  t.deepEqual(tokens(books.gateway.calls), ['tok_1 accept', 'tok_2 decline', 'tok_3 decline']);
  t.deepEqual(await books.attempts(), ['2027-01-16 1001 #1: due']);
  t.deepEqual(await books.faults(), []);
});

test('a payment by a named preference takes the methods from there on', async (t) => {
  const { books, customerId } = await withThree();
  books.gateway.onCharge('tok_2', 'decline');
  books.gateway.onCharge('tok_3', 'decline');
  await books.pay({ customerId, amount: '5', method: onFile(2) });
  await books.settle();
  t.deepEqual(tokens(books.gateway.calls), ['tok_2 decline', 'tok_3 decline']);
});

test('what is under way by a removed method goes on, and can be refunded', async (t) => {
  const { books, customerId, remove } = await withThree();
  books.gateway.onCharge('tok_1', 'accept');
  await books.bill(customerId, '30', { isAutoPay: true });
  await books.settle();
  t.is(await remove(1), 0);
  const [cascadeId = 0] = await books.pending();
  await books.gateway.finish('Approved');
  await books.carry(cascadeId, 1);
  t.deepEqual(await books.paidOn(), ['2027-01-15 Paid 30.00']);
  await books.pay({ customerId, type: 'Refund', amount: '30', method: null });
  await books.settle();
  t.is(books.gateway.calls.at(-1), 'void back 30.00: approve');
  t.deepEqual(await books.faults(), []);
});

test('a new method that takes the place of a removed one is tried for what was declined; one that moves is not', async (t) => {
  const { books, customerId, reorder, remove } = await withThree();
  for (const token of ['tok_1', 'tok_2', 'tok_3']) books.gateway.onCharge(token, 'hardDecline');
  await books.bill(customerId, '30', { isAutoPay: true });
  await books.settle();
  await books.live('2027-01-25');
  const schedule = await books.attempts();
  await reorder(2, 1, 3);
  await remove(1);
  t.deepEqual(await books.attempts(), schedule);
  await books.file(customerId, 1, { token: 'tok_4', lastFour: '4444' });
  t.is((await books.attempts()).at(-1), '2027-01-26 1001 #5: due');
});

test('of two calls that number the methods anew at once, each is whole', async (t) => {
  const { books, reorder, remove } = await withThree();
  await Promise.all([reorder(3, 2, 1), reorder(2, 1, 3), remove(2), reorder(2, 3, 1)]);
  const rows = await books.read((tx) =>
    tx.query<{ preference: number }>(
      `select autopay_preference as preference from payment_method
       where autopay_preference is not null order by 1`,
    ),
  );
  t.is(rows.length, 2);
});
