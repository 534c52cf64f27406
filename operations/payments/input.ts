/** The input of a payment, a credit or a refund. */
import type { Decimal, IsoDate } from '../../domain/model.ts';
import type {
  AutopayPreference,
  PaymentType,
  StorableMethodType,
} from '../../domain/payments/allocation.ts';
import type { GatewayName, VaultedMethod } from '../../providers/gateway/gateway.ts';
import type { CustomerAddress } from '../context/locks.ts';

/** The method of a payment, or the method to which a refund is limited. */
export type MethodChoice =
  | { readonly by: 'Cash'; readonly notes: string | null }
  | {
      readonly by: 'Check';
      readonly checkNumber: string | null;
      readonly institutionName: string | null;
      readonly checkDate: IsoDate | null;
      readonly notes: string | null;
    }
  | {
      readonly by: 'vaulted';
      readonly type: StorableMethodType;
      readonly gateway: GatewayName;
      readonly method: VaultedMethod;
      /** Where to put the method on file once the payment is Paid. */
      readonly saveAs: AutopayPreference | null;
    }
  /** A method on file, and for payments also the following ones. */
  | { readonly by: 'preference'; readonly preference: AutopayPreference };

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
  readonly invoiceIds: readonly number[];
  /** Null for credits and refunds only. */
  readonly method: MethodChoice | null;
}

/** The acting user. */
export interface Payer {
  readonly userId: number | null;
}
