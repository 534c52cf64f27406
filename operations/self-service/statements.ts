/** Reads the statement of a customer: the ledger by currency with a running balance. */
import { isOutsideSignups, isPaidOutsideSignups } from '../../db/queries/context/invoices.ts';
import { cancellationNumberOf } from '../../db/queries/invoices/cancellations.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import { compare, type Decimal } from '../../domain/money/money.ts';
import type { StatementPeriod } from '../../domain/self-service/statement-period.ts';

/** The kinds of `ledger_entry`. */
export const entryKinds = [
  'invoice',
  'invoiceCancelled',
  'payment',
  'paymentCanceled',
  'surcharge',
  'surchargePaid',
  'credit',
  'debit',
  'refund',
  'paymentReturned',
  'paymentDisputed',
  'openingBalance',
  'import',
  'zeroOut',
] as const;
export type EntryKind = (typeof entryKinds)[number];

export interface StatementEntry {
  readonly id: number;
  readonly enteredOn: IsoDate;
  readonly kind: EntryKind;
  /** Positive is owed by the customer. */
  readonly amount: Decimal;
  /** What the customer owes after it. */
  readonly balance: Decimal;
  readonly invoiceId: number | null;
  readonly invoiceNumber: string | null;
  /** The document of the invoice's cancellation, if this entry is that. */
  readonly cancellationNumber: string | null;
  /** Of a payment or a refund, not of a credit. */
  readonly paymentId: number | null;
  /** Masked; the type of a method without details. */
  readonly method: string | null;
  /** The payment is Paid, so that there is a receipt of it. */
  readonly hasReceipt: boolean;
}

export interface CurrencyStatement {
  readonly currency: string;
  readonly opening: Decimal;
  readonly closing: Decimal;
  /** The oldest first. */
  readonly entries: readonly StatementEntry[];
}

export interface Statement {
  /** The customer's currency first, which is there in any case. */
  readonly currencies: readonly CurrencyStatement[];
  /** The oldest entry that is shown, if there are older ones of the period. */
  readonly olderThan: { readonly enteredOn: IsoDate; readonly id: number } | null;
}

export interface StatementSelection extends StatementPeriod {
  readonly customerId: number;
  readonly currency: string;
  /** Of the last day only entries with a lower id; null: all of them. */
  readonly before: number | null;
}

/** Of all currencies, the newest ones. */
export const STATEMENT_ENTRIES_MAX = 1_000;

type Row = { readonly currency: string; readonly opening: Decimal; readonly closing: Decimal } & (
  | (StatementEntry & { readonly place: number })
  | { readonly id: null }
);

export async function readStatement(
  tx: Tx,
  { customerId, currency, from, to, before }: StatementSelection,
): Promise<Statement> {
  const rows = await tx.query<Row & Record<string, unknown>>(
    statement,
    [tx.tenantId, customerId, from, to, before ?? Number.MAX_SAFE_INTEGER],
    'self-service-statement',
  );
  const entries = rows.flatMap((row) => (row.id === null ? [] : [row]));
  const shown = entries.filter(({ place }) => place <= STATEMENT_ENTRIES_MAX);
  const last = shown.find(({ place }) => place === STATEMENT_ENTRIES_MAX);
  const isCut = entries.length > shown.length;
  const byCurrency = [...Map.groupBy(rows, (row) => row.currency)].map(([code, all]) =>
    currencyOf(code, all),
  );
  const own = byCurrency.find((each) => each.currency === currency);
  const others = byCurrency.filter((each) => each !== own && isWorthShowing(each));
  return {
    currencies: [own ?? { currency, opening: '0', closing: '0', entries: [] }, ...others],
    olderThan: isCut && last !== undefined ? last : null,
  };
}

function currencyOf(currency: string, rows: readonly Row[]): CurrencyStatement {
  const entries = rows.flatMap((row) =>
    row.id === null || row.place > STATEMENT_ENTRIES_MAX ? [] : [row],
  );
  const closing = rows[0]?.closing ?? '0';
  // The balance before an entry stands in its row, so that nothing is summed twice.
  const opening = entries[0] === undefined ? closing : entries[0].opening;
  return { currency, opening, closing, entries };
}

const isWorthShowing = ({ entries, closing }: CurrencyStatement): boolean =>
  entries.length > 0 || compare(closing, '0') !== 0;

/** A range of the index `ledger_entry_of_customer`, which also sums what is newer. */
const ofCustomer = (entry: string): string =>
  `${entry}.tenant_id = $1 and ${entry}.customer_id = $2`;
const isBefore = (entry: string): string => `(${entry}.entered_on, ${entry}.id) < ($4::date, $5)`;

/**
 * The balance is known as of now, so everything is reckoned backwards from it: first to the end of
 * the period, then from entry to entry. What hosted sign-ups
 * have entered that are under way, or have failed, is left out.
 */
const statement = `
  with hidden as materialized (
    select e.id, e.currency, e.entered_on, e.amount from signup s
    join invoice i on i.tenant_id = s.tenant_id and i.id = any(s.invoice_ids)
    join ledger_entry e on e.tenant_id = i.tenant_id and e.invoice_id = i.id
    where s.tenant_id = $1 and s.customer_id = $2 and s.status in ('DRAFT', 'FAILED')
      and not (${isOutsideSignups('i')})
    union
    select e.id, e.currency, e.entered_on, e.amount from signup s
    join signup_try y on y.tenant_id = s.tenant_id and y.signup_id = s.id
    join payment p on p.tenant_id = y.tenant_id and p.cascade_id = y.payment_id
    join ledger_entry e on e.tenant_id = p.tenant_id and e.payment_id = p.id
    where s.tenant_id = $1 and s.customer_id = $2
      and not (${isPaidOutsideSignups('p')})),
  accounts as materialized (
    select b.currency, b.balance
      - (select coalesce(sum(e.amount), 0) from ledger_entry e
         where ${ofCustomer('e')} and e.currency = b.currency
           and (e.entered_on, e.id) >= ($4::date, $5))
      - (select coalesce(sum(h.amount), 0) from hidden h
         where h.currency = b.currency and ${isBefore('h')}) as closing
    from customer_balance b where ${ofCustomer('b')}),
  newest as materialized (
    select n.*, row_number() over (order by n.entered_on desc, n.id desc) as place
    from accounts a cross join lateral (
      select e.currency, e.id, e.entered_on, e.kind, e.amount, e.invoice_id, e.payment_id
      from ledger_entry e
      where ${ofCustomer('e')} and e.currency = a.currency and e.entered_on >= $3
        and ${isBefore('e')} and e.id not in (select h.id from hidden h)
      order by e.entered_on desc, e.id desc limit ${STATEMENT_ENTRIES_MAX + 1}) n
    order by place limit ${STATEMENT_ENTRIES_MAX + 1}),
  reckoned as (
    select a.currency, a.closing, n.id, n.entered_on, n.kind, n.amount, n.place,
      n.invoice_id, n.payment_id,
      a.closing - sum(n.amount) over (partition by a.currency order by n.place) as opening
    from accounts a left join newest n on n.currency = a.currency)
  select r.currency, r.closing::text as closing, r.id, r.entered_on, r.kind,
    r.amount::text as amount, r.place::int as place, r.opening::text as opening,
    (r.opening + r.amount)::text as balance, r.invoice_id,
    i.invoice_number as invoice_number,
    case when r.kind = 'invoiceCancelled' then ${cancellationNumberOf('i')} end
      as cancellation_number,
    case when p.payment_type in ('Payment', 'Refund') then p.id end as payment_id,
    case when p.payment_type in ('Payment', 'Refund')
      then coalesce(p.payment_method_context, p.payment_method_type) end as method,
    coalesce(p.payment_type = 'Payment' and p.status = 'Paid', false) as has_receipt
  from reckoned r
  left join invoice i on i.tenant_id = $1 and i.id = r.invoice_id
  left join payment p on p.tenant_id = $1 and p.id = r.payment_id
  order by r.currency, r.place desc`;
