/** Puts payment methods on file, and lists them without their numbers. */
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import {
  methodContext,
  type AutopayPreference,
  type ShownMethod,
  type StorableMethodType,
} from '../../domain/payments/allocation.ts';
import { takeIds } from '../../db/queries/billing/write.ts';
import { tryNewMethods } from '../../db/queries/collection/attempts.ts';
import {
  insertMethod,
  numberMethods,
  type OnFile,
  putOnFile,
  takeOffFile,
} from '../../db/queries/payments/write.ts';
import { noteChanges } from '../../db/connection/audited.ts';
import { DomainError } from '../../domain/errors.ts';
import type { GatewayName, VaultedMethod } from '../../providers/gateway/gateway.ts';
import { firstOf, type Reader } from '../context/listing.ts';
import { lockCustomer, type CustomerAddress } from '../context/locks.ts';
import type { OperationContext } from '../context/context.ts';
import { reviewRetries } from '../ageing/dunning.ts';
import { readAutopayOrders, readMethods } from './methods-on-file.ts';

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
  const { customerId, preference } = method;
  noteMethod(context, customerId, preference);
  if ((await tryNewMethods(tx, customerId, time)) > 0) await reviewRetries(context, [customerId]);
}

/**
 * Takes a method off file. What is under way by it goes on, and its payments can be refunded. Returns
 * how many orders with isAutoPay are left without any method. Throws customer.unknown,
 * paymentMethod.unknown.
 */
export async function removeMethod(
  context: OperationContext,
  address: CustomerAddress,
  preference: AutopayPreference,
): Promise<number> {
  const { tx, time } = context;
  const { id: customerId } = await lockCustomer(tx, address);
  const onFile = await readMethods(tx, customerId);
  if (!onFile.some((each) => each.preference === preference)) {
    throw new DomainError('paymentMethod.unknown', 'the customer has no such method on file', {
      path: 'autopayPreference',
      value: String(preference),
    });
  }
  takeOffFile(tx, { customerId, preferences: [preference] }, time.now);
  noteMethod(context, customerId, preference);
  return onFile.length === 1 ? (await readAutopayOrders(tx, customerId)).count : 0;
}

/**
 * Numbers the methods on file anew: the first preference of `order` becomes 1. A method that moves is
 * no new one, so nothing is tried by it. Returns the preferences on file if `order` has not each of
 * them once; then nothing changes. Throws customer.unknown.
 */
export async function reorderMethods(
  { tx, time }: OperationContext,
  address: CustomerAddress,
  order: readonly number[],
): Promise<readonly number[] | null> {
  const { id: customerId } = await lockCustomer(tx, address);
  const onFile = await readMethods(tx, customerId);
  const preferences = onFile.map(({ preference }) => preference);
  if (order.toSorted((one, other) => one - other).join() !== preferences.join()) return preferences;
  takeOffFile(tx, { customerId, preferences }, time.now);
  const ids = new Map<number, number>(onFile.map(({ preference, id }) => [preference, id]));
  numberMethods(
    tx,
    order.flatMap((preference) => ids.get(preference) ?? []),
    time.now,
  );
  const moved = { field: 'paymentMethods', before: preferences.join(), after: order.join() };
  if (moved.before !== moved.after) noteChanges(tx, { type: 'customer', id: customerId }, [moved]);
  return null;
}

/** What is on file with this preference is another one, or gone; which one is personal. */
function noteMethod({ tx }: OperationContext, customerId: number, preference: number): void {
  noteChanges(tx, { type: 'customer', id: customerId }, [
    { field: `paymentMethods[${preference}]` },
  ]);
}

/** Not on file yet. */
export function keepMethod(
  { tx, time }: OperationContext,
  { methodId, customerId }: { readonly methodId: number; readonly customerId: number },
  { type, gateway, method }: MethodInVault,
): void {
  const { token, brand, lastFour, expiry, debit = null, country = null, mandate = null } = method;
  const row = { id: methodId, customerId, type, gateway, token, brand, debit, country, mandate };
  insertMethod(tx, { ...row, lastFour, expiry, createdAt: time.now, updatedAt: time.now });
}

/** Everything that is ever shown of a method. */
export interface MethodView {
  readonly autopayPreference: AutopayPreference;
  readonly type: StorableMethodType;
  readonly paymentMethodContext: string;
  readonly expiry: IsoDate | null;
  /** The day on which its gateway last changed what is known of it. */
  readonly gatewayUpdated: IsoDate | null;
  /** The reference of the mandate of a debit. */
  readonly mandate: string | null;
}

interface MethodRow extends Omit<MethodView, 'paymentMethodContext'>, Required<ShownMethod> {
  readonly type: StorableMethodType;
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
           'lastFour', m.last_four, 'expiry', m.expiry, 'debit', m.debit, 'country', m.country,
           'mandate', m.mandate, 'gatewayUpdated', m.gateway_updated) order by m.autopay_preference), '[]')
         from payment_method m where m.tenant_id = c.tenant_id and m.customer_id = c.id
          and m.autopay_preference is not null) as methods
       from customer c where ${byId ? 'c.id' : 'c.ext_customer_ref'} = $1`,
      [byId ? address.id : address.extCustomerRef],
      byId ? 'methods-by-id' : 'methods-by-ref',
    ),
  );
  return row?.methods.map(({ brand, lastFour, debit, country, ...method }) => ({
    ...method,
    paymentMethodContext: methodContext({ type: method.type, brand, lastFour, debit, country }),
  }));
}
