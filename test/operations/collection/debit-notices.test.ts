/** SEPA debits of automatic invoices: announced first, then debited, at most what was announced. */
import test from 'ava';
import { nextOnAgenda } from '../../../db/queries/due/agenda.ts';
import { announceAllDebits } from '../../../operations/due/notices.ts';
import { tenantInfo } from '../../../operations/context/context.ts';
import { removeMethod, reorderMethods } from '../../../operations/payment-methods/methods.ts';
import { claimAutopay } from '../../../operations/collection/autopay.ts';
import { orderTimeline } from '../../../operations/orders/timeline.ts';
import { sharedDatabase } from '../support/books.ts';
import { type CollectionBooks, openCollectionBooks } from '../support/collection-books.ts';
import { cash } from '../support/payment-books.ts';
import { prepaid, recurring } from '../support/plans.ts';

const db = await sharedDatabase();

const takesSepa = {
  gateway: { methods: ['card', 'sepa'] },
  notifications: { from: 'billing@demo.example', enabled: ['debitNotice'] },
};

/** A customer with a SEPA account on file, on 2027-03-01. */
async function opened(file: Readonly<Record<string, unknown>> = {}) {
  const books = await openCollectionBooks(db, {
    today: '2027-03-01',
    currency: 'EUR',
    timezone: 'Europe/Berlin',
    plans: [recurring('P30', 30, prepaid)],
    file: { ...takesSepa, ...file },
  });
  const customerId = await books.customer({ currency: 'EUR' });
  await books.file(customerId, 1, { token: 'sepa_1', lastFour: '3000', isSepa: true });
  books.gateway.onCharge('sepa_1', 'accept', 'accept', 'accept');
  return { books, customerId };
}

/** `2027-03-01 1001 30.00 on 2027-03-03 by 3000` of each notice. */
const announced = async (books: CollectionBooks): Promise<string[]> => {
  const rows = await books.read((tx) =>
    tx.query<{ text: string }>(
      `select concat_ws(' ', n.announced_on, i.invoice_number, round(n.amount, 2), 'on', n.debit_on,
         'by', m.last_four) as text
       from debit_notice n join invoice i on i.tenant_id = n.tenant_id and i.id = n.invoice_id
       join payment_method m on m.tenant_id = n.tenant_id and m.id = n.payment_method_id
       order by n.id`,
    ),
  );
  return rows.map(({ text }) => text);
};

const mails = async (books: CollectionBooks): Promise<number> => {
  const rows = await books.read((tx) =>
    tx.query(`select from mail m join debit_notice n on n.tenant_id = m.tenant_id
      and n.id = m.object_id where m.kind = 'debitNotice'`),
  );
  return rows.length;
};

/** What the gateway was asked to charge. */
const charges = ({ gateway }: CollectionBooks): string[] =>
  gateway.calls.filter((call) => call.startsWith('charge'));

const bill = (books: CollectionBooks, customerId: number, more: object = {}) =>
  books.bill(customerId, '30', { isAutoPay: true, ...more });

test('EUR 30.00 of 03-01 are announced on that day and debited on 03-03', async (t) => {
  const { books, customerId } = await opened();
  await bill(books, customerId);
  t.deepEqual(await announced(books), ['2027-03-01 1001 30.00 on 2027-03-03 by 3000']);
  t.is(await mails(books), 1);
  t.deepEqual(await books.payments(), []);
  await books.live('2027-03-02');
  t.deepEqual(await books.payments(), []);
  await books.live('2027-03-03');
  t.deepEqual(await books.paidOn(), ['2027-03-03 Pending 30.00']);
  await books.gateway.finish('Approved');
  await books.settle();
  t.deepEqual(await books.open(), ['1001 Paid 0.00 of 30.00']);
  t.deepEqual(charges(books), ['charge sepa_1 30.00: accept']);
  t.deepEqual(await announced(books), ['2027-03-01 1001 30.00 on 2027-03-03 by 3000']);
  t.deepEqual(await books.faults(), []);
});

test('of many claims at once each invoice is announced once, and debited once', async (t) => {
  const { books, customerId } = await opened();
  const id = await books.order({ customerId, contractCode: 'P30', isAutoPay: true });
  await books.advance('2027-03-02');
  const claim = () => books.work((its) => claimAutopay(its, { orderId: id }));
  await Promise.all([claim(), claim(), books.claim(), claim()]);
  t.deepEqual(await announced(books), ['2027-03-02 1001 30.00 on 2027-03-04 by 3000']);
  t.is(await mails(books), 1);
  books.jump('2027-03-04');
  const claims = await Promise.all([claim(), books.claim(), claim()]);
  t.is(claims.flatMap(({ payments }) => payments).length, 1);
  await books.settle();
  t.deepEqual(await books.paidOn(), ['2027-03-04 Pending 30.00']);
});

test('with autopayOn dueDate a debit is announced so many days before, and made on the due date', async (t) => {
  const { books, customerId } = await opened({ settings: { autopayOn: 'dueDate' } });
  await bill(books, customerId, { dueDate: '2027-03-15' });
  t.deepEqual(await announced(books), []);
  t.is(await books.read((tx) => nextOnAgenda(tx, '2027-03-31')), '2027-03-13');
  await books.live('2027-03-12');
  t.deepEqual(await announced(books), []);
  await books.live('2027-03-14');
  t.deepEqual(await announced(books), ['2027-03-13 1001 30.00 on 2027-03-15 by 3000']);
  t.deepEqual(await books.paidOn(), []);
  await books.live('2027-03-15');
  t.deepEqual(await books.paidOn(), ['2027-03-15 Pending 30.00']);
  t.deepEqual(await books.faults(), []);
});

test('an invoice that is due too soon is announced at the next 00:00, and debited so many days later', async (t) => {
  const { books, customerId } = await opened({ settings: { autopayOn: 'dueDate' } });
  await books.live('2027-03-10');
  await bill(books, customerId, { dueDate: '2027-03-11' });
  await books.live('2027-03-12');
  t.deepEqual(await announced(books), ['2027-03-11 1001 30.00 on 2027-03-13 by 3000']);
  await books.live('2027-03-13');
  t.deepEqual(await books.paidOn(), ['2027-03-13 Pending 30.00']);
  t.deepEqual(await books.faults(), []);
});

test('what is paid between announcement and debit is not debited; what is paid in part is debited for the rest', async (t) => {
  const { books, customerId } = await opened();
  const [part, whole] = [await bill(books, customerId), await bill(books, customerId)];
  await books.paid({
    customerId,
    amount: '12',
    method: cash,
    invoiceIds: [part],
    currencyCode: 'EUR',
  });
  await books.paid({
    customerId,
    amount: '30',
    method: cash,
    invoiceIds: [whole],
    currencyCode: 'EUR',
  });
  await books.live('2027-03-03');
  t.deepEqual(charges(books), ['charge sepa_1 18.00: accept']);
  t.deepEqual(await books.faults(), []);
});

test('a cancelled invoice is not debited', async (t) => {
  const { books, customerId } = await opened();
  await bill(books, customerId);
  await books.cancelInvoice(1001);
  await books.live('2027-03-05');
  t.deepEqual(books.gateway.calls, []);
  t.deepEqual(await books.faults(), []);
});

test('no more is debited than was announced, whatever is open then', async (t) => {
  const { books, customerId } = await opened({ settings: { autopayOn: 'dueDate' } });
  const invoiceId = await bill(books, customerId, { dueDate: '2027-03-15' });
  const paying = { customerId, method: cash, currencyCode: 'EUR' };
  const paid = await books.paid({ ...paying, amount: '10', invoiceIds: [invoiceId] });
  await books.live('2027-03-14');
  t.deepEqual(await announced(books), ['2027-03-13 1001 20.00 on 2027-03-15 by 3000']);
  await books.unpay(paid);
  await books.live('2027-03-15');
  t.deepEqual(await books.paidOn(), ['2027-03-01 Canceled 10.00', '2027-03-15 Pending 20.00']);
  t.deepEqual(await books.open(), ['1001 Outstanding 30.00 of 30.00']);
  t.deepEqual(await books.faults(), []);
});

test('without the announced account the first method on file pays, and another account is announced anew', async (t) => {
  const { books, customerId } = await opened();
  await books.file(customerId, 2, { token: 'tok_2', lastFour: '2222' });
  await bill(books, customerId);
  await books.work((its) => removeMethod(its, { id: customerId }, 1));
  await books.live('2027-03-03');
  t.deepEqual(books.gateway.calls, ['charge tok_2 30.00: approve']);

  await books.file(customerId, 1, { token: 'sepa_2', lastFour: '2001', isSepa: true });
  await bill(books, customerId);
  await books.live('2027-03-04');
  await books.file(customerId, 1, { token: 'sepa_3', lastFour: '3001', isSepa: true });
  books.gateway.onCharge('sepa_3', 'accept');
  await books.live('2027-03-07');
  t.deepEqual(await announced(books), [
    '2027-03-01 1001 30.00 on 2027-03-03 by 3000',
    '2027-03-03 1002 30.00 on 2027-03-05 by 2001',
    '2027-03-05 1002 30.00 on 2027-03-07 by 3001',
  ]);
  t.is(charges(books).at(-1), 'charge sepa_3 30.00: accept');
  t.deepEqual(await books.faults(), []);
});

test('without any method on that day nothing is debited, and autopay of the invoice ends', async (t) => {
  const { books, customerId } = await opened();
  await bill(books, customerId);
  await books.work((its) => removeMethod(its, { id: customerId }, 1));
  await books.live('2027-03-05');
  t.deepEqual(books.gateway.calls, []);
  t.deepEqual(await books.open(), ['1001 Outstanding 30.00 of 30.00']);
  t.deepEqual(await books.faults(), []);
});

test('an account that has moved behind a card is debited as announced', async (t) => {
  const { books, customerId } = await opened();
  await books.file(customerId, 2, { token: 'tok_2', lastFour: '2222' });
  await bill(books, customerId);
  await books.work((its) => reorderMethods(its, { id: customerId }, [2, 1]));
  await books.live('2027-03-03');
  t.deepEqual(charges(books), ['charge sepa_1 30.00: accept']);
});

test('a card before the account is charged at once, and the account after it without an announcement', async (t) => {
  const { books, customerId } = await opened();
  await books.file(customerId, 2, { token: 'tok_2', lastFour: '2222' });
  await books.work((its) => reorderMethods(its, { id: customerId }, [2, 1]));
  books.gateway.onCharge('tok_2', 'decline');
  await bill(books, customerId);
  await books.settle();
  t.deepEqual(await announced(books), []);
  t.deepEqual(charges(books), ['charge tok_2 30.00: decline', 'charge sepa_1 30.00: accept']);
  t.deepEqual(await books.faults(), []);
});

test('a debit that is declined is retried by the retry days, without further announcements', async (t) => {
  const { books, customerId } = await opened();
  await bill(books, customerId);
  await books.live('2027-03-03');
  await books.live('2027-03-04');
  await books.gateway.finish('Declined');
  await books.settle();
  t.deepEqual(await books.attempts(), ['2027-03-05 1001 #1: due']);
  await books.live('2027-03-05');
  t.is((await announced(books)).length, 1);
  t.is(charges(books).length, 2);
  t.deepEqual(await books.faults(), []);
});

test('the days between count as processing: they bring no step of ageing', async (t) => {
  const dunning = { thresholds: [{ daysOverdue: 1, status: 'Overdue1' }] };
  const { books, customerId } = await opened({ dunning });
  await bill(books, customerId, { dueDate: '2027-03-01' });
  const other = await books.customer({ currency: 'EUR' });
  await books.bill(other, '30', { dueDate: '2027-03-01' });
  const standings = () =>
    books.read((tx) => tx.query<{ status: string }>('select status from customer order by id'));
  await books.live('2027-03-02');
  t.deepEqual(await standings(), [{ status: 'Active' }, { status: 'Overdue1' }]);
  // From 03-03 on the debit itself is in processing; once it is declined, the step comes.
  await books.live('2027-03-04');
  t.deepEqual(await standings(), [{ status: 'Active' }, { status: 'Overdue1' }]);
  await books.gateway.finish('Declined');
  await books.settle();
  await books.live('2027-03-05');
  t.deepEqual(await standings(), [{ status: 'Overdue1' }, { status: 'Overdue1' }]);
});

test('the timeline of an order tells what was announced, and when it pays', async (t) => {
  const { books, customerId } = await opened();
  const id = await books.order({ customerId, contractCode: 'P30', isAutoPay: true });
  await books.advance('2027-03-02');
  await books.autopaid();
  const tenant = await tenantInfo(books.dependencies, books.tenantId);
  const timeline = await orderTimeline(books.dependencies, tenant, { id });
  const told = timeline?.filter(({ text }) => /announced|pays/.test(text));
  t.deepEqual(told, [
    {
      date: '2027-03-02',
      state: 'happened',
      text: 'debit of 30.00 EUR for invoice 1001 on 2027-03-04 announced',
    },
    { date: '2027-03-04', state: 'next', text: 'pays invoice 1001, 30.00 EUR' },
  ]);
});

test('a day’s announcements happen once, however often its run is repeated', async (t) => {
  const { books, customerId } = await opened({ settings: { autopayOn: 'dueDate' } });
  await bill(books, customerId, { dueDate: '2027-03-04' });
  books.jump('2027-03-02');
  const tenant = await tenantInfo(books.dependencies, books.tenantId);
  const hooks = { lanes: 1, mayContinue: () => true, dispatch: () => undefined };
  const slice = { dependencies: books.dependencies, tenant, today: '2027-03-02', ...hooks };
  await Promise.all([announceAllDebits(slice), announceAllDebits(slice), announceAllDebits(slice)]);
  t.deepEqual(await announced(books), ['2027-03-02 1001 30.00 on 2027-03-04 by 3000']);
  t.is(await mails(books), 1);
});
