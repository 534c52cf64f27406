/** The covered and excess parts of a withdrawal, and the change of the books. */

import test from 'ava';
import { withdraw } from '../../../domain/payments/withdrawals.ts';

const charged = {
  amount: '103',
  surcharge: '3',
  refunded: '0',
  withdrawnBefore: '0',
  coveredBefore: '0',
  isPaid: true,
};

test('the covered part is what was received without its surcharge and not refunded', (t) => {
  const cases = [
    // changes of the payment, withdrawn, covered, excess, entered
    [{}, '103', '100', '0', '100'],
    [{}, '40', '40', '0', '40'],
    [{}, '110', '100', '7', '100'],
    [{ refunded: '40' }, '103', '60', '40', '60'],
    [{ refunded: '100' }, '103', '0', '100', '0'],
    [{ withdrawnBefore: '40', coveredBefore: '40' }, '63', '60', '0', '60'],
    [{ withdrawnBefore: '103', coveredBefore: '100' }, '10', '0', '10', '0'],
    // A refund after the withdrawal took what was not there any more.
    [{ refunded: '40', withdrawnBefore: '103', coveredBefore: '100' }, '10', '0', '10', '0'],
    [{ refunded: '99.50' }, '0.50', '0.5', '0', '0.5'],
    [{ isPaid: false }, '103', '100', '0', '0'],
  ] as const;
  for (const [change, amount, covered, excess, entered] of cases) {
    t.deepEqual(withdraw({ ...charged, ...change }, amount), { covered, excess, entered });
  }
});
