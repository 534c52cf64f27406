/** Statements that break the books of payment-faults.test.ts, and the faults to be reported. */
import { own } from './corrupt.ts';

const unguarded =
  (table: string, trigger: string) =>
  (...statements: string[]) => [
    `alter table ${table} disable trigger ${trigger}`,
    ...statements,
    `alter table ${table} enable trigger ${trigger}`,
  ];
const inLedger = unguarded('ledger_entry', 'ledger_append_only');
const inApplications = unguarded('invoice_payment', 'application_append_only');

/** The id of the tenant's n-th payment; the first is #1. */
const nth = (n: number): string =>
  `(select id from payment where ${own} order by id offset ${n - 1} limit 1)`;
const key = (id: string): string =>
  `(select label from tenant where id = current_setting('app.tenant')::bigint) || '/' || ${id}`;

/** A row of payment_withdrawal for the tenant's n-th payment. */
const withdrawal = (n: number, columns: string, values: string): string =>
  `insert into payment_withdrawal (tenant_id, payment_id, gateway_ref, reason, withdrawn_on,
     recorded_at, ${columns})
   select tenant_id, id, 'du_1', 'general', '2027-01-16', now(), ${values}
   from payment where ${own} and id = ${nth(n)}`;
const finding = (n: number, kind: string, detail: string): string =>
  `insert into gateway_finding (tenant_id, payment_id, gateway_key, kind, detail, found_at)
   select tenant_id, id, coalesce(gateway_key, 'none'), '${kind}', '${detail}', now()
   from payment where ${own} and id = ${nth(n)}`;

export const paymentBreaks: readonly [
  rule: string,
  statements: readonly string[],
  found: readonly string[],
][] = [
  [
    'a payment that was entered with another amount',
    inLedger(`update ledger_entry set amount = -31 where ${own} and amount = -30`),
    [
      'balance.ledger: customer ONE in USD: balance 40, ledger 39',
      'ledger.payment: payment #1: payment entered -31, should be -30',
    ],
  ],
  [
    'a paid payment that waits for its payer',
    [
      'alter table payment drop constraint payment_waits',
      `update payment set action_ends_at = '2027-01-15T12:30:00Z' where id = ${nth(1)}`,
    ],
    [
      'payment.action: payment #1: is Paid, waits until 2027-01-15 12:30:00+00, is nothing at its gateway',
    ],
  ],
  [
    'a payment without parties',
    [`update payment set customer_party_id = null where id = ${nth(1)}`],
    ['parties.frozen: payment #1: names none yet'],
  ],
  [
    'a refund that was not entered',
    inLedger(`delete from ledger_entry where ${own} and kind = 'refund' and amount = 15`),
    [
      'balance.ledger: customer ONE in USD: balance 40, ledger 25',
      'ledger.payment: refund #5: refund entered not at all, should be 15',
    ],
  ],
  [
    'an incomplete surcharge',
    inLedger(`delete from ledger_entry where ${own} and kind = 'surchargePaid'`),
    [
      'balance.ledger: customer TWO in USD: balance -40, ledger -39',
      'ledger.payment: payment #6: surchargePaid entered not at all, should be -1',
    ],
  ],
  [
    'a cancellation entry of a payment that was not canceled',
    [
      `insert into ledger_entry (tenant_id, customer_id, currency, kind, amount, payment_id,
         entered_on, entered_at)
       select tenant_id, customer_id, currency, 'paymentCanceled', 30, id, '2027-01-15', now()
       from payment where ${own} and id = ${nth(1)}`,
      `update customer_balance set balance = balance + 30 where ${own} and balance = 40`,
    ],
    ['ledger.payment: payment #1: paymentCanceled entered 30, should be not at all'],
  ],
  [
    'an entry in the books of another customer',
    inLedger(
      `update ledger_entry set customer_id = (select customer_id from payment where ${own}
         and id = ${nth(6)}) where ${own} and amount = -30`,
      `update customer_balance set balance = balance + case balance when 40 then 30 when -40 then -30 else 0 end
         where ${own}`,
    ),
    ['ledger.owner: ledger entry #: customer TWO in USD, but its object is of customer ONE in USD'],
  ],
  [
    'financials that are not those of the payments',
    [
      `update customer_balance set unapplied_balance = 41, lifetime_payments = 0,
         last_payment_date = '2027-01-17' where ${own} and balance = -40`,
    ],
    [
      'balance.financials: customer TWO in USD: unappliedBalance kept 41, its documents say 40',
      'balance.financials: customer TWO in USD: lifetimePayments kept 0, its documents say 40',
      'balance.financials: customer TWO in USD: lastPayment kept 2027-01-17 41, its documents say 2027-01-16 41',
    ],
  ],
  [
    'a payment whose balance is too small',
    [`update payment set balance = 39 where ${own} and balance = 40`],
    ['payment.balance: payment #6: Paid, balance 39 and applied 0, should be 40 in all'],
  ],
  [
    'a debit that is reduced without an application',
    [`update payment set balance = -4 where ${own} and balance = -5`],
    ['payment.balance: credit #4: Paid, balance -4 and applied 0, should be -5 in all'],
  ],
  [
    'the applied amount of a declined payment',
    [`update payment set status = 'Declined' where ${own} and id = ${nth(1)}`],
    [
      'ledger.payment: payment #1: payment entered -30, should be not at all',
      'payment.balance: payment #1: Declined, balance 0 and applied 30, should be 0 in all',
    ],
  ],
  [
    'a refunded amount that exceeds the refunds',
    [`update payment set refunded = 16 where ${own} and refunded = 15`],
    ['payment.refunded: payment #2: refunded 16, its shares 15'],
  ],
  [
    'a Refunded payment that was not refunded',
    [`update payment set status = 'Refunded' where ${own} and id = ${nth(6)}`],
    ['payment.status: payment #6: Refunded, of 40 0 went back'],
  ],
  [
    'a voided payment with the status Refunded',
    [`update payment set status = 'Refunded' where ${own} and status = 'Voided'`],
    ['payment.status: payment #11: Refunded, of 8 8 went back as a void'],
  ],
  [
    'a refund of more than its shares',
    [
      `update payment set amount = -16 where ${own} and amount = -15`,
      ...inLedger(`update ledger_entry set amount = 16 where ${own} and kind = 'refund'
        and amount = 15`),
      `update customer_balance set balance = 41 where ${own} and balance = 40`,
    ],
    ['refund.shares: refund #5: Paid over 16, gone back 15, 0 to be asked'],
  ],
  [
    'a declined refund with a paid share',
    [
      `update payment set status = 'Declined' where ${own} and amount = -15`,
      ...inLedger(`delete from ledger_entry where ${own} and kind = 'refund' and amount = 15`),
      `update customer_balance set balance = 25 where ${own} and balance = 40`,
    ],
    ['refund.shares: refund #5: Declined over 15, gone back 15, 0 to be asked'],
  ],
  [
    'two payments of a customer at the gateway',
    [
      'drop index payment_under_way',
      `update payment set status = 'Pending', phase = 'Charging' where ${own}
         and amount in (11, 12)`,
    ],
    ['payment.underWay: customer TWO: 2 payments are with the gateway'],
  ],
  [
    'a payment in processing without a transaction id',
    [`update payment set status = 'Pending', phase = 'Processing' where ${own} and amount = 11`],
    ['payment.processing: payment #9: is Processing without a transaction id of its gateway'],
  ],
  [
    'a withdrawal that was not recorded',
    [`update payment set withdrawn = 1 where ${own} and id = ${nth(2)}`],
    [
      'payment.balance: payment #2: Paid, balance 0 and applied 75, should be 74 in all',
      'payment.withdrawn: payment #2: withdrawn 1, its withdrawals 0',
    ],
  ],
  [
    'an excess withdrawal without a finding',
    [withdrawal(2, 'kind, amount, covered, excess, entered', `'dispute', 5, 0, 5, 0`)],
    ['withdrawal.excess: payment #2: dispute du_1 is 5 in excess, but there is no finding'],
  ],
  [
    'a won dispute with another amount',
    [
      withdrawal(
        2,
        'kind, amount, covered, excess, entered, reinstated_payment_id',
        `'dispute', 5, 5, 0, 0, ${nth(1)}`,
      ),
    ],
    ['withdrawal.reinstated: payment #1: of 30, reinstates 5'],
  ],
  [
    'a return that the sandbox does not have',
    [withdrawal(2, 'kind, amount, covered, excess, entered', `'return', 5, 0, 0, 0`)],
    ['sandbox.withdrawal: payment #2: returned there nothing, here 5'],
  ],
  [
    'a refund that failed after it had been approved',
    [finding(5, 'lateDecline', 'the gateway declined it')],
    ['gateway.lateDecline: refund #5: the gateway declined it'],
  ],
  [
    'a withdrawal of more than was paid',
    [finding(2, 'withdrawnExcess', 'the gateway withdrew 5 more')],
    ['gateway.withdrawnExcess: payment #2: the gateway withdrew 5 more'],
  ],
  [
    'a cascade that continued after an attempt that was not declined',
    [`update payment set status = 'Canceled' where ${own} and id = ${nth(7)}`],
    ['payment.chain: payment #8: is attempt 2 of cascade #, place 2, after a Canceled one'],
  ],
  [
    'an attempt that belongs to no cascade',
    [`update payment set cascade_id = 1 where ${own} and id = ${nth(9)}`],
    ['payment.chain: payment #9: is attempt 1 of cascade #, place 1'],
  ],
  [
    'an open balance of a paid invoice',
    [`update invoice set outstanding_balance = 19 where ${own} and outstanding_balance = 35`],
    ['invoice.applied: invoice 1002: Outstanding over 50, open 19, applied 15'],
  ],
  [
    'a missing application',
    inApplications(`delete from invoice_payment where ${own} and amount_applied = 30`),
    [
      'payment.balance: payment #1: Paid, balance 0 and applied 0, should be 30 in all',
      'invoice.applied: invoice 1001: Paid over 100, open 0, applied 70',
    ],
  ],
  [
    'a payment of one customer that is applied to another customer',
    inApplications(
      `update invoice_payment set customer_id = (select customer_id from payment where ${own}
         and id = ${nth(6)}) where ${own} and amount_applied = 30`,
    ),
    [
      'application.owner: application #: of customer TWO, money of customer ONE in USD, ' +
        'applied to what customer ONE in USD owes',
    ],
  ],
  [
    'a balanceRemaining that does not continue from the previous one',
    inApplications(
      `update invoice_payment set balance_remaining = 2 where ${own} and amount_applied = 20`,
    ),
    ['application.chain: application #: balanceRemaining 2, should be 0'],
  ],
  [
    'unapplied money beside a debit',
    [
      `update payment set balance = 5 where ${own} and balance = 40`,
      `update payment set customer_id = (select customer_id from payment where ${own}
         and id = ${nth(6)}) where ${own} and balance = -5`,
    ],
    [
      'parties.frozen: payment #4: names a version that is not of its customer',
      'ledger.owner: ledger entry #: customer ONE in USD, but its object is of customer TWO in USD',
      'payment.balance: payment #6: Paid, balance 5 and applied 0, should be 40 in all',
      'payment.idle: customer TWO in USD: 5 unapplied beside 5 open',
    ],
  ],
  [
    'a paid invoice with an autopay date',
    [`update invoice set autopay_on = '2027-02-01' where ${own} and status = 'Paid'`],
    ['invoice.autopay: invoice 1001: Paid, autopay on 2027-02-01'],
  ],
  [
    'an invoice that waits for a final payment',
    [
      `update invoice set autopay_on = '2027-02-01', autopay_after_payment_id = ${nth(1)}
         where ${own} and number_value = 1002`,
    ],
    ['invoice.autopay: invoice 1002: Outstanding, autopay on 2027-02-01, ' + 'after payment #1'],
  ],
  [
    'a payment that the sandbox does not have',
    [`delete from sandbox_transaction where ${own} and amount = 90`],
    ['sandbox.charge: payment #2: Paid over 90 USD, charge not made'],
  ],
  [
    'a payment of another amount than was charged',
    [`update sandbox_transaction set amount = 900 where ${own} and amount = 90`],
    ['sandbox.charge: payment #2: Paid over 90 USD, charge # Approved over 900 USD'],
  ],
  [
    'a charge without a payment',
    [
      `insert into sandbox_transaction (tenant_id, idempotency_key, operation, amount, currency,
         status) values (current_setting('app.tenant')::bigint, ${key("'4711'")}, 'charge', 5,
         'USD', 'Approved')`,
    ],
    ['sandbox.payment: sandbox charge #: approved 5 USD, for no payment'],
  ],
  [
    'a charge under a key of ours of which the books have no payment',
    [
      `insert into gateway_finding (tenant_id, gateway_key, kind, detail, found_at)
       select distinct tenant_id, 'payment/77/1', 'unknownCall', 'has a charge over 9 USD', now()
       from payment where ${own}`,
    ],
    ['gateway.unknownCall: lost payment #: has a charge over 9 USD'],
  ],
  [
    'another call under the key at the gateway',
    [
      `insert into gateway_finding (tenant_id, payment_id, gateway_key, kind, detail, found_at)
       select tenant_id, id, gateway_key, 'difference', 'has a charge over 9 USD', now()
       from payment where ${own} and id = ${nth(9)}`,
    ],
    ['gateway.difference: payment #9: has a charge over 9 USD'],
  ],
  [
    'a late approval, which is recorded once',
    [
      `insert into gateway_finding (tenant_id, payment_id, gateway_key, kind, detail, found_at)
       select tenant_id, id, gateway_key, 'lateApproval', 'the gateway approved it', now()
       from payment where ${own} and id = ${nth(9)}`,
      `update sandbox_transaction set status = 'Approved' where ${own} and amount = 11`,
    ],
    ['gateway.lateApproval: payment #9: the gateway approved it'],
  ],
  [
    'a charge of a payment that is declined in the books',
    [`update sandbox_transaction set status = 'Approved' where ${own} and amount = 11`],
    ['sandbox.payment: sandbox charge #: approved 11 USD, payment #9 is Declined'],
  ],
  [
    'a refund that the sandbox does not have',
    [`update sandbox_transaction set status = 'Declined' where ${own} and operation = 'refund'`],
    [
      'sandbox.share: refund #5: refund of 15 from payment #2, there refund # Declined over 15 of charge #',
    ],
  ],
  [
    'a void of the sandbox without a refund',
    [`update refund_share set status = 'Declined', amount = 8 where ${own} and way = 'void'`],
    [
      'payment.balance: payment #11: Voided, balance 0 and applied 0, should be 8 in all',
      'payment.refunded: payment #11: refunded 8, its shares 0',
      'payment.status: payment #11: Voided, of 8 0 went back',
      'refund.shares: refund #12: Paid over 8, gone back 0, 0 to be asked',
      'sandbox.return: sandbox void #: gave back 8, refund #12 has it as Declined',
    ],
  ],
];
