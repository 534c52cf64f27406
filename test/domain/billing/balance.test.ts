/** How an invoice continues from the customer's balance. */
import test from 'ava';
import { balanceAfter, continueFrom } from '../../../domain/billing/rate/balance.ts';

test('an invoice shows what the last one left, what happened since, and what is due in all', (t) => {
  // 50.00 of 78.95 were paid.
  const continued = continueFrom({ balance: '28.95', lastTotalDue: '78.95' }, '29.95');
  t.deepEqual(continued, {
    previousBalance: '78.95',
    paymentsAndAdjustments: '-50',
    totalDue: '58.9',
  });
  t.deepEqual(continueFrom(balanceAfter(continued), '-10.00'), {
    previousBalance: '58.9',
    paymentsAndAdjustments: '0',
    totalDue: '48.9',
  });
});
