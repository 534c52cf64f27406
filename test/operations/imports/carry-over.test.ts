/** BatchInit: what it takes, what it leaves, its counts, its restarts, the chain of totals. */

import test from 'ava';
import { administer } from '../../support/template.ts';
import { ownDatabase } from '../support/books.ts';
import { carryOver } from '../../../operations/imports/carry-over.ts';
import { overheard, type Said } from '../support/overheard.ts';
import { openPaymentBooks } from '../support/payment-books.ts';
import {
  batchInit,
  beginInit,
  carriedOf,
  eventsFrom,
  everything,
  finishInit,
  jobsOf,
  nothing,
  stepInit,
  zeroedOf,
} from '../support/batch-init.ts';

const db = await ownDatabase();
const open = () => openPaymentBooks(db, { today: '2027-01-15' });
const zeroing = { ...everything, zeroOutCustomerBalance: true };

test('zeroing A, who owes 30.00, and B, who has 12.00 unapplied, enters -30.00 and +12.00', async (t) => {
  const books = await open();
  const [a, b] = [await books.customer(), await books.customer()];
  await books.bill(a, '30');
  await books.paid({ customerId: b, amount: '12' });
  const id = await batchInit(books, { ...zeroing, jobId: 'init-1' });
  t.deepEqual(await zeroedOf(books), ['zeroOut -30.00 USD', 'zeroOut 12.00 USD']);
  t.deepEqual(await books.balances(), []);
  t.deepEqual(await books.open(), ['1001 CarriedOver 0.00 of 30.00']);
  t.deepEqual(await carriedOf(books), ['#1 closed 12.00', '1001 30.00 was Outstanding']);
  t.deepEqual(await jobsOf(books), [
    'init-1 Success 2 0',
    'init-1-invoice Success 1 0',
    'init-1-creditMemo Success 0 0',
    'init-1-debitMemo Success 0 0',
  ]);
  t.deepEqual(await eventsFrom(books, id), [`batch.finished ${id}`]);
  await books.bill(a, '50');
  t.is(await books.totals(1002), '30.00 -30.00 50.00 = 50.00');
  const refused = { code: 'payment.refundTooHigh' };
  await t.throwsAsync(books.refund({ customerId: b, amount: '0.01' }), refused);
  t.deepEqual(await books.faults(), []);
});

test('without zeroing the ledger stays, and the next invoice of A goes on from 30.00', async (t) => {
  const books = await open();
  const [a, b] = [await books.customer(), await books.customer()];
  await books.bill(a, '30');
  await books.paid({ customerId: b, amount: '12' });
  await batchInit(books, everything);
  t.deepEqual(await zeroedOf(books), []);
  t.deepEqual(await books.balances(), ['30.00 USD', '-12.00 USD']);
  t.deepEqual(await carriedOf(books), ['1001 30.00 was Outstanding']);
  await books.bill(a, '50');
  t.is(await books.totals(1002), '30.00 0.00 50.00 = 80.00');
  // Its money is still there.
  await books.refunded({ customerId: b, amount: '12' });
  t.deepEqual(await books.faults(), []);
});

test('it takes every invoice, credits with a balance and open debits', async (t) => {
  const books = await open();
  const [a, b, c] = [await books.customer(), await books.customer(), await books.customer()];
  await books.bill(a, '40');
  await books.bill(a, '20');
  await books.cancelInvoice(1002);
  await books.credit({ customerId: a, amount: '15' });
  await books.bill(b, '10');
  await books.credit({ customerId: b, amount: '16' });
  await books.credit({ customerId: c, amount: '-7.34' });
  await books.paid({ customerId: c, amount: '2.34' });
  await batchInit(books, { ...everything, jobId: 'all' });
  t.deepEqual(await books.open(), [
    '1001 CarriedOver 0.00 of 40.00',
    '1002 CarriedOver 0.00 of 20.00',
    '1003 CarriedOver 0.00 of 10.00',
  ]);
  t.deepEqual(await carriedOf(books), [
    '#2 6.00 was Paid',
    '#3 -5.00 was Paid',
    '1001 25.00 was Outstanding',
    '1002 0.00 was Cancelled',
    '1003 0.00 was Paid',
  ]);
  t.deepEqual(await books.payments(), [
    '#1 Credit Paid 15.00',
    '#2 Credit CarriedOver 16.00',
    '#3 Credit CarriedOver -7.34',
    '#4 Payment Paid 2.34 Cash',
  ]);
  t.deepEqual((await jobsOf(books)).slice(1), [
    'all-invoice Success 3 0',
    'all-creditMemo Success 1 0',
    'all-debitMemo Success 1 0',
  ]);
  t.deepEqual(await books.balances(), ['25.00 USD', '-6.00 USD', '5.00 USD']);
  t.deepEqual(await books.faults(), []);
});

test('only the kinds that were asked for are taken, and no kind is a success', async (t) => {
  const books = await open();
  const a = await books.customer();
  await books.bill(a, '30');
  await batchInit(books, { ...nothing, jobId: 'none' });
  await batchInit(books, { carryForwardDebitMemos: true, jobId: 'debits' });
  t.deepEqual(await books.open(), ['1001 Outstanding 30.00 of 30.00']);
  t.deepEqual(await jobsOf(books), [
    'none Success 0 0',
    'debits Success 1 0',
    'debits-debitMemo Success 0 0',
  ]);
  t.deepEqual(await books.faults(), []);
});

test('two calls of a step at once, and one after the end, do nothing twice', async (t) => {
  const books = await open();
  const ids: number[] = [];
  for (let made = 0; made < 201; made += 1) ids.push(await books.customer());
  const [first = 0, last = 0] = [ids[0], ids.at(-1)];
  await books.bill(first, '10');
  await books.bill(last, '20');
  const batchId = await beginInit(books, { ...zeroing, jobId: 'init' });
  const [one, other] = await Promise.all([stepInit(books, batchId), stepInit(books, batchId)]);
  t.deepEqual([one.isDone, other.isDone], [false, false]);
  // The call that comes to the job second takes the last customer if the first has committed by then.
  const [done] = await jobsOf(books);
  t.true(done === 'init Queued 200 0' || done === 'init Queued 201 0', done);
  t.is((await zeroedOf(books))[0], 'zeroOut -10.00 USD');
  await finishInit(books, batchId);
  t.deepEqual(await jobsOf(books), [
    'init Success 201 0',
    'init-invoice Success 2 0',
    'init-creditMemo Success 0 0',
    'init-debitMemo Success 0 0',
  ]);
  const again = await stepInit(books, batchId);
  t.like(again, { isDone: true, customersDone: 201, customers: 201, status: 'Success' });
  t.is(again.counts.carriedInvoices, 2);
  t.deepEqual(await eventsFrom(books, batchId), [`batch.finished ${batchId}`]);
  t.deepEqual(await books.faults(), []);
});

test('a step whose commit nobody heard of is repeated without doing anything twice', async (t) => {
  const books = await open();
  const [a, b] = [await books.customer(), await books.customer()];
  await books.bill(a, '10');
  await books.bill(b, '20');
  const batchId = await beginInit(books, { ...zeroing, jobId: 'init' });
  // The first transaction begins the job, the second one carries.
  let commits = 0;
  const dispatch = (): void => {
    commits += 1;
    if (commits > 1) throw new Error('the process died after its commit');
  };
  await t.throwsAsync(carryOver(books.dependencies, books.tenantId, { batchId }, { dispatch }), {
    message: /died after its commit/,
  });
  await finishInit(books, batchId);
  t.deepEqual((await jobsOf(books)).slice(0, 2), ['init Success 2 0', 'init-invoice Success 2 0']);
  t.deepEqual(await zeroedOf(books), ['zeroOut -10.00 USD', 'zeroOut -20.00 USD']);
  t.deepEqual(await books.faults(), []);
});

test('a step sends as many statements for many customers as for one', async (t) => {
  const counted: number[] = [];
  for (const customers of [1, 40]) {
    const books = await open();
    for (let made = 0; made < customers; made += 1) {
      const customerId = await books.customer();
      await books.bill(customerId, '10');
      await books.credit({ customerId, amount: '5' });
    }
    const batchId = await beginInit(books, zeroing);
    const said: Said[] = [];
    const dependencies = { ...books.dependencies, db: overheard(books.dependencies.db, said) };
    await stepInit({ dependencies, tenantId: books.tenantId }, batchId);
    // The tenant is read anew when a second has passed: that is not of the step.
    const own = new Set(
      said.filter(({ text }) => /\bbatch\b/.test(text)).map((each) => each.transaction),
    );
    counted.push(said.filter(({ transaction }) => own.has(transaction)).length);
  }
  t.true((counted[0] ?? 0) > 20);
  t.is(counted[0], counted[1]);
});

test('a step takes fewer customers if they have many invoices, and one at least', async (t) => {
  const books = await open();
  const [a, b, c] = [await books.customer(), await books.customer(), await books.customer()];
  await books.bill(a, '10');
  await books.work(({ tx }) =>
    tx.query(
      `insert into invoice select copy.* from invoice i, generate_series(1, $1::int) place,
         unnest($2::bigint[]) as owner(id),
         jsonb_populate_record(null::invoice, to_jsonb(i) || jsonb_build_object(
           'id', nextval('id_seq'), 'customer_id', owner.id, 'notes', place,
           'invoice_number', 1000000 + nextval('id_seq'))) copy`,
      [2_600, [a, a, b, c]],
    ),
  );
  const batchId = await beginInit(books, everything);
  const done: number[][] = [];
  for (let isDone = false; !isDone;) {
    const progress = await stepInit(books, batchId);
    ({ isDone } = progress);
    done.push([progress.customersDone, progress.counts.carriedInvoices]);
  }
  t.deepEqual(done, [
    [1, 5_201],
    [2, 7_801],
    [3, 10_401],
    [3, 10_401],
  ]);
});

test('what was made after the start stays open, and the balance is that', async (t) => {
  const books = await open();
  const a = await books.customer();
  await books.bill(a, '30');
  const batchId = await beginInit(books, zeroing);
  await books.bill(a, '50');
  await books.credit({ customerId: await books.customer(), amount: '5' });
  await finishInit(books, batchId);
  t.deepEqual(await books.open(), [
    '1001 CarriedOver 0.00 of 30.00',
    '1002 Outstanding 50.00 of 50.00',
  ]);
  t.deepEqual(await zeroedOf(books), ['zeroOut -30.00 USD']);
  t.deepEqual(await books.balances(), ['50.00 USD', '-5.00 USD']);
  t.deepEqual(await books.faults(), []);
  await books.paid({ customerId: a, amount: '50' });
  t.deepEqual(await books.balances(), ['-5.00 USD']);
  t.deepEqual(await books.faults(), []);
});

test('a second job takes only what came since', async (t) => {
  const books = await open();
  const a = await books.customer();
  await books.bill(a, '30');
  await batchInit(books, { ...everything, jobId: 'one' });
  await books.bill(a, '50');
  await batchInit(books, { ...zeroing, jobId: 'two' });
  t.deepEqual(await jobsOf(books), [
    'one Success 1 0',
    'one-invoice Success 1 0',
    'one-creditMemo Success 0 0',
    'one-debitMemo Success 0 0',
    'two Success 1 0',
    'two-invoice Success 1 0',
    'two-creditMemo Success 0 0',
    'two-debitMemo Success 0 0',
  ]);
  t.deepEqual(await zeroedOf(books), ['zeroOut -80.00 USD']);
  t.deepEqual(await books.faults(), []);
});

test('each currency of a customer has its own entry', async (t) => {
  const books = await open();
  const a = await books.customer();
  await books.bill(a, '30');
  await books.bill(a, '20', { currency: 'EUR' });
  await batchInit(books, zeroing);
  t.deepEqual(await zeroedOf(books), ['zeroOut -20.00 EUR', 'zeroOut -30.00 USD']);
  t.deepEqual(await books.faults(), []);
});

test('a customer whose rows the database refuses is passed over, and what it has counts as failed', async (t) => {
  const books = await open();
  const [a, b, c] = [await books.customer(), await books.customer(), await books.customer()];
  for (const id of [a, b, b, c]) await books.bill(id, '10');
  const name = `carry_fails_${books.tenantId}`;
  await administer(
    db.ownerUrl,
    `alter table invoice add constraint ${name}
       check (customer_id <> ${b} or status <> 'CarriedOver')`,
  );
  t.teardown(() => administer(db.ownerUrl, `alter table invoice drop constraint ${name}`));
  await batchInit(books, { ...everything, jobId: 'init' });
  t.deepEqual(await jobsOf(books), [
    'init PartialSuccess 2 1',
    'init-invoice PartialSuccess 2 2',
    'init-creditMemo Success 0 0',
    'init-debitMemo Success 0 0',
  ]);
  const [job] = await books.read((tx) =>
    tx.query<{ text: string }>(`select error_message as text from batch where kind = 'init'`),
  );
  t.is(job?.text, `customer ${b} could not be carried over: database.23514`);
  t.deepEqual(await books.open(), [
    '1001 CarriedOver 0.00 of 10.00',
    '1002 Outstanding 10.00 of 10.00',
    '1003 Outstanding 10.00 of 10.00',
    '1004 CarriedOver 0.00 of 10.00',
  ]);
  t.deepEqual(await books.faults(), []);
});

test('a job that was cancelled ends after the step under way', async (t) => {
  const books = await open();
  await books.bill(await books.customer(), '10');
  const batchId = await beginInit(books, { ...everything, jobId: 'init' });
  await books.work(({ tx }) =>
    tx.query(`update batch set cancelled_at = now() where id = ${batchId}`),
  );
  t.like(await stepInit(books, batchId), { isDone: true, status: 'Failure' });
  t.deepEqual(await books.open(), ['1001 Outstanding 10.00 of 10.00']);
});

test('a jobId is unique with those of the jobs below it, and zeroing needs all kinds', async (t) => {
  const books = await open();
  const id = await beginInit(books, { ...everything, jobId: 'init' });
  const nudges = await books.read((tx) =>
    tx.query(`select kind, object_id as id from outbox where kind = 'batch'`),
  );
  t.deepEqual(nudges, [{ kind: 'batch', id }]);
  const taken = { code: 'batch.duplicate' };
  t.like(await t.throwsAsync(beginInit(books, { jobId: 'init' }), taken), {
    path: 'batchProcess/jobId',
    value: 'init',
  });
  await t.throwsAsync(beginInit(books, { jobId: 'init-invoice' }), taken);
  // Also where the jobs below it would have ids that nobody has.
  await beginInit(books, { jobId: 'lone' });
  await t.throwsAsync(beginInit(books, { ...everything, jobId: 'lone' }), taken);
  await beginInit(books, { jobId: 'other-invoice' });
  await t.throwsAsync(beginInit(books, { ...everything, jobId: 'other' }), taken);
  const some = { carryForwardInvoices: true, zeroOutCustomerBalance: true };
  await t.throwsAsync(beginInit(books, some), { code: 'field.invalid' });
  const own = await beginInit(books, {});
  t.true((await jobsOf(books)).includes(`${own} Queued 0 0`));
  await t.throwsAsync(stepInit(books, own + 100_000), { code: 'batch.unknown' });
});
