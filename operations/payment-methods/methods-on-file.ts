/** The payment methods on file of a customer. */
import { type AutopayPreference, methodContext } from '../../domain/payments/allocation.ts';
import { canEdit, orderStatuses } from '../../domain/standing/status.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import type { Payment, PaymentMethod } from '../../db/entities/payments.ts';
import type { RowOf } from '../../db/entities/rows.ts';

export type StoredMethod = RowOf<
  typeof PaymentMethod,
  | 'id'
  | 'customerId'
  | 'type'
  | 'autopayPreference'
  | 'gateway'
  | 'token'
  | 'brand'
  | 'lastFour'
  | 'debit'
  | 'country'
>;

const columns = `id, customer_id, type, autopay_preference, gateway, token, brand, last_four, debit,
  country`;

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

/**
 * The first one that no payment of the cascade has, whatever its preference was before; that of `but`
 * does not count. A caller that named a preference means the methods from there on.
 */
export async function untriedMethod(
  tx: Tx,
  { cascadeId, customerId, isRetry, ...made }: CascadeTry,
  { but = null }: { readonly but?: number | null } = {},
): Promise<StoredMethod | undefined> {
  const use = isRetry ? 'retry' : 'payment';
  const isFromFirst =
    isRetry || made.autopayInvoiceId !== null || made.collectionAttemptId !== null;
  const [method] = await tx.query<StoredMethod>(
    `select ${columns} from payment_method m
     where customer_id = $1 ${notHardDeclined[use]} and autopay_preference >= case when $4 then 1
         else (select f.autopay_preference from payment f where f.id = $2) end
       and not exists (select from payment p where p.tenant_id = m.tenant_id
         and p.cascade_id = $2 and p.id is distinct from $3 and p.payment_method_id = m.id)
     order by autopay_preference limit 1`,
    [customerId, cascadeId, but, isFromFirst],
    `untried-method-${use}`,
  );
  return method;
}

interface CascadeTry extends RowOf<
  typeof Payment,
  'cascadeId' | 'customerId' | 'autopayInvoiceId' | 'collectionAttemptId' | 'isRetry'
> {}

interface FirstMethod extends StoredMethod {
  /** It, or a further one on file, is a SEPA debit. */
  readonly hasSepa: boolean;
}

/** The first of each customer. */
export async function firstMethods(
  tx: Tx,
  customerIds: readonly number[],
  use: MethodsFor = 'payment',
): Promise<Map<number, FirstMethod>> {
  const methods = await tx.query<FirstMethod & Record<string, unknown>>(
    `select distinct on (customer_id) ${columns},
       bool_or(debit is not distinct from 'sepa') over (partition by customer_id) as has_sepa
     from payment_method
     where customer_id = any($1) and autopay_preference is not null ${notHardDeclined[use]}
     order by customer_id, autopay_preference`,
    [customerIds],
    `first-methods-${use}`,
  );
  return new Map(methods.map((method) => [method.customerId, method]));
}

/** The methods with these ids, by id. */
export async function methodsById(
  tx: Tx,
  ids: readonly number[],
): Promise<ReadonlyMap<number, StoredMethod>> {
  const methods = await tx.query<StoredMethod>(
    `select ${columns} from payment_method where tenant_id = $1 and id = any($2)`,
    [tx.tenantId, ids],
    'methods-by-ids',
  );
  return new Map(methods.map((method) => [method.id, method]));
}

/** A method as pages show it, without more of its number than the end. */
export interface FiledMethod extends RowOf<
  typeof PaymentMethod,
  | 'id'
  | 'type'
  | 'brand'
  | 'lastFour'
  | 'expiry'
  | 'debit'
  | 'country'
  | 'mandate'
  | 'gatewayUpdated'
> {
  readonly preference: AutopayPreference;
}

/** In the order in which they are used. */
export function readMethods(tx: Tx, customerId: number): Promise<FiledMethod[]> {
  return tx.query<FiledMethod & Record<string, unknown>>(
    `select id, autopay_preference as preference, type, brand, last_four, expiry, debit, country,
       mandate, gateway_updated
     from payment_method
     where tenant_id = $1 and customer_id = $2 and autopay_preference is not null
     order by autopay_preference`,
    [tx.tenantId, customerId],
    'methods-on-file',
  );
}

/** The orders that pay themselves while a method is on file. */
export interface AutopayOrders {
  readonly count: number;
  /** Of the first ones. */
  readonly numbers: readonly number[];
}

const NUMBERS_MAX = 20;

/** Those of the customer that have not ended. */
export async function readAutopayOrders(tx: Tx, customerId: number): Promise<AutopayOrders> {
  const rows = await tx.query<{ orderNumber: number; count: number }>(
    `select order_number, count(*) over ()::int as count from subscription_order
     where tenant_id = $1 and customer_id = $2 and is_auto_pay and status = any($3)
     order by id limit ${NUMBERS_MAX}`,
    [tx.tenantId, customerId, orderStatuses.filter(canEdit)],
    'autopay-orders',
  );
  return { count: rows[0]?.count ?? 0, numbers: rows.map(({ orderNumber }) => orderNumber) };
}

/** The columns of a payment for its method on file. */
export function columnsOfStored({ id, type, ...stored }: StoredMethod) {
  return {
    paymentMethodType: type,
    paymentMethodContext: methodContext({ type, ...stored }),
    paymentMethodId: id,
    autopayPreference: stored.autopayPreference,
    gateway: stored.gateway,
  };
}
