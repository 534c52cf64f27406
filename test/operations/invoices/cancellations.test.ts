/** Cancellations of invoices that have a number: which have one, of which series, without gaps. */
import test from 'ava';
import { createCreditNote } from '../../../operations/refunds/credit-note.ts';
import { readInvoice } from '../../../operations/invoices/read.ts';
import { tenantInfo } from '../../../operations/context/context.ts';
import { openBooks, sharedDatabase, type Books } from '../support/books.ts';
import { csv, importsOf, rowsAre } from '../support/imports.ts';
import { importInvoice } from '../support/imported.ts';
import { prepaid, recurring } from '../support/plans.ts';
import { openSignupBooks } from '../support/signups.ts';
import { DomainError } from '../../../domain/errors.ts';

const db = await sharedDatabase();
const plans = [recurring('P', 10, prepaid)];
const documents = { cancellation: 'document' };
const yearly = { prefix: 'CN-{YYYY}-', digits: 4, yearly: true };

const opened = (today: string, file: Readonly<Record<string, unknown>> = {}) =>
  openBooks(db, { today, plans, file: { documents, ...file } });

/** `1001 by 1002 on 2027-01-15` of each invoice that is cancelled, in the order of their making. */
const cancelled = async ({
  dependencies,
  tenantId,
  read,
}: Pick<Books, 'dependencies' | 'tenantId' | 'read'>) => {
  const tenant = await tenantInfo(dependencies, tenantId);
  return read(async (tx) => {
    const rows = await tx.query<{ id: number }>('select id from invoice order by id');
    const views = await Promise.all(rows.map(({ id }) => readInvoice(tx, tenant, { id })));
    return views.flatMap((view) => {
      if (view === undefined || view.dateCancelled === null) return [];
      const { invoiceNumber, cancellationNumber, dateCancelled } = view;
      return [`${invoiceNumber} by ${cancellationNumber} on ${dateCancelled}`];
    });
  });
};

const bill = (books: Books, customerId: number, amount = '5.00') =>
  books.manualInvoice(customerId, {
    invoiceLineItems: [{ invoiceLineItemCharges: [{ amount, invoiceText: 'Visit' }] }],
  });

test('a cancellation takes the next number of credit notes, whatever its flags are', async (t) => {
  const books = await opened('2027-01-15', {
    numbering: { creditNote: { prefix: 'CN-', start: 7 } },
  });
  const customerId = await books.customer();
  const now = { generateInvoice: true };
  for (const flags of [
    {},
    { rollbackBillingPeriod: true },
    { suspendOrders: true },
    { cancelOrders: true },
  ]) {
    await books.order({ customerId, contractCode: 'P' }, now);
    await books.cancelInvoice(1001 + (await cancelled(books)).length, flags);
  }
  await bill(books, customerId, '-2.00');
  t.deepEqual(await cancelled(books), [
    '1001 by CN-7 on 2027-01-15',
    '1002 by CN-8 on 2027-01-15',
    '1003 by CN-9 on 2027-01-15',
    '1004 by CN-10 on 2027-01-15',
  ]);
  t.regex((await books.invoices()).at(-1) ?? '', /^CN-11 on/);
  t.deepEqual((await books.audit()).faults, []);
});

test('without a series of credit notes the number is one of the invoices', async (t) => {
  const books = await opened('2027-01-15');
  const customerId = await books.customer();
  await bill(books, customerId);
  await books.advance('2027-01-17');
  await books.cancelInvoice(1001);
  await bill(books, customerId);
  t.deepEqual(await cancelled(books), ['1001 by 1002 on 2027-01-17']);
  t.regex((await books.invoices()).at(-1) ?? '', /^1003 on/);
  t.deepEqual((await books.audit()).faults, []);
});

test('a tenant that stamps gives no number, and the day is that of the ledger', async (t) => {
  const books = await openBooks(db, { today: '2027-01-15', plans });
  await bill(books, await books.customer());
  await books.advance('2027-01-20');
  await books.cancelInvoice(1001);
  t.deepEqual(await cancelled(books), ['1001 by null on 2027-01-20']);
  t.like(await books.counters(), { invoice: 1002 });
  t.deepEqual((await books.audit()).faults, []);
});

test('an imported invoice is cancelled by a number of the series of this service', async (t) => {
  const books = await opened('2027-01-15');
  const customerId = await books.customer();
  await books.work((its) =>
    importInvoice(its, { customerId, number: 'OLD-1', amount: '60', dueDate: '2027-02-01' }),
  );
  await books.cancelInvoice('OLD-1');
  t.deepEqual(await cancelled(books), ['OLD-1 by 1001 on 2027-01-15']);
  t.deepEqual((await books.audit()).faults, []);
});

test('a sign-up that fails cancels its invoice by a number', async (t) => {
  const books = await openSignupBooks(db, { file: { documents } });
  const id = await books.link();
  books.gateway.onCharge('bad', 'decline');
  await books.submit(id, { token: 'bad' });
  await books.carry(id);
  books.later(30 * 60_000);
  t.is((await books.advance(id)).phase, 'Failed');
  t.deepEqual(await cancelled(books), ['1001 by 1002 on 2027-01-15']);
  t.deepEqual(await books.faults(), []);
});

test('the number of a cancellation that fails is given to the next one', async (t) => {
  const books = await opened('2027-01-15');
  const customerId = await books.customer();
  await bill(books, customerId);
  await bill(books, customerId);
  const twice = Promise.allSettled([books.cancelInvoice(1001), books.cancelInvoice(1001)]);
  const outcomes = (await twice).map(({ status }) => status).toSorted();
  t.deepEqual(outcomes, ['fulfilled', 'rejected']);
  await books.cancelInvoice(1002);
  t.deepEqual(await cancelled(books), ['1001 by 1003 on 2027-01-15', '1002 by 1004 on 2027-01-15']);
});

test('of a cancellation and a credit note at once one is refused, and takes no number', async (t) => {
  const books = await opened('2027-01-15');
  const customers = await Promise.all(Array.from({ length: 6 }, () => books.customer()));
  for (const customerId of customers) await bill(books, customerId);
  const outcomes = await Promise.allSettled(
    customers.flatMap((_, index) => {
      const number = String(1001 + index);
      const credit = () =>
        books.work((its) =>
          createCreditNote(its, { number }, { reason: 'Courtesy', amount: '1.00' }),
        );
      const cancel = () => books.cancelInvoice(number);
      return (index % 2 === 0 ? [credit, cancel] : [cancel, credit]).map((call) => call());
    }),
  );
  const refusals = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
  t.is(refusals.length, 6);
  for (const refusal of refusals) {
    t.true(refusal instanceof DomainError);
    t.regex(refusal.code, /^invoice\.(credited|notCreditable)$/);
  }
  t.like(await books.counters(), { invoice: 1013 });
  t.deepEqual((await books.audit()).faults, []);
});

test('simultaneous cancellations, credit notes and invoices leave no gap at the turn of the year', async (t) => {
  const books = await opened('2027-12-31', { numbering: { invoice: 1001, creditNote: yearly } });
  const customers = await Promise.all(Array.from({ length: 4 }, () => books.customer()));
  for (const customerId of [...customers, ...customers, ...customers])
    await bill(books, customerId);
  const several = (first: number) =>
    Promise.all(
      customers.flatMap((customerId, index) => [
        books.cancelInvoice(first + index),
        bill(books, customerId, '-1.00'),
        bill(books, customerId),
      ]),
    );
  await several(1001);
  await books.advance('2028-01-01');
  await several(1005);
  const numbers = (await cancelled(books)).map((text) => text.split(' by ')[1]?.split(' on ')[0]);
  t.is(new Set(numbers).size, 8);
  t.is(numbers.filter((number) => /^CN-2027-000[1-8]$/.test(number ?? '')).length, 4);
  t.is(numbers.filter((number) => /^CN-2028-000[1-8]$/.test(number ?? '')).length, 4);
  t.deepEqual((await books.audit()).faults, []);
});

test('an import may not bring the number of a cancellation', async (t) => {
  const books = await opened('2027-01-15', {
    numbering: { creditNote: { prefix: 'X-', start: 1 } },
  });
  await bill(books, await books.customer({ ref: 'A' }));
  await books.cancelInvoice(1001);
  const imports = await importsOf(books);
  const { rows } = await imports.invoices(
    csv(
      ['invoiceNumber', 'extCustomerRef', 'invoiceDate', 'dueDate'],
      [['X-1', 'A', '2026-12-01', '2027-02-01']],
    ),
    [csv(['invoiceNumber', 'position', 'amount'], [['X-1', 1, '10.00']])],
  );
  rowsAre(t, rows.slice(0, 1), [
    '2 Failure line 2: invoiceNumber: invoice.numberTaken: another invoice has invoiceNumber X-1',
  ]);
});
