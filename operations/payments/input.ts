/** The input of a payment, a credit or a refund. */
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import type { Decimal } from '../../domain/money/money.ts';
import type { PaymentType } from '../../domain/payments/allocation.ts';
import type { CustomerAddress } from '../context/locks.ts';
import type { MethodChoice } from '../payment-methods/choice.ts';

export interface PaymentInput {
  readonly type: PaymentType;
  /** The root element of the request, the start of error paths. */
  readonly root: string;
  readonly customer: CustomerAddress;
  /** Positive for a refund; negative only for a debit. */
  readonly amount: Decimal;
  readonly totalSurcharge: Decimal | null;
  readonly currencyCode: string | null;
  readonly generateInvoice: boolean;
  readonly effectiveDate: IsoDate | null;
  readonly invoiceText: string | null;
  readonly purchaseDescription: string | null;
  readonly internalNotes: string | null;
  /** That it pays; or, of a refund, from which it takes. */
  readonly invoiceIds: readonly number[];
  /** Of a refund: credit notes give back of the invoices what went back. */
  readonly creditNote?: boolean;
  /** Null for credits and refunds only. */
  readonly method: MethodChoice | null;
}

/** The acting user. */
export interface Payer {
  readonly userId: number | null;
  /** Sealed: where the page of a payer who is present is; without it he is absent. */
  readonly returnSealed?: (paymentId: number) => string | null;
}
