/** What a payment, a credit or a refund is asked for with. */
import type { Decimal, IsoDate } from '../../domain/model.ts';
import type {
  AutopayPreference,
  PaymentType,
  StorableMethodType,
} from '../../domain/payments/allocation.ts';
import type { GatewayName, VaultedMethod } from '../../providers/gateway/gateway.ts';
import type { CustomerAddress } from '../context/locks.ts';

/** How it is paid, or by which method a refund goes back. */
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
      /** Put on file there once the payment is Paid. */
      readonly saveAs: AutopayPreference | null;
    }
  /** A method on file, and for payments those after it. */
  | { readonly by: 'preference'; readonly preference: AutopayPreference };

export interface PaymentInput {
  readonly type: PaymentType;
  /** The root element of the request, with which the paths of errors begin. */
  readonly root: string;
  readonly customer: CustomerAddress;
  /** Of a refund positive; negative for a debit only. */
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
