/** Periods that are billed in parts: the parts sum up to the price of their days, to the cent. */
import test from 'ava';
import { addDays, type IsoDate } from '../../../domain/calendar/calendar.ts';
import { tenantInfo } from '../../../operations/context/context.ts';
import { nextInvoices } from '../../../operations/invoices/next.ts';
import { corrupt, own } from '../books/corrupt.ts';
import { openBooks, sharedDatabase, type Books } from '../support/books.ts';
import { prorated, recurring } from '../support/plans.ts';

const db = await sharedDatabase();
const file = { settings: { creditUnusedOnCancel: true } };
const plans = [recurring('P', 29.95, prorated)];

/** A customer with an order of P that ends, for the time being, on a day. */
async function begun(startDate: IsoDate, endDate: IsoDate) {
  const books = await openBooks(db, { today: startDate, plans, file });
  const customerId = await books.customer();
  const input = { customerId, contractCode: 'P', endDate, isAutoRenew: false };
  const id = await books.order(input, { generateInvoice: true });
  return { books, customerId, id };
}

/** `2027-02-21 2027-03-02 10.69` of each charge. */
async function charges(books: Books): Promise<string[]> {
  const rows = await books.read((tx) =>
    tx.query<{ text: string }>(
      `select concat_ws(' ', c.billing_start_date, c.billing_end_date, round(c.amount, 2),
         case i.status when 'Cancelled' then i.status end) as text
       from invoice i join invoice_line n on n.invoice_id = i.id
       join invoice_charge c on c.invoice_line_id = n.id
       order by i.number_value, n.position, c.position`,
    ),
  );
  return rows.map(({ text }) => text);
}

/** `2027-02-21 2027-03-02 10.69` of each charge that a customer is shown ahead. */
async function shownAhead(books: Books, customerId: number, asOf: IsoDate): Promise<string[]> {
  const tenant = await tenantInfo(books.dependencies, books.tenantId);
  const invoices = await nextInvoices(books.dependencies, tenant, { id: customerId }, asOf);
  return invoices.flatMap(({ lines }) =>
    lines.flatMap((line) =>
      line.charges.map((each) =>
        [each.billingStartDate, each.billingEndDate, each.amount].join(' '),
      ),
    ),
  );
}

test('an end that moves four times costs the price of the period, as it was shown ahead', async (t) => {
  const { books, customerId, id } = await begun('2027-02-15', '2027-02-20');
  for (const endDate of ['2027-03-02', '2027-03-09', '2027-03-14']) {
    await books.put(id, { endDate });
    const ahead = await shownAhead(books, customerId, endDate);
    await books.advance(endDate);
    t.deepEqual((await charges(books)).slice(-1), ahead);
  }
  // By themselves they cost 6.42, 10.70, 7.49 and 5.35.
  t.deepEqual(await charges(books), [
    '2027-02-15 2027-02-20 6.42',
    '2027-02-21 2027-03-02 10.69',
    '2027-03-03 2027-03-09 7.49',
    '2027-03-10 2027-03-14 5.35',
  ]);
  t.deepEqual((await books.audit()).faults, []);
});

test('what is credited of a part leaves what all used days of the period cost', async (t) => {
  for (const isChange of [false, true]) {
    const { books, customerId, id } = await begun('2027-02-01', '2027-02-14');
    await books.put(id, { endDate: '2027-02-28' });
    await books.advance('2027-02-15');
    const change = { contractCode: 'P', endDate: '2027-02-28', customerId };
    if (isChange) {
      const how = { effectiveDate: '2027-02-16', bills: true };
      const [shown] = await books.previewChange(id, change, how);
      t.is(
        shown,
        'on 2027-02-16 due 2027-03-18 Paid 0.00: P 2027-02-16 2027-02-28 -13.91, ' +
          'P 2027-02-16 2027-02-28 13.91',
      );
      await books.change(id, change, how);
      await books.advance('2027-02-16');
    } else await books.put(id, { orderStatus: 'Canceled' });
    // 15 of 28 days cost 16.04; a day by itself costs 1.07.
    t.deepEqual(await charges(books), [
      '2027-02-01 2027-02-14 14.98',
      '2027-02-15 2027-02-28 14.97',
      ...(isChange ? ['2027-02-16 2027-02-28 -13.91', '2027-02-16 2027-02-28 13.91'] : []),
    ]);
    const credits = await books.read((tx) =>
      tx.query('select round(amount, 2)::text as amount from charge_credit'),
    );
    t.deepEqual(credits, [{ amount: '13.91' }]);
    t.deepEqual((await books.audit()).faults, []);
  }
});

test('a change that comes while a period is billed in parts costs what was shown ahead', async (t) => {
  const { books, customerId, id } = await begun('2027-02-01', '2027-02-14');
  await books.put(id, { endDate: '2027-02-28' });
  await books.advance('2027-02-10');
  const change = { contractCode: 'P', endDate: '2027-02-28', customerId };
  await books.change(id, change, { effectiveDate: '2027-02-16' });
  const ahead = await shownAhead(books, customerId, '2027-02-16');
  t.deepEqual(ahead, [
    '2027-02-15 2027-02-28 14.97',
    '2027-02-16 2027-02-28 -13.91',
    '2027-02-16 2027-02-28 13.91',
  ]);
  await books.advance('2027-02-16');
  t.deepEqual((await charges(books)).slice(1), ahead);
  t.deepEqual((await books.audit()).faults, []);
});

test('a part that was rolled back costs the same again; one of a cancelled invoice stands', async (t) => {
  const { books, id } = await begun('2027-02-01', '2027-02-06');
  await books.put(id, { endDate: '2027-02-16' });
  await books.advance('2027-02-16');
  await books.put(id, { endDate: '2027-02-23' });
  await books.advance('2027-02-18');
  await books.cancelInvoice(1001);
  await books.cancelInvoice(1002, { rollbackBillingPeriod: true });
  t.deepEqual((await books.audit()).faults, []);
  await books.put(id, { endDate: '2027-02-28' });
  await books.advance('2027-02-24');
  t.deepEqual(await charges(books), [
    '2027-02-01 2027-02-06 6.42 Cancelled',
    '2027-02-07 2027-02-16 10.69 Cancelled',
    '2027-02-17 2027-02-23 7.49',
    '2027-02-07 2027-02-16 10.69',
    '2027-02-24 2027-02-28 5.35',
  ]);
  t.deepEqual((await books.audit()).faults, []);
});

test('days of a pause count with the part that billed them, if one did', async (t) => {
  const known = await begun('2027-02-01', '2027-02-06');
  await known.books.put(known.id, { endDate: '2027-02-20' });
  // The runs of these days come late, so that the pause is over before the part is billed.
  known.books.jump('2027-02-08');
  await known.books.suspend(known.id);
  known.books.jump('2027-02-11');
  await known.books.activate(known.id);
  await known.books.advance('2027-02-12');
  await known.books.put(known.id, { endDate: '2027-02-28' });
  await known.books.advance('2027-02-21');
  // 6, 18 and 26 of 28 days: 6.42, 19.25, 27.81.
  t.deepEqual(await charges(known.books), [
    '2027-02-01 2027-02-06 6.42',
    '2027-02-07 2027-02-20 12.83',
    '2027-02-21 2027-02-28 8.56',
  ]);
  t.deepEqual((await known.books.audit()).faults, []);
  const later = await begun('2027-02-01', '2027-02-14');
  await later.books.advance('2027-02-05');
  await later.books.suspend(later.id);
  await later.books.advance('2027-02-09');
  await later.books.activate(later.id);
  await later.books.put(later.id, { endDate: '2027-02-28' });
  await later.books.advance('2027-02-15');
  t.deepEqual(await charges(later.books), [
    '2027-02-01 2027-02-14 14.98',
    '2027-02-15 2027-02-28 14.97',
  ]);
  t.deepEqual((await later.books.audit()).faults, []);
});

test('the audit finds parts that do not sum up to the price of their days', async (t) => {
  const { books, id } = await begun('2027-02-01', '2027-02-14');
  await books.put(id, { endDate: '2027-02-28' });
  await books.advance(addDays('2027-02-28', 1));
  t.deepEqual((await books.audit()).faults, []);
  await corrupt(books, [
    `update invoice_charge set amount = 14.98 where ${own} and amount = 14.97`,
  ]);
  const found = (await books.audit()).faults.filter(({ check }) => check === 'period.parts');
  t.deepEqual(found, [
    {
      check: 'period.parts',
      object: 'order 1001',
      detail:
        'line 1 is billed 29.96 for 28 days of period 0, 2027-02-01 to 2027-02-28, which cost 29.95',
    },
  ]);
});
