/** Compares the books with the log of the real sandbox, not of a test double. */

import test from 'ava';
import { openGateways } from '../../../operations/gateway-calls/gateways.ts';
import { gatewayAdapters } from '../../../providers/gateway/adapters.ts';
import { advancePayment } from '../../../operations/gateway-calls/process.ts';
import type { MethodChoice } from '../../../operations/payment-methods/choice.ts';
import { sharedDatabase } from '../support/books.ts';
import { openPaymentBooks } from '../support/payment-books.ts';
import { corrupt, own } from './corrupt.ts';

const db = await sharedDatabase();

test('charges, declines, voids and refunds of the sandbox agree with the books until one is changed', async (t) => {
  const books = await openPaymentBooks(db, { today: '2027-01-15' });
  const gateways = openGateways(
    books.dependencies,
    gatewayAdapters(books.dependencies, {
      secretKeys: 'of the tests, and of nothing else',
    }),
  );
  const sandbox = await gateways.ofTenant(books.tenantId);
  const customerId = await books.customer();
  const cardOf = async (cardNumber: string): Promise<MethodChoice> => {
    const details = {
      type: 'CreditCard',
      cardNumber,
      expiry: '2029-12-31',
      cardholderName: null,
      cvv: null,
      billingAddress: null,
    } as const;
    const method = await sandbox.store(details, `${books.label}/${cardNumber.slice(-4)}`);
    return { by: 'vaulted', type: 'CreditCard', gateway: 'sandbox', method, saveAs: null };
  };
  const hooks = { onStep: () => {}, dispatch: () => {} };
  const settle = async (): Promise<void> => {
    for (const cascadeId of await books.pending()) {
      const request = { cascadeId, asked: 0 };
      const { done } = await advancePayment(
        books.dependencies,
        gateways,
        books.tenantId,
        request,
        hooks,
      );
      t.true(done);
    }
  };
  const [good, bad] = [await cardOf('4111111111111111'), await cardOf('4000000000000002')];
  await books.bill(customerId, '15');
  for (const [amount, method] of [
    ['10', good],
    ['20', good],
    ['5', bad],
  ] as const) {
    await books.pay({ customerId, amount, method });
    await settle();
  }
  await books.refund({ customerId, amount: '20' });
  await settle();
  await books.advance('2027-01-16');
  await books.refund({ customerId, amount: '2.5' });
  await settle();
  t.deepEqual(await books.payments(), [
    '#1 Payment Paid 10.00 CreditCard back 2.50',
    '#2 Payment Voided 20.00 CreditCard back 20.00',
    '#3 Payment Declined 5.00 CreditCard',
    '#4 Refund Paid -20.00',
    '#5 Refund Paid -2.50',
  ]);
  t.deepEqual(await books.faults(), []);
  await corrupt(books, [`delete from sandbox_transaction where ${own}`]);
  t.deepEqual(
    (await books.faults()).map(({ check }) => check),
    ['sandbox.charge', 'sandbox.charge', 'sandbox.share', 'sandbox.share'],
  );
});
