/** Puts payment methods on file, and lists them without their numbers. */
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import {
  methodContext,
  type AutopayPreference,
  type StorableMethodType,
} from '../../domain/payments/allocation.ts';
import { takeIds } from '../../db/queries/billing/write.ts';
import { tryNewMethods } from '../../db/queries/collection/attempts.ts';
import { insertMethod, type OnFile, putOnFile } from '../../db/queries/payments/write.ts';
import type { GatewayName, VaultedMethod } from '../../providers/gateway/gateway.ts';
import { firstOf, type Reader } from '../context/listing.ts';
import { lockCustomer, type CustomerAddress } from '../context/locks.ts';
import type { OperationContext } from '../context/context.ts';
import { reviewRetries } from '../ageing/dunning.ts';

/** A method in a gateway's vault. */
export interface MethodInVault {
  readonly type: StorableMethodType;
  readonly gateway: GatewayName;
  readonly method: VaultedMethod;
}

/** Replaces the method on file with this preference; throws customer.unknown. */
export async function putMethodOnFile(
  context: OperationContext,
  address: CustomerAddress,
  preference: AutopayPreference,
  method: MethodInVault,
): Promise<void> {
  const { tx } = context;
  const { id: customerId } = await lockCustomer(tx, address);
  const [methodId = 0] = await takeIds(tx, 1);
  keepMethod(context, { methodId, customerId }, method);
  await fileMethod(context, { customerId, methodId, preference });
}

/**
 * Puts a kept method on file, and tries it once, at the next 00:00, for each automatic invoice that was
 * declined and has no retry to come. The customer is locked.
 */
export async function fileMethod(context: OperationContext, method: OnFile): Promise<void> {
  const { tx, time } = context;
  putOnFile(tx, method, time.now);
  const { customerId } = method;
  const tried = await tryNewMethods(tx, { customerId }, time);
  if (tried.length > 0) await reviewRetries(context, [customerId]);
}

/** Not on file yet. */
export function keepMethod(
  { tx, time }: OperationContext,
  { methodId, customerId }: { readonly methodId: number; readonly customerId: number },
  { type, gateway, method }: MethodInVault,
): void {
  const { token, brand, lastFour, expiry } = method;
  const row = { id: methodId, customerId, type, gateway, token, brand };
  insertMethod(tx, { ...row, lastFour, expiry, createdAt: time.now, updatedAt: time.now });
}

/** Everything that is ever shown of a method. */
export interface MethodView {
  readonly autopayPreference: AutopayPreference;
  readonly type: StorableMethodType;
  readonly paymentMethodContext: string;
  readonly expiry: IsoDate | null;
}

interface MethodRow extends Pick<MethodView, 'autopayPreference' | 'type' | 'expiry'> {
  readonly brand: string | null;
  readonly lastFour: string | null;
}

/** By preference; undefined if the customer does not exist. */
export async function listMethods(
  tx: Reader,
  address: CustomerAddress,
): Promise<MethodView[] | undefined> {
  const byId = 'id' in address;
  const row = await firstOf(
    tx.query<{ methods: readonly MethodRow[] }>(
      `select (select coalesce(json_agg(json_build_object(
           'autopayPreference', m.autopay_preference, 'type', m.type, 'brand', m.brand,
           'lastFour', m.last_four, 'expiry', m.expiry) order by m.autopay_preference), '[]')
         from payment_method m where m.tenant_id = c.tenant_id and m.customer_id = c.id
          and m.autopay_preference is not null) as methods
       from customer c where ${byId ? 'c.id' : 'c.ext_customer_ref'} = $1`,
      [byId ? address.id : address.extCustomerRef],
      byId ? 'methods-by-id' : 'methods-by-ref',
    ),
  );
  return row?.methods.map(({ brand, lastFour, ...method }) => ({
    ...method,
    paymentMethodContext: methodContext({ type: method.type, brand, lastFour }),
  }));
}
