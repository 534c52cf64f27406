/** Statements that break the books of faults.test.ts, and the faults that the audit must report. */
import { own } from './corrupt.ts';

const unguarded = (...statements: string[]) => [
  'alter table ledger_entry disable trigger ledger_append_only',
  ...statements,
  'alter table ledger_entry enable trigger ledger_append_only',
];

export const breaks: readonly [
  rule: string,
  statements: readonly string[],
  found: readonly string[],
][] = [
  [
    'an invoice without parties, and one with those of others',
    [
      `update invoice set customer_party_id = null where ${own} and number_value = 1001`,
      `update invoice set customer_party_id = tenant_party_id where ${own} and number_value = 1002`,
      `update invoice set tenant_party_id = customer_party_id where ${own} and number_value = 1003`,
    ],
    [
      'parties.frozen: invoice 1001: names none yet',
      'parties.frozen: invoice 1002: names a version that is not of its customer',
      'parties.frozen: invoice 1003: names a version that is not of its tenant',
    ],
  ],
  [
    'a balance that differs from the ledger',
    [`update customer_balance set balance = balance + 0.01 where ${own} and balance = 36`],
    ['balance.ledger: customer # in USD: balance 36.01, ledger 36'],
  ],
  [
    'a missing balance',
    [`delete from customer_balance where ${own} and balance = 36`],
    [
      'balance.ledger: customer # in USD: balance 0, ledger 36',
      'balance.lastTotalDue: customer # in USD: kept 0, last invoice 36',
      'balance.financials: customer # in USD: outstandingBalance kept 0, its documents say 36',
      'balance.financials: customer # in USD: lifetimeValue kept 0, its documents say 36',
      'balance.financials: customer # in USD: lastInvoice kept none, its documents say 2027-02-20 36',
    ],
  ],
  [
    'financials that are not those of the invoices',
    [
      `update customer_balance set outstanding_balance = 35, lifetime_value = 37,
         last_invoice_amount = 5 where ${own} and balance = 36`,
    ],
    [
      'balance.financials: customer # in USD: outstandingBalance kept 35, its documents say 36',
      'balance.financials: customer # in USD: lifetimeValue kept 37, its documents say 36',
      'balance.financials: customer # in USD: lastInvoice kept 2027-02-20 5, its documents say 2027-02-20 36',
    ],
  ],
  [
    'a missing ledger entry',
    unguarded(`delete from ledger_entry where ${own} and kind = 'invoiceCancelled'`),
    [
      'balance.ledger: customer # in USD: balance 98, ledger 129',
      'ledger.invoice: invoice 1002: Cancelled over 31, entered 31, reversed 0',
      'invoice.balance: invoice 1003: totalDue 67, ledger then 98',
      'invoice.balance: invoice 1005: totalDue 98, ledger then 129',
    ],
  ],
  [
    'a ledger entry of another amount',
    unguarded(
      `update ledger_entry set amount = 30 from invoice i where ledger_entry.${own}
         and i.id = invoice_id and i.number_value = 1005`,
    ),
    [
      'balance.ledger: customer # in USD: balance 98, ledger 97',
      'ledger.invoice: invoice 1005: Outstanding over 31, entered 30, reversed 0',
      'invoice.balance: invoice 1005: totalDue 98, ledger then 97',
    ],
  ],
  [
    'a charge that its line does not include',
    [
      `update invoice_charge set amount = 6 where ${own} and price_code = 'SETUP' and amount = 5
        and id = (select min(id) from invoice_charge where ${own} and price_code = 'SETUP')`,
    ],
    ['invoice.lineSum: invoice 1001: line 1 says 36, its charges 37'],
  ],
  [
    'a line that its invoice does not include',
    [
      `update invoice_charge set amount = 6 where ${own} and price_code = 'SETUP'
        and id = (select min(id) from invoice_charge where ${own} and price_code = 'SETUP')`,
      `update invoice_line set line_amount_total = 37 where ${own}
        and id = (select min(id) from invoice_line where ${own})`,
    ],
    ['invoice.sum: invoice 1001: currentAmountDue 36, lines 37'],
  ],
  [
    'a total that is not the sum of its parts',
    [
      'alter table invoice drop constraint invoice_check',
      `update invoice set total_due = 37 where ${own} and number_value = 1004`,
      // `not valid` accepts the broken row; the constraint still binds new rows of other tests.
      `alter table invoice add constraint invoice_check check
         (total_due = previous_balance + payments_and_adjustments + current_amount_due) not valid`,
    ],
    [
      'balance.lastTotalDue: customer # in USD: kept 36, last invoice 37',
      'invoice.total: invoice 1004: totalDue 37, its parts 36',
      'invoice.balance: invoice 1004: totalDue 37, ledger then 36',
    ],
  ],
  [
    'an invoice that does not continue from the previous one',
    [
      `update invoice set previous_balance = previous_balance + 1,
        payments_and_adjustments = payments_and_adjustments - 1
        where ${own} and number_value = 1005`,
    ],
    ['invoice.chain: invoice 1005: previousBalance 68, the invoice before 67'],
  ],
  [
    'an open balance of a cancelled invoice',
    [`update invoice set outstanding_balance = 31 where ${own} and status = 'Cancelled'`],
    [
      'invoice.open: invoice 1002: Cancelled over 31, open 31',
      'invoice.applied: invoice 1002: Cancelled over 31, open 31, applied 0',
    ],
  ],
  [
    'an Outstanding invoice without an open balance',
    [`update invoice set outstanding_balance = 0 where ${own} and number_value = 1001`],
    [
      'invoice.open: invoice 1001: Outstanding over 36, open 0',
      'invoice.applied: invoice 1001: Outstanding over 36, open 0, applied 0',
    ],
  ],
  [
    'a missing order number',
    [
      `update subscription_order set order_number = 1003 where ${own} and order_number = 1002`,
      `update counter set next = 1004 where ${own} and kind = 'order'`,
    ],
    ['number.order: order number 1002: is missing'],
  ],
  [
    'several missing numbers',
    [`update counter set next = 1011 where ${own} and kind = 'invoice'`],
    ['number.invoice: invoice number 1006: up to 1010: 5 numbers are missing'],
  ],
  [
    'a number that was not assigned yet',
    [`update counter set next = 1005 where ${own} and kind = 'invoice'`],
    ['number.invoice: invoice number 1006: 1005 is used twice, or was not given yet'],
  ],
  [
    'a missing counter',
    [`delete from counter where ${own} and kind = 'order'`],
    ['number.order: order numbers: have no counter'],
  ],
  [
    'a day that is billed twice',
    [
      `update billed_period set billed_to = billed_to + 1
        where ${own} and period_index = 0 and billed_from = '2027-01-15' and billed_to > billed_from`,
    ],
    ['period.overlap: order 1001: line 1 is billed again for 2027-02-15 to 2027-03-14, period 1'],
  ],
  [
    'a billed period that is on no invoice',
    [
      'alter table invoice_charge drop constraint invoice_charge_period_check',
      `update invoice_charge set billed_period_id = null where ${own} and billed_period_id =
         (select max(id) from billed_period where ${own})`,
    ],
    ['period.charge: order line #: period 2 was billed, but on no invoice'],
  ],
  [
    'a charge for a period that another invoice billed',
    [
      `update billed_period set invoice_id = (select id from invoice where ${own}
         and number_value = 1004) where ${own}
         and id = (select max(id) from billed_period where ${own})`,
    ],
    [
      'period.charge: invoice 1005: charges for period 2 of order line #, which was billed elsewhere',
    ],
  ],
  [
    'a rolled-back period of an invoice that is not cancelled',
    [
      `update billed_period set voided_at = now() where ${own}
         and id = (select max(id) from billed_period where ${own})`,
    ],
    [
      'period.rollback: invoice 1005: is Outstanding, but its period 2 of order line # was rolled back',
      'order.dates: order 1001: nextBillableDate 2027-04-15, should be 2027-03-15; ' +
        'billOn 2027-04-15, should be 2027-03-16',
    ],
  ],
  [
    'an order that the run did not bill',
    [
      `update subscription_order set bill_on = '2027-03-15', next_billable_date = '2027-03-14'
        where ${own} and order_number = 1001`,
    ],
    ['order.unbilled: order 1001: should have been billed on 2027-03-15, due since 2027-03-14'],
  ],
  [
    'an order whose status did not change on its day',
    [
      `update subscription_order set transition_on = '2027-03-10'
        where ${own} and order_number = 1001`,
    ],
    ['order.overdue: order 1001: is still Active, which should have changed on 2027-03-10'],
  ],
  [
    'an order without dates',
    [
      `update subscription_order set bill_on = null, next_billable_date = null
        where ${own} and order_number = 1001`,
    ],
    [
      'order.dates: order 1001: nextBillableDate null, should be 2027-04-15; ' +
        'billOn null, should be 2027-04-15',
    ],
  ],
  [
    'an order line whose pointer and dates skip a period',
    [
      `update order_line set next_period_index = next_period_index + 1 where ${own} and next_period_index = 3`,
      `update subscription_order set bill_on = '2027-05-15', next_billable_date = '2027-05-15'
        where ${own} and order_number = 1001`,
    ],
    [
      'order.dates: order 1001: nextBillableDate 2027-05-15, should be 2027-04-15; ' +
        'billOn 2027-05-15, should be 2027-04-15',
    ],
  ],
];
