/** Applications of payments to invoices in the form of answers: the SQL and the type. */
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import { type Decimal, formatAmount } from '../../domain/money/money.ts';
import { dayOf } from '../context/listing.ts';

export interface ApplicationView {
  readonly id: number;
  readonly paymentId: number;
  /** Null if the money went to a debit. */
  readonly invoiceId: number | null;
  readonly customerId: number;
  readonly amountApplied: Decimal;
  readonly balanceRemaining: Decimal;
  readonly dateCreated: IsoDate;
}

/** The applications in order, as JSON; `zone` is the placeholder of the tenant's zone. */
export function applicationsWhere(condition: string, zone: string): string {
  return `(select coalesce(json_agg(json_build_object('id', a.id, 'paymentId', a.payment_id,
      'invoiceId', a.invoice_id, 'customerId', a.customer_id,
      'amountApplied', a.amount_applied::text, 'balanceRemaining', a.balance_remaining::text,
      'dateCreated', ${dayOf('a.created_at', zone)}) order by a.id), '[]')
    from invoice_payment a where ${condition})`;
}

export function applicationWithAmounts(
  currency: string,
  { amountApplied, balanceRemaining, ...rest }: ApplicationView,
): ApplicationView {
  return {
    ...rest,
    amountApplied: formatAmount(currency, amountApplied),
    balanceRemaining: formatAmount(currency, balanceRemaining),
  };
}
