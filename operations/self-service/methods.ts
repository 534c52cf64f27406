/** Reads the payment methods on file that an account shows, without more of their numbers than the end. */
import type { Tx } from '../../db/connection/tenancy.ts';
import type { AutopayPreference } from '../../domain/payments/allocation.ts';
import type { PaymentMethod } from '../../db/entities/payments.ts';
import type { RowOf } from '../../db/entities/rows.ts';

export interface FiledMethod extends RowOf<
  typeof PaymentMethod,
  'id' | 'type' | 'brand' | 'lastFour' | 'expiry'
> {
  readonly preference: AutopayPreference;
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
