/**
 * Faults that sums do not show, one for each subject of the second calculator: an amount, day or term
 * is altered in the books with everything that follows from it, and `npm run audit` finds it.
 */
import test from 'ava';
import { storyOfSubjects } from './recompute-story.ts';
import { sharedDatabase, type Books } from '../support/books.ts';
import { besideLedger, corrupt, own } from './corrupt.ts';

const db = await sharedDatabase();

/** Sums, balances and the ledger follow what was altered, so that only a recomputation can tell. */
const consistent: readonly string[] = [
  `update invoice_line l set line_amount_total = s.sum from (
     select c.invoice_line_id as id, sum(c.amount) filter (where not is_usage_charge_sub_total) as sum
     from invoice_charge c where c.${own} group by 1) s where s.id = l.id and l.${own}`,
  `create temp table moved as
   select i.id, i.customer_id, i.currency, s.sum - i.current_amount_due as by
   from invoice i join (select invoice_id, sum(line_amount_total) as sum from invoice_line
     where ${own} group by 1) s on s.invoice_id = i.id where i.${own}`,
  `update invoice i set current_amount_due = current_amount_due + m.by,
     outstanding_balance = outstanding_balance + m.by,
     previous_balance = previous_balance + m.before, total_due = total_due + m.before + m.by
   from (select m.*, coalesce(sum(m.by) over (partition by customer_id, currency order by id
           rows between unbounded preceding and 1 preceding), 0) as before from moved m) m
   where m.id = i.id and i.${own}`,
  `alter table ledger_entry disable trigger ledger_append_only;
   update ledger_entry e set amount = amount + m.by from moved m
   where m.id = e.invoice_id and e.kind = 'invoice' and e.${own};
   alter table ledger_entry enable trigger ledger_append_only`,
  `update customer_balance b set balance = balance + m.by, last_total_due = last_total_due + m.by
   from (select customer_id, currency, sum(by) as by from moved group by 1, 2) m
   where m.customer_id = b.customer_id and m.currency = b.currency and b.${own}`,
  'drop table moved',
];

/** Charges of an invoice. */
const of = (invoiceNumber: number, condition: string): string =>
  `${own} and ${condition} and invoice_line_id in (select l.id from invoice_line l join invoice i
     on i.id = l.invoice_id where i.${own} and i.number_value = ${invoiceNumber})`;

const more = (by: string, invoiceNumber: number, condition: string): string =>
  `update invoice_charge set amount = amount + ${by} where ${of(invoiceNumber, condition)}`;

const breaks: readonly [
  subject: string,
  statements: readonly string[],
  found: readonly string[],
][] = [
  [
    'the days of a change',
    [more('0.01', 1007, `price_code = 'FEE' and kind = 'period'`)],
    [
      'recompute.price: invoice 1007: charge 1 of line 2 (FEE) says 28.01, should be 28.00 for 14 of 31 days',
    ],
  ],
  [
    'the stub of an alignment',
    [more('0.01', 1004, `price_code = 'LINE'`)],
    [
      'recompute.price: invoice 1004: charge 1 of line 1 (LINE) says 6.59, should be 6.58 for 17 of 31 days',
    ],
  ],
  [
    'tiers whose sum is right',
    [
      more('-1', 1009, `price_code = 'SEATS' and amount = 40`),
      more('1', 1009, `price_code = 'SEATS' and amount = 12`),
    ],
    [
      'recompute.price: invoice 1009: charge 1 of line 1 (SEATS) says 39.00, should be 40.00',
      'recompute.price: invoice 1009: charge 2 of line 1 (SEATS) says 13.00, should be 12.00',
    ],
  ],
  [
    'a percentage of other charges',
    [more('0.01', 1008, `price_code = 'CARE'`)],
    [
      'recompute.percent: invoice 1008: charge 2 of line 1 (CARE) says 4.66, 7.5 percent of 62.00 is 4.65',
    ],
  ],
  [
    'a tax of the plan',
    [more('-0.01', 1011, `price_code = 'VAT'`)],
    [
      'recompute.percent: invoice 1011: charge 3 of line 1 (VAT) says 6.32, 19 percent of 33.33 is 6.33',
    ],
  ],
  [
    'a percentage off',
    [more('-0.01', 1001, `kind = 'discount' and amount = -3.10`)],
    [
      'recompute.discount: invoice 1001: TEN takes -3.11 off charge 1 of line 1 (FEE) in period 1, should be -3.10',
      'recompute.credit: invoice 1007: line 1 gives back 1.40 of DISCOUNT charge 2 of line 1 (DISCOUNT) of invoice 1001, should be 1.41',
    ],
  ],
  [
    'an amount off that is shared out otherwise',
    [
      more('-0.10', 1002, `kind = 'discount' and amount = -2.57`),
      more('0.10', 1002, `kind = 'discount' and amount = -2.43`),
    ],
    [
      'recompute.discount: invoice 1002: FIVE takes -2.67 off charge 1 of line 1 (SEATS), charge 2 of line 1 (SEATS) in period 1, should be -2.57',
      'recompute.discount: invoice 1002: FIVE takes -2.33 off charge 4 of line 1 (SETUP) in period 1, should be -2.43',
    ],
  ],
  [
    'a coupon for once that is taken again',
    [`update coupon set is_once = true where ${own} and code = 'FIVE'`],
    [
      'recompute.discount: invoice 1009: FIVE takes -5.00 off charge 1 of line 1 (SEATS), charge 2 of line 1 (SEATS) in period 2, should be 0.00',
    ],
  ],
  [
    'a coupon that ends a period earlier than it was taken',
    [`update coupon set periods = 0 + 1, is_once = false where ${own} and code = 'FIVE'`],
    [
      'recompute.discount: invoice 1009: FIVE takes -5.00 off charge 1 of line 1 (SEATS), charge 2 of line 1 (SEATS) in period 2, should be 0.00',
    ],
  ],
  [
    'a tax by rate',
    [more('0.01', 1008, `kind = 'tax'`)],
    [
      'recompute.tax: invoice 1008: charge 3 of line 1 (TAX) says 5.93, 8.875 percent of 66.65 is 5.92',
    ],
  ],
  [
    'the credit of a change',
    [more('0.01', 1007, `kind = 'credit' and amount = -14`)],
    [
      'recompute.credit: invoice 1007: line 1 gives back -13.99 of FEE charge 1 of line 1 (FEE) of invoice 1001, should be -14.00',
    ],
  ],
  [
    'usage in tiers, with its subtotal',
    [
      more('0.08', 1006, `price_code = 'MINUTES' and amount = 2.40`),
      more('0.08', 1006, `price_code = 'MINUTES' and amount = 12.40`),
    ],
    [
      'recompute.usage: invoice 1006: charge 2 of line 1 (MINUTES) from 2027-01-15 says 10.00 + 2.48, should be 10.00 + 2.40',
    ],
  ],
  [
    'a correction that gives back more',
    [more('-0.09', 1012, `price_code = 'MINUTES'`)],
    [
      'recompute.usage: invoice 1012: charge 2 of line 1 (MINUTES) from 2027-02-01 says -2.00, should be -1.91',
    ],
  ],
  [
    'days of a pause',
    [more('10', 1010, `price_code = 'LATER'`)],
    [
      'recompute.price: invoice 1010: charge 1 of line 1 (LATER) says 31.00, should be 21.00 for 21 of 31 days',
    ],
  ],
  [
    'a renewal that begins a day late',
    [
      `update invoice_charge set billing_start_date = '2027-02-16' where ${of(1011, `price_code in ('FEE', 'CARE', 'VAT')`)}`,
    ],
    [
      'recompute.dates: invoice 1011: line 1 is of 2027-02-15 to 2027-03-14, its parts of 2027-02-16 to 2027-03-14',
      'recompute.price: invoice 1011: charge 1 of line 1 (FEE) says 31.00, should be 29.89 for 27 of 28 days',
      'recompute.periods: order 1005: FEE does not bill 2027-02-15, with invoices up to 2027-02-15',
      'recompute.periods: order 1005: CARE does not bill 2027-02-15, with invoices up to 2027-02-15',
      'recompute.periods: order 1005: VAT does not bill 2027-02-15, with invoices up to 2027-02-15',
    ],
  ],
  [
    'a charge that is not on an invoice of its own',
    [`update plan_charge set is_separate_invoice = true where ${own} and price_code = 'SETUP'`],
    ['recompute.grouping: invoice 1002: SETUP is to be on an invoice of its own'],
  ],
  [
    'a due date by other terms than the order has',
    [
      `update subscription_order set due_date_value = 10, due_date_units = 'Days'
         where ${own} and order_number = 1002`,
    ],
    [
      'recompute.dueDate: invoice 1002: dueDate is 2027-02-14, should be 2027-01-25',
      'recompute.dueDate: invoice 1003: dueDate is 2027-02-14, should be 2027-01-25',
      'recompute.dueDate: invoice 1009: dueDate is 2027-03-17, should be 2027-02-25',
    ],
  ],
  [
    'balances that are chained to another total',
    [
      `update invoice set previous_balance = previous_balance + 1, payments_and_adjustments = -1
         where ${own} and number_value = 1009`,
    ],
    ['recompute.chain: invoice 1009: previousBalance says 177.00, should be 176.00'],
  ],
];

async function found(books: Books): Promise<string[]> {
  return besideLedger((await books.audit(undefined, 200)).faults)
    .filter(({ check }) => check.startsWith('recompute.'))
    .map(({ check, object, detail }) => `${check}: ${object}: ${detail}`);
}

test('it finds nothing in books with one of each subject, and leaves nothing out', async (t) => {
  const books = await storyOfSubjects(db);
  const { faults, recomputed } = await books.audit(undefined, 200);
  t.deepEqual(faults, []);
  t.deepEqual(recomputed, { invoices: 12, charges: 44, notRecomputed: {} });
});

for (const [subject, statements, expected] of breaks) {
  test.serial(`it finds a fault in ${subject}`, async (t) => {
    const books = await storyOfSubjects(db);
    await corrupt(books, [...statements, ...consistent]);
    t.deepEqual(await found(books), expected);
  });
}
