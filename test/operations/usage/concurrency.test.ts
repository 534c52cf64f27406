/** Uploads of usage at the same time as runs, rollbacks, cancellations, changes and removals. */
import test from 'ava';
import { DomainError, DomainErrors } from '../../../domain/errors.ts';
import type { OperationContext } from '../../../operations/context/context.ts';
import { cancelInvoice } from '../../../operations/invoices/cancel.ts';
import { changeOrder } from '../../../operations/orders/change.ts';
import { updateOrder } from '../../../operations/orders/update.ts';
import { generateForOrder } from '../../../operations/orders/actions.ts';
import { removeActivity } from '../../../operations/usage/remove.ts';
import { openBooks, sharedDatabase, type Books } from '../support/books.ts';
import { held } from '../support/held.ts';
import { activitiesOf, remove, upload, uploadIn } from '../support/uploads.ts';
import { metered } from '../support/usage.ts';

const db = await sharedDatabase();

async function withOrders(count: number, today = '2027-01-01') {
  const books = await openBooks(db, { today, plans: [metered] });
  const orders: number[] = [];
  for (let made = 0; made < count; made += 1) {
    const customerId = await books.customer({ ref: `C-${made}` });
    orders.push(await books.order({ customerId, contractCode: 'METERED' }));
  }
  return { books, orders };
}

const minutes = (
  orderId: number,
  chargeDate: string,
  quantity = '10',
  extRefId: string | null = null,
) => ({ orderId, chargeDate, quantity, extRefId }) as const;

const invoiceNumbers = async (books: Books) =>
  (await activitiesOf(books)).map(({ invoiceNumber }) => invoiceNumber);
const isClean = async (books: Books) => (await books.audit()).faults;

const noFlags = { suspendOrders: false, cancelOrders: false, rollbackBillingPeriod: true };

test('whoever waits for an order finds it gone when another order has taken its place', async (t) => {
  const { books, orders } = await withOrders(1);
  const [orderId = 0] = orders;
  const change = (deletesCurrent: boolean) => (its: OperationContext) =>
    changeOrder(
      books.dependencies,
      its,
      { id: orderId },
      {
        input: { contractCode: 'METERED' },
        effectiveDate: null,
        deletesCurrent,
        bills: false,
        named: { path: 'currentOrderId', value: '' },
      },
    );
  const first = await held(books, change(true));
  const later = [books.suspend(orderId), books.put(orderId, {}), books.work(change(false))];
  const ends = Promise.allSettled(later);
  await first.waitedFor();
  await first.commit();
  for (const end of await ends) {
    t.like(end, { status: 'rejected', reason: { code: 'order.unknown' } });
  }
  t.deepEqual(await isClean(books), []);
});

test('billing waits for an upload that holds a window, and bills its records', async (t) => {
  const { books, orders } = await withOrders(1);
  const [orderId = 0] = orders;
  books.jump('2027-02-01');
  const first = await held(books, (its) => uploadIn(its, [minutes(orderId, '2027-01-20')]));
  const run = books.run();
  await first.waitedFor();
  await first.commit();
  await run;
  t.deepEqual(await invoiceNumbers(books), ['1001']);
  t.deepEqual(await isClean(books), []);
});

test('an upload waits for the run that closes a window, and its records are late', async (t) => {
  const { books, orders } = await withOrders(1);
  const [orderId = 0] = orders;
  await upload(books, [minutes(orderId, '2027-01-20')]);
  books.jump('2027-02-01');
  const first = await held(books, (its) =>
    generateForOrder(books.dependencies, its, { id: orderId }),
  );
  const uploading = upload(books, [minutes(orderId, '2027-01-21')]);
  await first.waitedFor();
  await first.commit();
  await uploading;
  t.deepEqual(await invoiceNumbers(books), ['1001', null]);
  await books.advance('2027-03-01');
  t.deepEqual(await invoiceNumbers(books), ['1001', '1002']);
  t.deepEqual(await isClean(books), []);
});

test('an upload beside a rollback is late, or comes to the opened window', async (t) => {
  const { books, orders } = await withOrders(1);
  const [orderId = 0] = orders;
  await upload(books, [minutes(orderId, '2027-01-20', '10', 'A')]);
  await books.advance('2027-02-01');
  const first = await held(books, (its) =>
    cancelInvoice(books.dependencies, its, { number: '1001' }, noFlags),
  );
  const uploading = upload(books, [
    minutes(orderId, '2027-01-21'),
    { correctsExtRefId: 'A', quantity: '-4', chargeDate: '2027-01-22' },
  ]);
  await first.commit();
  await uploading;
  await upload(books, [minutes(orderId, '2027-01-23')]);
  await books.advance('2027-03-01');
  const records = await activitiesOf(books);
  t.deepEqual(
    records.filter(({ status }) => status !== 'Processed'),
    [],
  );
  t.is(records[3]?.invoiceNumber, '1002');
  t.deepEqual(await isClean(books), []);
});

test('a removal of an order waits for an upload of its first record, and is refused', async (t) => {
  const { books, orders } = await withOrders(1);
  const [orderId = 0] = orders;
  const first = await held(books, (its) => uploadIn(its, [minutes(orderId, '2027-01-02')]));
  const change = books.change(orderId, { contractCode: 'METERED' }, { deletesCurrent: true });
  const refused = t.throwsAsync(change, { instanceOf: DomainError });
  await first.waitedFor();
  await first.commit();
  t.is((await refused)?.code, 'order.billed');
  t.is((await activitiesOf(books)).length, 1);
  t.deepEqual(await isClean(books), []);
});

test('an upload waits for the removal of its order, and finds no order', async (t) => {
  for (const hasWindow of [false, true]) {
    const { books, orders } = await withOrders(1);
    const [orderId = 0] = orders;
    if (hasWindow) {
      await upload(books, [minutes(orderId, '2027-01-02', '1', 'A')]);
      await remove(books, { extRefId: 'A' });
    }
    const first = await held(books, (its) =>
      changeOrder(
        books.dependencies,
        its,
        { id: orderId },
        {
          input: { contractCode: 'METERED' },
          effectiveDate: null,
          deletesCurrent: true,
          bills: false,
          named: { path: 'currentOrderId', value: String(orderId) },
        },
      ),
    );
    const uploading = upload(books, [minutes(orderId, '2027-01-02')]);
    const refused = t.throwsAsync(uploading, { instanceOf: DomainErrors });
    await first.waitedFor();
    await first.commit();
    t.deepEqual(
      (await refused)?.errors.map(({ code }) => code),
      ['activity.reference'],
    );
    t.deepEqual(await activitiesOf(books), []);
    t.deepEqual(await isClean(books), []);
  }
});

test('of two deletions, corrections or uploads of one record, one succeeds', async (t) => {
  const { books, orders } = await withOrders(1);
  const [orderId = 0] = orders;
  const outcomes = async (...calls: readonly Promise<unknown>[]): Promise<string[]> => {
    const settled = await Promise.allSettled(calls);
    return settled
      .map((each) => (each.status === 'fulfilled' ? 'done' : codeOf(each.reason)))
      .toSorted();
  };
  const one = () => upload(books, [minutes(orderId, '2027-01-02', '10', 'A')]);
  t.deepEqual(await outcomes(one(), one()), ['activity.refTaken', 'done']);
  const skipping = () =>
    upload(books, [minutes(orderId, '2027-01-02', '10', 'B')], { skipsDuplicates: true });
  t.deepEqual(await outcomes(skipping(), skipping()), ['done', 'done']);
  const correct = () => upload(books, [{ correctsExtRefId: 'A', quantity: '-6', extRefId: null }]);
  t.deepEqual(await outcomes(correct(), correct()), ['activity.correction', 'done']);
  const drop = () => remove(books, { extRefId: 'B' });
  t.deepEqual(await outcomes(drop(), drop()), ['activity.unknown', 'done']);
  await upload(books, [minutes(orderId, '2027-01-02', '10', 'C')]);
  const both = await outcomes(
    upload(books, [{ correctsExtRefId: 'C', quantity: '-6' }]),
    remove(books, { extRefId: 'C' }),
  );
  t.true(['activity.corrected done', 'activity.correction done'].includes(both.join(' ')));
  t.deepEqual(await isClean(books), []);
});

function codeOf(error: unknown): string {
  if (error instanceof DomainErrors) return error.errors.map(({ code }) => code).join(' ');
  return error instanceof DomainError ? error.code : String(error);
}

test('a deletion waits for the run, and is refused once the record is billed', async (t) => {
  const { books, orders } = await withOrders(1);
  const [orderId = 0] = orders;
  await upload(books, [minutes(orderId, '2027-01-20', '10', 'A')]);
  books.jump('2027-02-01');
  const first = await held(books, (its) =>
    generateForOrder(books.dependencies, its, { id: orderId }),
  );
  const refused = t.throwsAsync(remove(books, { extRefId: 'A' }), { instanceOf: DomainError });
  await first.waitedFor();
  await first.commit();
  t.is((await refused)?.code, 'activity.billed');
  // A deletion that was first leaves the run an empty window.
  await upload(books, [minutes(orderId, '2027-02-20', '10', 'B')]);
  books.jump('2027-03-01');
  const deletion = await held(books, (its) => removeActivity(its, { extRefId: 'B' }));
  const run = books.run();
  await deletion.waitedFor();
  await deletion.commit();
  await run;
  t.is((await books.invoices()).length, 1);
  t.deepEqual(await isClean(books), []);
});

const expectedBeside = ['activity.outsideTerm', 'activity.notTaken', 'activity.refTaken'];

test('uploads beside a run, cancellations and changes of the same orders lose no record', async (t) => {
  const { books, orders } = await withOrders(12);
  await upload(
    books,
    orders.map((orderId) => minutes(orderId, '2027-01-10', '100', `first ${orderId}`)),
  );
  books.jump('2027-02-01');
  let stored = orders.length;
  const uploads = Array.from({ length: 24 }, async (_, nth) => {
    // In turn from other ends, dated in the due period and in the next one, with references that two
    // uploads share.
    const turned = nth % 2 === 0 ? orders : orders.toReversed();
    const chosen = turned.slice(nth % 5, (nth % 5) + 6);
    const records = chosen.map((orderId) =>
      minutes(
        orderId,
        nth % 3 === 0 ? '2027-02-01' : '2027-01-31',
        '1',
        nth % 4 === 0 ? `shared ${orderId}` : null,
      ),
    );
    const answer = await upload(books, records, { skipsDuplicates: nth % 8 === 0 }).catch(
      (error: unknown) => {
        const codes = codeOf(error).split(' ');
        if (!codes.every((code) => expectedBeside.includes(code))) throw error;
        return [];
      },
    );
    stored += answer.filter(({ isDuplicate }) => !isDuplicate).length;
  });
  const others = orders.slice(0, 8).map(async (id, nth) => {
    if (nth % 4 === 0) await books.put(id, { orderStatus: 'Canceled' });
    else if (nth % 4 === 1) await books.change(id, { contractCode: 'METERED' }, { bills: true });
    else if (nth % 4 === 2) await books.suspend(id);
    else await books.generate(id);
  });
  await Promise.all([...uploads, ...others, books.run(), books.run()]);
  for (const id of orders.slice(0, 8).filter((_, nth) => nth % 4 === 2)) await books.activate(id);
  await books.advance('2027-03-02');
  const records = await activitiesOf(books);
  t.is(records.length, stored);
  t.deepEqual(
    records.filter(({ status }) => status !== 'Processed').map(({ chargeDate }) => chargeDate),
    [],
  );
  const [sums] = await books.read((tx) =>
    tx.query<{ windows: number; records: number }>(
      `select (select sum(quantity)::int from usage_window) as windows,
         (select sum(quantity)::int from activity) as records`,
    ),
  );
  t.is(sums?.windows, sums?.records);
  t.deepEqual(await isClean(books), []);
});

/** An order in its trial, from 2027-01-01 to 01-14, on 01-05. */
async function inTrial() {
  const trial = { value: 14, units: 'Days' };
  const books = await openBooks(db, { today: '2027-01-01', plans: [{ ...metered, trial }] });
  const customerId = await books.customer();
  const id = await books.order({ customerId, contractCode: 'METERED' });
  await books.advance('2027-01-05');
  return { books, id };
}

async function isBilledOnce(books: Books): Promise<string[]> {
  await books.advance('2027-02-01');
  const shown = await activitiesOf(books);
  const faults = (await books.audit()).faults.map(({ check }) => check);
  return [...shown.map(({ status, amount }) => `${status} ${amount}`), ...faults];
}

test('the end of a trial waits for an upload of its free days, and takes the record of today along', async (t) => {
  const { books, id } = await inTrial();
  const first = await held(books, (its) => uploadIn(its, [minutes(id, '2027-01-05')]));
  const put = books.put(id, { trialDays: 4 });
  await first.waitedFor();
  await first.commit();
  await put;
  t.deepEqual(await isBilledOnce(books), ['Processed 1.00']);
});

test('an upload waits for the end of a trial, and finds the window that there is then', async (t) => {
  const { books, id } = await inTrial();
  const first = await held(books, (its) =>
    updateOrder(books.dependencies, its, { id }, { trialDays: 4 }),
  );
  const uploaded = upload(books, [minutes(id, '2027-01-05')]);
  await first.waitedFor();
  await first.commit();
  await uploaded;
  t.deepEqual(await isBilledOnce(books), ['Processed 1.00']);
});
