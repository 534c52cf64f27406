/** Which events each operation raises, in which order, and that the billing run raises in sets. */
import test from 'ava';
import { billCustomers } from '../../../operations/billing/bill-customers.ts';
import { createCustomer, updateCustomer } from '../../../operations/customers/write.ts';
import { deleteContact, addContact } from '../../../operations/customers/contact-write.ts';
import { deleteCustomer } from '../../../operations/customers/delete.ts';
import { noContactFields } from '../../../operations/customers/contact-input.ts';
import { sharedDatabase } from '../support/books.ts';
import { overheard, type Said } from '../support/overheard.ts';
import {
  card,
  cash,
  onFile,
  openPaymentBooks,
  type PaymentBooks,
} from '../support/payment-books.ts';
import { prepaid, recurring } from '../support/plans.ts';

const db = await sharedDatabase();
const plans = [recurring('P', 30, prepaid)];
const open = () => openPaymentBooks(db, { today: '2027-01-15', plans });

interface Raised {
  readonly text: string;
  readonly id: number;
}

/** `invoice.paid v2`, with the detail, in the order of the ids. */
const raisedAfter = (books: PaymentBooks, after: number): Promise<Raised[]> =>
  books.read((tx) =>
    tx.query<Raised & Record<string, unknown>>(
      `select id, concat_ws(' ', type, 'v' || object_version, detail) as text
       from event where id > $1 order by id`,
      [after],
    ),
  );

/** Calls the operation, and returns what it raised. */
async function raisedBy(books: PaymentBooks, operation: () => Promise<unknown>) {
  const last = (await raisedAfter(books, 0)).at(-1)?.id ?? 0;
  await operation();
  return (await raisedAfter(books, last)).map(({ text }) => text);
}

test('a customer raises its creation, its changes and its transitions', async (t) => {
  const books = await open();
  const billing = { ...noContactFields, firstName: 'Ada', lastName: 'Field' };
  let id = 0;
  const raised = (operation: () => Promise<unknown>) => raisedBy(books, operation);
  t.deepEqual(
    await raised(async () => {
      id = await books.work((its) => createCustomer(its, {}, { billing, sales: null }));
    }),
    ['customer.created v1'],
  );
  const update = () => books.work((its) => updateCustomer(its, { id }, { name: 'Ada' }, {}));
  t.deepEqual(await raised(update), ['customer.updated v2']);
  const add = () => books.work((its) => addContact(its, { id }, 'sales', billing));
  t.deepEqual(await raised(add), ['customer.updated v3']);
  const remove = () => books.work((its) => deleteContact(its, { id }, 'sales'));
  t.deepEqual(await raised(remove), ['customer.updated v4']);
  t.deepEqual(await raised(() => books.customerAction(id, 'suspend')), [
    'customer.transition {"by": "hand"}',
    'customer.updated v5',
  ]);
  t.deepEqual(await raised(() => books.customerAction(id, 'suspend')), [], 'nothing changed');
  t.deepEqual(await raised(() => books.customerAction(id, 'activate')), [
    'customer.transition {"by": "hand"}',
    'customer.updated v7',
  ]);
  t.deepEqual(await raised(() => books.work((its) => deleteCustomer(its, { id }))), []);
  t.deepEqual(await books.faults(), []);
});

test('an order raises its creation before its first invoice, and no renewal of dates', async (t) => {
  const books = await open();
  const customerId = await books.customer();
  let id = 0;
  t.deepEqual(
    await raisedBy(books, async () => {
      id = await books.order({ customerId, contractCode: 'P' }, { generateInvoice: true });
    }),
    ['order.created v1', 'invoice.created v1'],
  );
  t.deepEqual(await raisedBy(books, () => books.advance('2027-02-15')), ['invoice.created v1']);
  t.deepEqual(await raisedBy(books, () => books.put(id, { isAutoRenew: false })), [
    'order.updated v3',
  ]);
  t.deepEqual(await raisedBy(books, () => books.suspend(id)), ['order.updated v4']);
  t.deepEqual(await raisedBy(books, () => books.activate(id)), ['order.updated v5']);
  t.deepEqual(await raisedBy(books, () => books.customerAction(customerId, 'suspend')), [
    'customer.transition {"by": "hand"}',
    'customer.updated v2',
  ]);
  t.deepEqual(await books.faults(), []);
});

test('the run raises the status of an order that begins or ends, before its invoice', async (t) => {
  const books = await open();
  const customerId = await books.customer();
  await books.order({
    customerId,
    contractCode: 'P',
    startDate: '2027-01-20',
    endDate: '2027-02-19',
    isAutoRenew: false,
  });
  t.deepEqual(await raisedBy(books, () => books.advance('2027-01-20')), [
    'order.updated v2',
    'invoice.created v1',
  ]);
  t.deepEqual(await raisedBy(books, () => books.advance('2027-02-20')), ['order.updated v3']);
});

test('an invoice is created, paid, open again, and cancelled', async (t) => {
  const books = await open();
  const customerId = await books.customer();
  const raised = (operation: () => Promise<unknown>) => raisedBy(books, operation);
  t.deepEqual(await raised(() => books.bill(customerId, '100')), ['invoice.created v1']);
  const half = () => books.pay({ customerId, amount: '60' });
  t.deepEqual(await raised(half), ['payment.success v2']);
  let payment = 0;
  t.deepEqual(
    await raised(async () => {
      payment = await books.pay({ customerId, amount: '40' });
    }),
    ['payment.success v2', 'invoice.paid v3'],
  );
  t.deepEqual(await raised(() => books.unpay(payment)), [], 'DELETE payment has no event');
  t.deepEqual(await raised(() => books.credit({ customerId, amount: '40' })), [
    'credit.created v1',
    'invoice.paid v5',
  ]);
  t.deepEqual(await raised(() => books.bill(customerId, '0')), [
    'invoice.created v1',
    'invoice.paid v1',
  ]);
  t.deepEqual(await raised(() => books.bill(customerId, '-5')), [
    'invoice.created v1',
    'invoice.paid v1',
    'credit.created v1',
  ]);
  await books.bill(customerId, '9');
  t.deepEqual(await raised(() => books.cancelInvoice(1004)), ['invoice.cancelled v4']);
  t.deepEqual(await books.faults(), []);
});

test('cancelling an invoice raises the orders whose status it changes', async (t) => {
  const books = await open();
  const customerId = await books.customer();
  await books.order({ customerId, contractCode: 'P' }, { generateInvoice: true });
  t.deepEqual(await raisedBy(books, () => books.cancelInvoice(1001, { suspendOrders: true })), [
    'invoice.cancelled v2',
    'order.updated v2',
  ]);
  t.deepEqual(await books.faults(), []);
});

test('each attempt of a cascade raises its end; only the last one ends the cascade', async (t) => {
  const books = await open();
  const customerId = await books.customer();
  await books.file(customerId, 1, { token: 'tok_1' });
  await books.file(customerId, 2, { token: 'tok_2', lastFour: '2222' });
  const pay = () => books.paid({ customerId, amount: '6', method: onFile(1) });
  books.gateway.onCharge('tok_1', 'decline', 'decline');
  books.gateway.onCharge('tok_2', 'decline');
  t.deepEqual(await raisedBy(books, pay), [
    'payment.failed v3 {"final": false}',
    'payment.failed v3 {"final": true}',
  ]);
  t.deepEqual(await raisedBy(books, pay), [
    'payment.failed v3 {"final": false}',
    'payment.success v3',
  ]);
  const refund = () => books.refunded({ customerId, amount: '6' });
  t.deepEqual(await raisedBy(books, refund), ['refund.success v3']);
  books.gateway.onCharge('bad', 'decline');
  const once = () => books.paid({ customerId, amount: '1', method: card('bad') });
  t.deepEqual(await raisedBy(books, once), ['payment.failed v3 {"final": true}']);
  t.deepEqual(await raisedBy(books, () => books.paid({ customerId, amount: '1', method: cash })), [
    'payment.success v2',
  ]);
  t.deepEqual(await books.faults(), []);
});

test('a payment that its bank takes back raises that it failed', async (t) => {
  const books = await open();
  const customerId = await books.customer();
  await books.bill(customerId, '50');
  const id = await books.paid({ customerId, amount: '50', method: card('tok') });
  const [charge] = await books.read((tx) =>
    tx.query<{ id: string }>('select transaction_id as id from payment where id = $1', [id]),
  );
  const rest = { amount: '50', currency: 'USD', reason: 'general', isHardDecline: false };
  const withdrawal = { kind: 'return', ref: 're_1', isReinstated: false, ...rest } as const;
  books.gateway.withdraws(charge?.id ?? '', [withdrawal]);
  await books.work(({ tx }) =>
    tx.query('update payment set gateway_news_on = $2 where id = $1', [id, books.today()]),
  );
  t.deepEqual(await raisedBy(books, () => books.carry(id)), [
    'payment.failed v6 {"by": "return", "final": true}',
  ]);
  const faults = await books.faults();
  t.deepEqual(
    faults.filter(({ check }) => check.startsWith('event.')),
    [],
  );
});

test('a refused operation raises nothing', async (t) => {
  const books = await open();
  const customerId = await books.customer();
  await books.bill(customerId, '10');
  await books.pay({ customerId, amount: '10' });
  const cancel = () => t.throwsAsync(books.cancelInvoice(1001));
  t.deepEqual(await raisedBy(books, cancel), []);
});

test('the run raises the events of a whole batch in one statement', async (t) => {
  const books = await open();
  const customerIds: number[] = [];
  for (let count = 0; count < 12; count += 1) {
    const customerId = await books.customer();
    await books.order({ customerId, contractCode: 'P' });
    customerIds.push(customerId);
  }
  books.tomorrow();
  const said: Said[] = [];
  const dependencies = { ...books.dependencies, db: overheard(db.app, said) };
  await billCustomers(dependencies, books.tenantId, customerIds, { wait: true });
  const inserts = said.filter(({ text }) => /insert into event\b/.test(text));
  t.is(inserts.length, 1);
  const raised = await raisedAfter(books, 0);
  t.is(raised.filter(({ text }) => text === 'invoice.created v1').length, 12);
  t.deepEqual(await books.faults(), []);
});
