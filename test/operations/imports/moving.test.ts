/** A small business moves in with three years of its books, and lives on here for a year. */
import test from 'ava';
import { readCustomer } from '../../../operations/customers/read.ts';
import { tenantInfo } from '../../../operations/context/context.ts';
import { sharedDatabase } from '../support/books.ts';
import { batchInit, carriedOf, everything, zeroedOf } from '../support/batch-init.ts';
import { openCollectionBooks } from '../support/collection-books.ts';
import { readStanding, readTransitions, thresholds } from '../support/dunning-books.ts';
import { importsOf } from '../support/imports.ts';
import { prepaid, recurring } from '../support/plans.ts';
import {
  correctedCustomers,
  correctedInvoiceFile,
  correctedLineFiles,
  customerFile,
  invoiceFile,
  lineFiles,
  regulars,
} from './moved-shop.ts';

const db = await sharedDatabase();
const file = { dunning: { thresholds } };

/** On 15 January 2027, whose run is over; nothing is moved yet. */
async function opened() {
  const plans = [recurring('PRE', 31, prepaid)];
  const books = await openCollectionBooks(db, { today: '2027-01-14', plans, file });
  await books.advance('2027-01-15');
  const tenant = await tenantInfo(books.dependencies, books.tenantId);
  const texts = async (sql: string, values: readonly unknown[] = []): Promise<readonly string[]> =>
    (await books.read((tx) => tx.query<{ text: string }>(sql, values))).map(({ text }) => text);
  const idOf = async (ref: string): Promise<number> => {
    const [id] = await texts('select id::text as text from customer where ext_customer_ref = $1', [
      ref,
    ]);
    return Number(id);
  };
  return {
    ...books,
    idOf,
    texts,
    imports: await importsOf(books),
    /** `NEAR 80.00` of each customer that owes or is owed something. */
    owed: () =>
      texts(
        `select ext_customer_ref || ' ' || round(balance, 2) as text
         from customer_balance b join customer c on c.tenant_id = b.tenant_id and c.id = b.customer_id
         where balance <> 0 order by 1`,
      ),
    /** `PART-1 Outstanding 60.00`, but of invoices with nothing open only if they are named. */
    stand: (...numbers: readonly string[]) =>
      texts(
        `select number || ' ' || status || ' ' || round(outstanding_balance, 2) as text
         from (select *, invoice_number as number from invoice) i
         where number = any($1) or cardinality($1) = 0 and outstanding_balance > 0 order by 1`,
        [numbers],
      ),
    /** `batch.finished 2` */
    events: () =>
      texts(`select type || ' ' || count(*) as text from event group by type order by type`),
    /** Of each transition by age whether it is mailed, the oldest first. */
    mailed: () =>
      texts(
        `select ext_customer_ref || ' ' || coalesce(detail->>'mail', 'false') as text
         from event e join customer c on c.tenant_id = e.tenant_id and c.id = e.customer_id
         where type = 'customer.transition' order by e.id`,
      ),
    transitions: async (ref: string) => {
      const id = await idOf(ref);
      return books.read((tx) => readTransitions(tx, id));
    },
    standing: async (ref: string) => {
      const id = await idOf(ref);
      return books.read((tx) => readStanding(tx, id));
    },
    financials: async (ref: string) => {
      const id = await idOf(ref);
      const whole = await books.read((tx) => readCustomer(books.dependencies, tx, tenant, { id }));
      return whole?.financials;
    },
  };
}

type Shop = Awaited<ReturnType<typeof opened>>;

/** The files as exported, then only what was bad in them. */
async function move({ imports }: Shop) {
  await imports.customers(customerFile);
  await imports.customers(correctedCustomers);
  await imports.invoices(invoiceFile, lineFiles);
  await imports.invoices(correctedInvoiceFile, correctedLineFiles);
}

test('a dry run says what is bad, and the second run of the corrected rows brings the rest', async (t) => {
  const shop = await opened();
  const { imports } = shop;
  const dry = await imports.customers(customerFile, true);
  t.deepEqual(dry.finished, { status: 'PartialSuccess', successes: 12, failures: 3 });
  t.deepEqual(await shop.texts('select name as text from customer'), []);
  const real = await imports.customers(customerFile);
  t.deepEqual(real.rows, dry.rows);
  t.deepEqual(real.rows.slice(-3), [
    '14 Failure line 14: outstandingBalance: field.invalid: outstandingBalance has more than the 2 decimals of USD',
    '15 Failure line 15: lastName: field.required: lastName is required',
    '16 Failure line 16: username: contact.usernameTaken: another customer has the username cora',
  ]);
  const second = await imports.customers(correctedCustomers);
  t.deepEqual(second.finished, { status: 'Success', successes: 3, failures: 0 });
  t.deepEqual(await shop.faults(), []);
  // The opening balances: 12.34 owed, 5.00 paid too much.
  t.deepEqual(await shop.owed(), ['CREDIT -5.00', 'DEBT 12.34']);
  const first = await imports.invoices(invoiceFile, lineFiles);
  // 96 quarters and three open ones, and 96 x 2 + 3 of their lines.
  t.is(first.finished.status, 'PartialSuccess');
  t.deepEqual(
    [first.finished.successes, first.finished.failures],
    [99 + 195, 2 + 3],
    'the invoices with their line items',
  );
  t.deepEqual(
    first.rows.slice(-2).map((row) => row.replace(/batch \d+/, 'batch N')),
    [
      '101 Failure line 101: invoiceNumber: import.dependent: a line item of the invoice is bad: ' +
        'line 98 of batch N',
      '102 Failure line 102: dueDate: field.invalid: dueDate is before the invoiceDate, 2027-01-10',
    ],
  );
  const last = await imports.invoices(correctedInvoiceFile, correctedLineFiles);
  t.deepEqual(last.finished, { status: 'Success', successes: 5, failures: 0 });
  t.deepEqual(await shop.stand(), [
    'AUTO-1 Outstanding 70.00',
    'LATE-1 Outstanding 250.00',
    'NEAR-1 Outstanding 80.00',
    'PART-1 Outstanding 60.00',
    'UNDO-1 Outstanding 60.00',
  ]);
  t.deepEqual(await shop.owed(), [
    'AUTO 70.00',
    'CREDIT -5.00',
    'DEBT 12.34',
    'LATE 250.00',
    'NEAR 80.00',
    'PART 60.00',
    'UNDO 60.00',
  ]);
  // The dry run and the four imports.
  t.deepEqual(await shop.events(), ['batch.finished 5']);
  t.deepEqual(
    await shop.texts('select login as text from contact where login is not null order by 1'),
    ['alan', 'cora', 'una'],
  );
  // 12 quarters of 40.00, all paid.
  t.like(await shop.financials(regulars[0] ?? ''), {
    currentBalance: '0.00',
    lifetimeValue: '480.00',
  });
  t.deepEqual(await shop.faults(), []);
});

test('what was overdue changes once and quietly, what becomes overdue ages step by step', async (t) => {
  const shop = await opened();
  await move(shop);
  t.is(await shop.standing('LATE'), 'Active, open, next 2027-01-16');
  await shop.live('2027-01-16');
  // 200 days overdue.
  t.deepEqual(await shop.transitions('LATE'), ['2027-01-16 Active to Suspended1']);
  t.deepEqual(await shop.mailed(), ['LATE false']);
  t.deepEqual(await shop.faults(), []);
  await shop.live('2027-03-12');
  // Due on 10 January; 15, 30 and 60 days later.
  t.deepEqual(await shop.transitions('NEAR'), [
    '2027-01-25 Active to Overdue1',
    '2027-02-09 Overdue1 to Overdue2',
    '2027-03-11 Overdue2 to Suspended1',
  ]);
  // Due on 1 and 14 February.
  t.is((await shop.transitions('AUTO'))[0], '2027-02-16 Active to Overdue1');
  t.is((await shop.transitions('PART'))[0], '2027-03-01 Active to Overdue1');
  t.deepEqual(
    (await shop.mailed()).filter((text) => text.endsWith('false')),
    ['LATE false'],
  );
  t.deepEqual(await shop.faults(), []);
  await shop.paid({ customerId: await shop.idOf('LATE'), amount: '250' });
  t.deepEqual((await shop.transitions('LATE')).at(-1), '2027-03-12 Suspended1 to Active');
  t.deepEqual(await shop.faults(), []);
});

test('money settles the opening balance first, and an order bills on with what was moved in', async (t) => {
  const shop = await opened();
  await move(shop);
  await shop.live('2027-01-16');
  const [debt, credit, auto] = [
    await shop.idOf('DEBT'),
    await shop.idOf('CREDIT'),
    await shop.idOf('AUTO'),
  ];
  await shop.bill(debt, '20');
  // No invoice came before; the 12.34 are adjustments.
  t.is(await shop.totals(1001), '0.00 12.34 20.00 = 32.34');
  await shop.paid({ customerId: debt, amount: '12.34' });
  t.deepEqual(await shop.stand('1001'), ['1001 Outstanding 20.00']);
  t.true((await shop.owed()).includes('DEBT 20.00'));
  await shop.paid({ customerId: debt, amount: '20' });
  t.false((await shop.owed()).some((text) => text.startsWith('DEBT')));
  await shop.order({ customerId: credit, contractCode: 'PRE' }, { generateInvoice: true });
  t.is(await shop.totals(1002), '0.00 -5.00 31.00 = 26.00');
  t.deepEqual(await shop.stand('1002'), ['1002 Outstanding 26.00']);
  await shop.paid({ customerId: credit, amount: '26' });
  await shop.file(auto, 1, { token: 'tok_auto' });
  const order = { customerId: auto, contractCode: 'PRE', isAutoPay: true };
  await shop.order(order, { generateInvoice: true });
  t.is(await shop.totals(1003), '0.00 70.00 31.00 = 101.00');
  await shop.autopaid();
  t.deepEqual(await shop.stand('1003', 'AUTO-1'), ['1003 Paid 0.00', 'AUTO-1 Outstanding 70.00']);
  // Its due date comes, and autopay pays the order's second month only.
  await shop.live('2027-02-16');
  t.deepEqual(await shop.stand('1004', 'AUTO-1'), ['1004 Paid 0.00', 'AUTO-1 Outstanding 70.00']);
  t.is(await shop.totals(1004), '101.00 -31.00 31.00 = 101.00');
  t.deepEqual(await shop.faults(), []);
});

test('an imported invoice is refunded, opens and ages again; a cancelled one gives 60.00 back', async (t) => {
  const shop = await opened();
  await move(shop);
  await shop.live('2027-01-20');
  await shop.cancelInvoice('UNDO-1');
  t.deepEqual(await shop.stand('UNDO-1'), ['UNDO-1 Cancelled 0.00']);
  t.false((await shop.owed()).some((text) => text.startsWith('UNDO')));
  t.deepEqual(
    await shop.texts(
      `select kind || ' ' || round(amount, 2) as text from ledger_entry where customer_id = $1
       order by id`,
      [await shop.idOf('UNDO')],
    ),
    ['import 60.00', 'invoiceCancelled -60.00'],
  );
  const part = await shop.idOf('PART');
  await shop.paid({ customerId: part, amount: '60' });
  t.deepEqual(await shop.stand('PART-1'), ['PART-1 Paid 0.00']);
  await shop.live('2027-02-20');
  await shop.refunded({ customerId: part, amount: '10' });
  t.deepEqual(await shop.stand('PART-1'), ['PART-1 Outstanding 10.00']);
  t.deepEqual(await shop.faults(), []);
  // Due on 14 February.
  await shop.live('2027-03-02');
  t.deepEqual(await shop.transitions('PART'), ['2027-03-01 Active to Overdue1']);
  await shop.paid({ customerId: part, amount: '10' });
  t.is(await shop.standing('PART'), 'Active, closed');
  t.deepEqual(await shop.faults(), []);
});

for (const [zeroOutCustomerBalance, next] of [
  [true, '30.00 -30.00 50.00 = 50.00'],
  [false, '30.00 0.00 50.00 = 80.00'],
] as const) {
  const whether = zeroOutCustomerBalance ? 'zeroed' : 'not zeroed';
  test(`after some months all is carried over, ${whether}, and the next invoice says ${next}`, async (t) => {
    const shop = await opened();
    await move(shop);
    await shop.live('2027-01-16');
    const settled = { PART: '60', LATE: '250', AUTO: '70', DEBT: '12.34', UNDO: '60' };
    for (const [ref, amount] of Object.entries(settled)) {
      await shop.paid({ customerId: await shop.idOf(ref), amount });
    }
    const [a, credit] = [await shop.idOf('PART'), await shop.idOf('CREDIT')];
    await shop.file(credit, 1, { token: 'tok_credit' });
    const order = { customerId: credit, contractCode: 'PRE', isAutoPay: true };
    await shop.order(order, { generateInvoice: true });
    await shop.live('2027-04-20');
    // A owes 30.00, and B has 12.00 unapplied.
    await shop.bill(a, '30');
    await shop.paid({ customerId: await shop.idOf('REG-1'), amount: '12' });
    t.deepEqual(await shop.owed(), ['NEAR 80.00', 'PART 30.00', 'REG-1 -12.00']);
    t.is(await shop.standing('NEAR'), 'Suspended1, open');
    t.deepEqual(await shop.faults(), []);
    await batchInit(shop, { ...everything, zeroOutCustomerBalance });
    t.deepEqual(await shop.stand(), []);
    const zeroed = ['zeroOut -30.00 USD', 'zeroOut -80.00 USD', 'zeroOut 12.00 USD'];
    t.deepEqual((await zeroedOf(shop)).toSorted(), zeroOutCustomerBalance ? zeroed : []);
    // 101 imported ones, four months of the order, and that of A.
    t.is((await carriedOf(shop)).filter((text) => !text.startsWith('#')).length, 106);
    t.is(await shop.standing('NEAR'), 'Active, closed');
    t.deepEqual(await shop.faults(), []);
    await shop.live('2027-05-02');
    await shop.bill(a, '50');
    t.is(await shop.totals(1006), next);
    await shop.live('2028-01-15');
    // Due on 1 June; unpaid, it ages as any other.
    t.deepEqual((await shop.transitions('PART')).slice(-3), [
      '2027-06-16 Active to Overdue1',
      '2027-07-01 Overdue1 to Overdue2',
      '2027-07-31 Overdue2 to Suspended1',
    ]);
    t.is((await shop.transitions('NEAR')).length, 4);
    // The order has gone on: from January to December 12 months, of which 5.00 were paid before.
    t.is((await shop.paidOn()).filter((text) => text.endsWith('Paid 31.00')).length, 11);
    t.is((await shop.paidOn()).filter((text) => text.endsWith('Paid 26.00')).length, 1);
    t.like(await shop.financials('CREDIT'), { currentBalance: '0.00', lifetimeValue: '372.00' });
    t.deepEqual(await shop.faults(), []);
  });
}
