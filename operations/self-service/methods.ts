/** Reads the payment methods on file that an account shows, without more of their numbers than the end. */
import type { Tx } from '../../db/connection/tenancy.ts';
import type { IsoDate } from '../../domain/calendar/date.ts';
import type { AutopayPreference, StorableMethodType } from '../../domain/payments/allocation.ts';

export interface FiledMethod {
  readonly id: number;
  readonly preference: AutopayPreference;
  readonly type: StorableMethodType;
  readonly brand: string | null;
  readonly lastFour: string | null;
  readonly expiry: IsoDate | null;
}

/** In the order in which they are used. */
export function readMethods(tx: Tx, customerId: number): Promise<FiledMethod[]> {
  return tx.query<FiledMethod & Record<string, unknown>>(
    `select id, autopay_preference as preference, type, brand, last_four, expiry
     from payment_method
     where tenant_id = $1 and customer_id = $2 and autopay_preference is not null
     order by autopay_preference`,
    [tx.tenantId, customerId],
    'self-service-methods',
  );
}
