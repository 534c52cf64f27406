/** Breaks usage windows, records and their corrections, and expects the audit to report it. */
import test from 'ava';
import { usageChecks } from '../../../operations/books/checks/usage.ts';
import { openBooks, sharedDatabase, type Books } from '../support/books.ts';
import { metered, used } from '../support/usage.ts';
import { corrupt, own } from './corrupt.ts';

const db = await sharedDatabase();

const fees = {
  ...metered,
  contractCode: 'FEES',
  charges: [
    {
      priceCode: 'FEES',
      chargeType: 'UsageCharge',
      pricingType: 'TieredPricing',
      tiers: [{ unitsFrom: 0, percent: 2.5 }],
    },
  ],
};

const period = (index: number, order = 1001): string =>
  `(select w.id from usage_window w join order_line l on l.id = w.order_line_id
    join subscription_order o on o.id = l.order_id
    where w.${own} and w.period_index = ${index} and o.order_number = ${order})`;
const record = (ref: string): string =>
  `(select id from activity where ${own} and ext_ref_id = '${ref}')`;

/** A correction of a record, in its own window and on its own line or another's. */
const corrects = (ref: string, values: string, window = `of.window_id, of.order_line_id`): string =>
  `insert into activity (tenant_id, batch_id, customer_id, window_id, order_line_id, corrects_id,
     quantity, amount, corrects_billed, charge_date, created_at)
   select of.tenant_id, 1, of.customer_id, ${window}, of.id, ${values}, '2027-02-10', now()
   from activity of where of.id = ${record(ref)}`;

const ofFebruary = `${period(1)}, of.order_line_id`;

/**
 * 70 and 110 minutes cost 16.40 (1001); 20 of the former are given back beside 30 new ones (1003).
 * Fees of 2.5 percent are taken of 200.00 (1002). What was used in March is not billed yet.
 */
async function story(): Promise<Books> {
  const books = await openBooks(db, { today: '2027-01-01', plans: [metered, fees] });
  const customerId = await books.customer();
  const minutes = await books.order({ customerId, contractCode: 'METERED' });
  const other = { customerId: await books.customer(), contractCode: 'FEES' };
  const percents = await books.order(other);
  await used(books, minutes, [
    { on: '2027-01-06', period: 0, quantity: '70', ref: 'A' },
    { on: '2027-01-20', period: 0, quantity: '110', ref: 'B' },
  ]);
  await used(books, percents, [
    { on: '2027-01-06', period: 0, quantity: '1', amount: '120', ref: 'C' },
    { on: '2027-01-07', period: 0, quantity: '1', amount: '80', ref: 'D' },
  ]);
  await books.advance('2027-02-01');
  await used(books, minutes, [{ on: '2027-02-06', period: 1, quantity: '30', ref: 'E' }]);
  await corrupt(books, [corrects('A', `-20, -1.82, true`, ofFebruary)]);
  await books.advance('2027-03-01');
  await used(books, minutes, [{ on: '2027-03-06', period: 2, quantity: '50', ref: 'F' }]);
  await corrupt(books, [corrects('F', `-20, null, false`)]);
  await books.advance('2027-03-10');
  return books;
}

const dates = (values: string): string =>
  `update subscription_order set ${values} where ${own} and order_number = 1001`;

const breaks: readonly [rule: string, statements: readonly string[], found: readonly string[]][] = [
  [
    'a window whose charges and subtotal are not what it was billed for',
    [`update usage_window set amount = 16.41 where id = ${period(0)}`],
    [
      'usage.window: order 1001: line 1, usage of period 0, invoice 1001: its charges come to 16.4, it was billed 16.41',
      'usage.window: order 1001: line 1, usage of period 0, invoice 1001: its records come to 180 = 16.4, it was billed 180 = 16.41',
      'usage.window: order 1001: line 1, usage of period 0, invoice 1001: its subtotal is 180 = 16.4, it was billed 180 = 16.41',
    ],
  ],
  [
    'a record that vanished from a billed window',
    [`delete from activity where id = ${record('E')}`],
    [
      'usage.window: order 1001: line 1, usage of period 1, invoice 1003: its records come to -20 = -1.82, it was billed 10 = 1.18',
      'usage.window: order 1001: line 1, usage of period 1, invoice 1003: its records share by nothing, it says 30 up to record #',
    ],
  ],
  [
    'a correction that gives back another amount',
    [`update activity set amount = -1.83 where ${own} and corrects_billed`],
    [
      'usage.window: order 1001: line 1, usage of period 1, invoice 1003: its records come to 10 = 1.17, it was billed 10 = 1.18',
      'usage.corrected: order 1001: line 1, usage of period 0, invoice 1001: its corrections give back 1.82, should give back 1.83',
    ],
  ],
  [
    'a percentage of other amounts',
    [`update activity set amount = 100 where id = ${record('D')}`],
    [
      'usage.window: order 1002: line 1, usage of period 0, invoice 1002: its records come to 2 = 5.5, it was billed 2 = 5',
    ],
  ],
  [
    'a last record that does not take the rest',
    [
      `update usage_window set last_amount = 10.03 where id = ${period(0)}`,
      `update usage_window set last_activity_id = ${record('C')} where id = ${period(1)}`,
    ],
    [
      'usage.window: order 1001: line 1, usage of period 0, invoice 1001: the amount of its last record is 10.03, should be 10.02',
      'usage.window: order 1001: line 1, usage of period 1, invoice 1003: its records share by 30, it says 30 up to record #',
      'usage.window: order 1001: line 1, usage of period 1, invoice 1003: the amount of its last record is 3, should be 0.1',
    ],
  ],
  [
    'a window without its subtotal, and one that is on two invoices',
    [
      `update invoice_charge set usage_window_id = ${period(0)} where ${own}
         and kind = 'usageSubTotal' and usage_window_id = ${period(1)}`,
    ],
    [
      'usage.window: order 1001: line 1, usage of period 0: is on invoice 1003, but was billed by invoice 1001',
      'usage.window: order 1001: line 1, usage of period 1, invoice 1003: it has 0 subtotals',
    ],
  ],
  [
    'a window that is open, though its invoice stands',
    [
      `update usage_window set closed_at = null, invoice_id = null,
         billed_from = null, billed_to = null, of_period = null, quantity = null, amount = null,
         percent = null where id = ${period(0, 1002)}`,
    ],
    [
      'usage.window: order 1002: line 1, usage of period 0: is on invoice 1002, but is not billed',
      'usage.due: order 1002: line 1, usage of period 0 is due on 2027-02-01, but the order bills on 2027-04-01',
    ],
  ],
  [
    'a window that was closed without an invoice, but has records',
    [`update usage_window set closed_at = '2027-04-01T05:00:00Z' where id = ${period(2)}`],
    [
      'usage.window: order 1001: line 1, usage of period 2: was closed without an invoice, but has 2 records',
      'order.dates: order 1001: nextBillableDate 2027-04-01, should be 2027-05-01; billOn 2027-04-01, should be 2027-05-01',
    ],
  ],
  [
    'corrections that take away more than their record',
    [`update activity set quantity = -70.5 where ${own} and corrects_billed`],
    [
      'usage.window: order 1001: line 1, usage of period 1, invoice 1003: its records come to -40.5 = 1.18, it was billed 10 = 1.18',
      'usage.correction: usage record #: is of 70, its corrections take away 70.5',
    ],
  ],
  [
    'corrections of a correction, of another line and in another window',
    [
      `update activity set corrects_id = (select max(id) from activity where ${own} and corrects_billed)
       where ${own} and not corrects_billed and corrects_id is not null`,
      `update activity set corrects_id = ${record('C')} where ${own} and corrects_billed`,
      corrects('F', '-1, null, false', `null, of.order_line_id`),
    ],
    [
      'usage.correction: usage record #: is of 1, its corrections take away 20',
      'usage.correction: usage record #: is of order line #, but corrects record # of order line #',
      'usage.correction: usage record #: corrects record #, which is itself a correction',
      'usage.correction: usage record #: is to be billed with record #, but is in another window',
      'usage.correction: usage record #: is to be billed with record #, but is in another window',
      'usage.corrected: order 1001: line 1, usage of period 0, invoice 1001: its corrections give back 1.82, should give back 0',
      'usage.corrected: order 1002: line 1, usage of period 0, invoice 1002: its corrections give back 0, should give back 1.82',
    ],
  ],
  [
    'a correction of a billed record without an amount',
    [
      'alter table activity drop constraint activity_check3',
      `update activity set amount = null where ${own} and corrects_billed`,
      `alter table activity add constraint activity_check3
         check (not corrects_billed or num_nonnulls(corrects_id, amount) = 2) not valid`,
    ],
    [
      'usage.window: order 1001: line 1, usage of period 1, invoice 1003: its records come to 10 = 3, it was billed 10 = 1.18',
      'usage.correction: usage record #: corrects the billed record #, but has no amount',
      'usage.corrected: order 1001: line 1, usage of period 0, invoice 1001: its corrections give back 1.82, should give back 0',
    ],
  ],
  [
    'usage that the run did not bill',
    [
      `update usage_window set period_index = 9 where id = ${period(1)}`,
      `update usage_window set period_index = 1 where id = ${period(2)}`,
      dates(`next_billable_date = '2027-03-01', bill_on = '2027-03-01'`),
      `update order_line set next_period_index = 1 where ${own} and next_period_index = 2`,
    ],
    [
      'order.unbilled: order 1001: should have been billed on 2027-03-01, due since 2027-03-01',
      'usage.due: order 1001: line 1, usage of period 1 should have been billed on 2027-03-01, due since 2027-03-01',
    ],
  ],
  [
    'usage that the pointer of its line skips, though the dates fit the pointer',
    [
      `update order_line set next_period_index = 3 where ${own}
         and id = (select order_line_id from usage_window where id = ${period(2)})`,
      dates(`next_billable_date = '2027-05-01', bill_on = '2027-05-01'`),
    ],
    [
      'usage.due: order 1001: line 1, usage of period 2 is due on 2027-04-01, but the order bills on 2027-05-01',
    ],
  ],
];

/** The broken rows also break the facts of events, and the sums of others. */
async function found(books: Books): Promise<string[]> {
  const { faults } = await books.audit();
  return faults
    .filter(({ check }) => /^(usage|order)\./.test(check))
    .map(({ check, object, detail }) =>
      `${check}: ${object}: ${detail}`.replaceAll(/(record|order line) \d+/g, '$1 #'),
    );
}

test('the audit finds no fault in usage with corrections, percentages and open windows', async (t) => {
  const books = await story();
  t.deepEqual((await books.audit()).faults, []);
  t.deepEqual(
    (await books.invoices()).map((text) => text.replaceAll(/ \d{4}-\d\d-\d\d/g, '')),
    [
      '1001 on due Outstanding 16.40: MINUTES 10.00, MINUTES 6.40, MINUTES 16.40',
      '1002 on due Outstanding 5.00: FEES 5.00, FEES 5.00',
      '1003 on due Outstanding 1.18: MINUTES -1.82, MINUTES 3.00, MINUTES 1.18',
    ],
  );
});

for (const [rule, statements, expected] of breaks) {
  test(`the audit finds ${rule}`, async (t) => {
    const books = await story();
    await corrupt(books, statements);
    t.deepEqual(await found(books), expected);
  });
}

test('these faults break every rule of usage', (t) => {
  const seen = new Set(breaks.flatMap(([, , each]) => each.map((text) => text.split(':')[0])));
  const names = [...usageChecks.map(({ name }) => name), 'usage.due'];
  t.deepEqual(
    names.filter((name) => !seen.has(name)),
    [],
  );
});
