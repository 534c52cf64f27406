/** Every writing operation takes its locks in one order: clock, customer, rest, numbers last. */

import test from 'ava';
import { billCustomers } from '../../../operations/billing/bill-customers.ts';
import { activateCustomer, suspendCustomer } from '../../../operations/customers/status.ts';
import { cancelInvoice } from '../../../operations/invoices/cancel.ts';
import { createInvoice } from '../../../operations/invoices/create.ts';
import { createOrder } from '../../../operations/orders/create.ts';
import { generateForOrder, moveOrder } from '../../../operations/orders/actions.ts';
import { updateOrder } from '../../../operations/orders/update.ts';
import {
  inOperation,
  type Dependencies,
  type OperationContext,
} from '../../../operations/context/context.ts';
import { openBooks, sharedDatabase } from '../support/books.ts';
import {
  locksClock,
  locksCustomers,
  overheard,
  takesInvoiceNumber,
  takesOrderNumber,
  transactionsOf,
  type Said,
} from '../support/overheard.ts';
import { prepaid, recurring } from '../support/plans.ts';

const shared = await sharedDatabase();

test('an operation locks the clock, then customers, then the rest, and takes invoice numbers last', async (t) => {
  const books = await openBooks(shared, {
    today: '2027-01-15',
    testClock: '2027-01-15T12:00:00Z',
    plans: [recurring('P', 10, prepaid)],
    file: { documents: { cancellation: 'document' } },
  });
  const { tenantId } = books;
  const said: Said[] = [];
  const dependencies: Dependencies = { db: overheard(shared.app, said), realNow: Date.now };
  const customerId = await books.customer();
  const run = <Result>(operation: (work: OperationContext) => Promise<Result>) =>
    inOperation(dependencies, tenantId, operation);
  const order = { customerId, contractCode: 'P' };
  const no = { generateInvoice: false, forceInvoiceGeneration: false };
  const now = { ...no, generateInvoice: true };
  const noFlags = { suspendOrders: false, cancelOrders: false };
  let id = 0;
  const operations: readonly [name: string, operation: () => Promise<unknown>][] = [
    ['create', async () => (id = await run((work) => createOrder(dependencies, work, order, no)))],
    ['generate', () => run((work) => generateForOrder(dependencies, work, { id }))],
    ['create and bill', () => run((work) => createOrder(dependencies, work, order, now))],
    ['suspend', () => run((work) => moveOrder(work, { id }, 'Suspended'))],
    ['activate', () => run((work) => moveOrder(work, { id }, 'Active'))],
    [
      'put',
      () => run((work) => updateOrder(dependencies, work, { id }, { endDate: '2027-06-30' })),
    ],
    [
      'roll back',
      () =>
        run((work) =>
          cancelInvoice(
            dependencies,
            work,
            { number: '1001' },
            { ...noFlags, rollbackBillingPeriod: true },
          ),
        ),
    ],
    ['suspend customer', () => run((work) => suspendCustomer(work, { id: customerId }))],
    ['activate customer', () => run((work) => activateCustomer(work, { id: customerId }))],
    [
      'make due',
      () => run(({ tx }) => tx.query('update subscription_order set bill_on = $1', ['2027-01-15'])),
    ],
    ['bill', () => billCustomers(dependencies, tenantId, [customerId], { wait: false })],
    [
      'by hand',
      () =>
        run((work) =>
          createInvoice(
            work,
            { id: customerId },
            {
              invoiceLineItems: [{ invoiceLineItemCharges: [{ amount: '5' }] }],
            },
          ),
        ),
    ],
  ];
  for (const [name, operation] of operations) {
    said.length = 0;
    await operation();
    if (name === 'make due') continue;
    const [transaction = []] = transactionsOf(said);
    const texts = transaction.map(({ text }) => text);
    t.log(name, texts.length);
    t.regex(texts[0] ?? '', locksClock, `${name}: the clock first`);
    t.regex(texts[1] ?? '', locksCustomers, `${name}: then the customer`);
    for (const { text, values } of transaction.slice(2)) {
      // The same customer is read again under its lock, and never another one.
      if (locksCustomers.test(text)) t.deepEqual([values[0]].flat(), [customerId], name);
      t.notRegex(text, locksClock);
    }
    const orderNumber = texts.findIndex((text) => takesOrderNumber.test(text));
    const invoiceNumber = texts.findIndex((text) => takesInvoiceNumber.test(text));
    if (['generate', 'create and bill', 'roll back', 'bill', 'by hand'].includes(name)) {
      t.is(invoiceNumber, texts.length - 1, `${name}: invoice numbers last`);
    }
    if (name.startsWith('create'))
      t.true(orderNumber > 1, `${name}: the number after the customer`);
  }
});
