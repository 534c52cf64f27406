/** The payment method that a caller names. */
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import type { AutopayPreference, StorableMethodType } from '../../domain/payments/allocation.ts';
import type { GatewayName, VaultedMethod } from '../../providers/gateway/gateway.ts';

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
  /** A method on file, and for payments also those after it. */
  | {
      readonly by: 'preference';
      readonly preference: AutopayPreference;
      /** This method alone, which must have the preference still. */
      readonly onlyMethodId?: number;
    };
