/** The order fields of a request; undefined is absent, null is an empty element. */
import type { IsoDate } from '../calendar/calendar.ts';
import type { TermUnit } from '../calendar/terms.ts';
import type { Decimal } from '../money/money.ts';
import type { OrderStatus } from '../standing/status.ts';
import type { Metadata } from '../text/metadata.ts';

export interface OrderLineInput {
  readonly id?: number | undefined;
  readonly position?: number | null | undefined;
  readonly contractChargeId?: number | null | undefined;
  readonly priceCode?: string | null | undefined;
  readonly quantity?: Decimal | null | undefined;
  readonly unitPrice?: Decimal | null | undefined;
  readonly invoiceText?: string | null | undefined;
  readonly isActive?: boolean | null | undefined;
}

export interface OrderInput {
  readonly orderStatus?: OrderStatus | null | undefined;
  readonly startDate?: IsoDate | null | undefined;
  readonly endDate?: IsoDate | null | undefined;
  /** The last day that another system bills. */
  readonly billedThrough?: IsoDate | null | undefined;
  /** Free days from the startDate on, in place of those of the plan; 0: none. */
  readonly trialDays?: number | null | undefined;
  readonly customerId?: number | null | undefined;
  readonly currency?: string | null | undefined;
  readonly contractOfferingId?: number | null | undefined;
  readonly contractCode?: string | null | undefined;
  readonly couponCode?: string | null | undefined;
  /** What a quote of the same order said; its price must still be the same. */
  readonly quoteHash?: string | null | undefined;
  readonly isAutoRenew?: boolean | null | undefined;
  readonly isAutoPay?: boolean | null | undefined;
  readonly separateInvoice?: number | null | undefined;
  readonly jobCode?: string | null | undefined;
  readonly purchaseOrder?: string | null | undefined;
  readonly dueDateValue?: number | null | undefined;
  readonly dueDateUnits?: TermUnit | null | undefined;
  readonly invoiceText?: string | null | undefined;
  readonly invoiceNotes?: string | null | undefined;
  readonly notes?: string | null | undefined;
  readonly metadata?: Metadata | null | undefined;
  readonly orderLineItems?: readonly OrderLineInput[] | null | undefined;
  /** The lines are the whole plan in another quantity: it takes penalties as one without lines. */
  readonly isWholePlan?: boolean | undefined;
}
