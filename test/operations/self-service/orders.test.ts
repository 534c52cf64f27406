/** What of an order's lines counts for the direction of a change: also those that begin later. */
import test from 'ava';
import { tenantInfo } from '../../../operations/context/context.ts';
import {
  makeOwnChange,
  NotInDirection,
  priceOwnChange,
  type ChangeChoice,
} from '../../../operations/self-service/orders-change.ts';
import { listOwnOrders } from '../../../operations/self-service/orders-own.ts';
import { openBooks, sharedDatabase } from '../support/books.ts';
import { prepaid, recurring } from '../support/plans.ts';

const db = await sharedDatabase();

test('a charge that is not prorated costs its price while its changed line has not begun', async (t) => {
  const books = await openBooks(db, {
    today: '2027-01-15',
    plans: [recurring('WHOLE', 30, { ...prepaid, decimals: true })],
  });
  const { dependencies, tenantId } = books;
  const customerId = await books.customer();
  const tenant = await tenantInfo(dependencies, tenantId);
  const orderId = await books.order(
    { customerId, contractCode: 'WHOLE' },
    { generateInvoice: true },
  );
  await books.advance('2027-02-01');
  const own = { customerId, contractCode: 'WHOLE' } as const;
  const two: ChangeChoice = { ...own, kind: 'upgrade', orderId, quantity: '2' };
  // The period is paid: 60.00 are billed from 15 February on.
  const shown = await priceOwnChange(dependencies, tenant, two);
  t.deepEqual(shown.due, [{ currency: 'USD', amount: '0.00' }]);
  await books.work((context) => makeOwnChange(dependencies, context, two, shown));
  const { orders } = await books.read((tx) =>
    listOwnOrders(dependencies, { tx, customerId, today: books.today() }),
  );
  const [order] = orders;
  t.like(order, { status: 'Active', price: { amount: '60' } });
  const choice = { ...own, orderId: order?.id ?? 0 } as const;
  await t.throwsAsync(
    priceOwnChange(dependencies, tenant, { ...choice, kind: 'upgrade', quantity: '1.5' }),
    { instanceOf: NotInDirection },
  );
  const down: ChangeChoice = { ...choice, kind: 'downgrade', quantity: '1.5' };
  const fewer = await priceOwnChange(dependencies, tenant, down);
  t.is(fewer.effectiveDate, '2027-02-15');
  await books.work((context) => makeOwnChange(dependencies, context, down, fewer));
  await books.advance('2027-02-15');
  t.deepEqual(await books.invoices(), [
    '1001 on 2027-01-15 due 2027-02-14 Outstanding 30.00: WHOLE 2027-01-15 2027-02-14 30.00',
    '1002 on 2027-02-15 due 2027-03-17 Outstanding 45.00: WHOLE 2027-02-15 2027-03-14 45.00',
  ]);
  t.deepEqual((await books.audit()).faults, []);
});
