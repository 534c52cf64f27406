/** What gateways change of methods by themselves: renewed cards, revoked mandates. */
import test from 'ava';
import { noteMethodEvent } from '../../../operations/payment-methods/gateway-updates.ts';
import { listMethods } from '../../../operations/payment-methods/methods.ts';
import { GatewayError, type Gateway, type MethodNow } from '../../../providers/gateway/gateway.ts';
import { sharedDatabase } from '../support/books.ts';
import { type CollectionBooks, openCollectionBooks } from '../support/collection-books.ts';

const db = await sharedDatabase();

/** A card at Stripe, declined for ever. */
async function opened() {
  const books = await openCollectionBooks(db, { today: '2027-01-15' });
  const customerId = await books.customer();
  const card = { token: 'cus_1/pm_1', lastFour: '4202', gateway: 'stripe' } as const;
  await books.file(customerId, 1, card);
  books.gateway.onCharge('cus_1/pm_1', 'hardDecline');
  await books.bill(customerId, '30', { isAutoPay: true });
  await books.settle();
  return { books, customerId };
}

/** The event comes, and Stripe has this of the method. */
const event = (books: CollectionBooks, has: MethodNow | GatewayError, paymentMethod = 'pm_1') => {
  const { gateways } = books.gateway;
  const named = async (): Promise<Gateway> => ({
    ...(await gateways.named(books.tenantId, 'stripe')),
    method: () => (has instanceof GatewayError ? Promise.reject(has) : Promise.resolve(has)),
  });
  return noteMethodEvent(books.dependencies, { named }, books.tenantId, { paymentMethod });
};

const renewed = { brand: 'Visa', lastFour: '4242', expiry: '2030-01-31', isUsable: true };

const shown = async (books: CollectionBooks, id: number): Promise<string> => {
  const [method] = (await books.read((tx) => listMethods(tx, { id }))) ?? [];
  const [row] = await books.read((tx) =>
    tx.query<{ dead: boolean }>(
      'select hard_declined_at is not null as dead from payment_method where customer_id = $1',
      [id],
    ),
  );
  const { paymentMethodContext: context, expiry, gatewayUpdated: updated } = method ?? {};
  return [context, expiry ?? 'no expiry', updated ?? 'never', row?.dead ? 'dead' : 'alive'].join(
    ', ',
  );
};

const audited = (books: CollectionBooks) =>
  books.read((tx) =>
    tx.query<{ text: string }>(
      `select concat_ws(' ', action, username, split_part(path, '/', 5), code) as text
       from audit_log order by id`,
    ),
  );

test('a renewed card has its new end, and a decline for ever holds no longer', async (t) => {
  const { books, customerId } = await opened();
  t.is(await shown(books, customerId), 'Visa - *****4202, no expiry, never, dead');
  await event(books, renewed);
  t.is(await shown(books, customerId), 'Visa - *****4242, 2030-01-31, 2027-01-15, alive');
  t.deepEqual(await audited(books), [{ text: 'write stripe autopay paymentMethod.renewed' }]);
  // The retry of the next day charges it.
  await books.live('2027-01-16');
  t.deepEqual(await books.open(), ['1001 Paid 0.00 of 30.00']);
});

test('an event that comes again, or late, changes nothing', async (t) => {
  const { books, customerId } = await opened();
  await event(books, renewed);
  await books.live('2027-01-16');
  await Promise.all([event(books, renewed), event(books, renewed)]);
  t.is(await shown(books, customerId), 'Visa - *****4242, 2030-01-31, 2027-01-15, alive');
  t.is((await audited(books)).length, 1);
});

test('a revoked mandate, or a detached method, is left out of retries', async (t) => {
  const { books, customerId } = await opened();
  await event(books, renewed);
  await event(books, { ...renewed, isUsable: false });
  t.is(await shown(books, customerId), 'Visa - *****4242, 2030-01-31, 2027-01-15, dead');
  t.deepEqual((await audited(books)).at(-1), {
    text: 'write stripe autopay paymentMethod.revoked',
  });
  await books.live('2027-01-16');
  t.is(books.gateway.calls.filter((call) => call.startsWith('charge')).length, 1);
});

test('an event of a method that nobody has here asks nobody', async (t) => {
  const { books } = await opened();
  await t.notThrowsAsync(event(books, new GatewayError('unknown', 'timeout'), 'pm_2'));
  await t.notThrowsAsync(event(books, new GatewayError('unknown', 'timeout'), 'm_1'));
});

test('a gateway that does not answer leaves all as it is, and its event comes again', async (t) => {
  const { books, customerId } = await opened();
  await t.throwsAsync(event(books, new GatewayError('unknown', 'timeout')), { message: /timeout/ });
  t.is(await shown(books, customerId), 'Visa - *****4202, no expiry, never, dead');
});
