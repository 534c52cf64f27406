/** The payment methods on file of a customer, for payments. */
import { methodContext } from '../../domain/payments/allocation.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import type { PaymentMethod } from '../../db/entities/payments.ts';
import type { RowOf } from '../../db/entities/rows.ts';

export type StoredMethod = RowOf<
  typeof PaymentMethod,
  'id' | 'customerId' | 'type' | 'autopayPreference' | 'gateway' | 'token' | 'brand' | 'lastFour'
>;

const columns = `id, customer_id, type, autopay_preference, gateway, token, brand, last_four`;

/** Methods that a gateway has declined for ever are no choice for a retry. */
type MethodsFor = 'payment' | 'retry';

const notHardDeclined = { payment: '', retry: 'and hard_declined_at is null' } as const;

/** The first one from a preference upwards. */
export async function methodOnFile(
  tx: Tx,
  customerId: number,
  from: number,
  use: MethodsFor = 'payment',
): Promise<StoredMethod | undefined> {
  const [method] = await tx.query<StoredMethod>(
    `select ${columns} from payment_method
     where customer_id = $1 and autopay_preference >= $2 ${notHardDeclined[use]}
     order by autopay_preference limit 1`,
    [customerId, from],
    `method-on-file-${use}`,
  );
  return method;
}

/** The first of each customer. */
export async function firstMethods(
  tx: Tx,
  customerIds: readonly number[],
  use: MethodsFor = 'payment',
): Promise<Map<number, StoredMethod>> {
  const methods = await tx.query<StoredMethod>(
    `select distinct on (customer_id) ${columns} from payment_method
     where customer_id = any($1) and autopay_preference is not null ${notHardDeclined[use]}
     order by customer_id, autopay_preference`,
    [customerIds],
    `first-methods-${use}`,
  );
  return new Map(methods.map((method) => [method.customerId, method]));
}

/** The columns of a payment for its method on file. */
export function columnsOfStored({ id, type, brand, lastFour, ...stored }: StoredMethod) {
  return {
    paymentMethodType: type,
    paymentMethodContext: methodContext({ type, brand, lastFour }),
    paymentMethodId: id,
    autopayPreference: stored.autopayPreference,
    gateway: stored.gateway,
  };
}
