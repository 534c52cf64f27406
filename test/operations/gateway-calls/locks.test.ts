/** Every operation that moves money locks the clock, then its customer, then writes. */

import test from 'ava';
import { claimAutopay } from '../../../operations/collection/autopay.ts';
import { cancelPayment } from '../../../operations/payments/cancel.ts';
import { createPayment } from '../../../operations/payments/create.ts';
import { advancePayment } from '../../../operations/gateway-calls/process.ts';
import { resolvePayment } from '../../../operations/gateway-calls/resolve.ts';
import {
  inOperation,
  type Dependencies,
  type OperationContext,
} from '../../../operations/context/context.ts';
import { sharedDatabase } from '../support/books.ts';
import {
  locksClock,
  locksCustomers,
  overheard,
  transactionsOf,
  type Said,
} from '../support/overheard.ts';
import {
  card,
  cash,
  onFile,
  openPaymentBooks,
  type PaymentSent,
} from '../support/payment-books.ts';
import { prepaid, recurring } from '../support/plans.ts';

const db = await sharedDatabase();

test('an operation locks the clock first, then the customer, and no other customer later', async (t) => {
  const books = await openPaymentBooks(db, {
    today: '2027-01-15',
    testClock: '2027-01-15T12:00:00Z',
    plans: [recurring('P', 10, prepaid)],
  });
  const { tenantId, gateway } = books;
  const said: Said[] = [];
  const dependencies: Dependencies = { db: overheard(db.app, said), realNow: Date.now };
  const customerId = await books.customer();
  await books.file(customerId, 1, { token: 'tok_1' });
  await books.order({ customerId, contractCode: 'P', isAutoPay: true });
  const run = <Result>(operation: (work: OperationContext) => Promise<Result>) =>
    inOperation(dependencies, tenantId, operation);
  const pay = (sent: Partial<PaymentSent>) => async (): Promise<number> => {
    const input = books.inputOf({ customerId, amount: '5', ...sent });
    return run((work) => createPayment(dependencies, work, input, { userId: null }));
  };
  const hooks = { onStep: () => {}, dispatch: () => {} };
  const carry = async (): Promise<unknown> => {
    const [cascade] = await books.pending();
    const request = { cascadeId: cascade ?? 0, asked: 0 };
    return advancePayment(dependencies, gateway.gateways, tenantId, request, hooks);
  };
  gateway.onCharge('tok_1', 'decline', 'loseCall');
  let paid = 0;
  const operations: readonly [name: string, operation: () => Promise<unknown>][] = [
    ['cash with its invoices', async () => (paid = await pay({ generateInvoice: true })())],
    ['take back', () => run((work) => cancelPayment(work, paid))],
    ['card', pay({ method: card('tok_new', 2) })],
    ['carry', carry],
    ['on file', pay({ method: onFile(1) })],
    ['carry to a decline and on', carry],
    ['refund', pay({ type: 'Refund', method: null })],
    ['carry it back', carry],
    ['cash back', pay({ type: 'Refund', method: cash })],
    ['credit', pay({ type: 'Credit', amount: '-3' })],
    [
      'claim',
      async () => {
        await books.bill(customerId, '4');
        await books.work(({ tx }) =>
          tx.query(`update invoice set autopay_on = invoice_date where status = 'Outstanding'`),
        );
        const { payments } = await run((work) => claimAutopay(work, { limit: 10 }));
        t.is(payments.length, 2);
      },
    ],
    ['once more', pay({ method: onFile(1) })],
    ['carry into silence', carry],
    [
      'resolve',
      async () => {
        const [cascadeId = 0] = await books.pending();
        const resolution = {
          cascadeId,
          outcome: 'approved',
          reason: 'it was',
          requestId: 'r',
        } as const;
        return resolvePayment(dependencies, gateway.gateways, tenantId, resolution, hooks);
      },
    ],
  ];
  for (const [name, operation] of operations) {
    said.length = 0;
    await operation();
    for (const transaction of transactionsOf(said)) {
      const texts = transaction.map(({ text }) => text);
      t.regex(texts[0] ?? '', locksClock, `${name}: the clock first`);
      if (texts.length === 1) continue;
      t.regex(texts[1] ?? '', locksCustomers, `${name}: then the customer`);
      for (const { text, values } of transaction.slice(2)) {
        if (locksCustomers.test(text)) t.deepEqual([values[0]].flat(), [customerId], name);
        t.notRegex(text, locksClock, name);
      }
    }
  }
  await books.settle();
  t.deepEqual(await books.faults(), []);
});
