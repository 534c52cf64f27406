/** The customer of a new order: named in the body, or by the query's extCustomerRef. */
import { DomainError } from '../../domain/errors.ts';
import type { OrderInput } from '../../domain/orders/input.ts';
import { refuseInactive } from '../../domain/orders/refusals.ts';
import { invalid } from '../../domain/orders/terms.ts';
import type { CustomerAddress, LockedCustomer } from '../context/locks.ts';

/** The customer that the caller names; null if it names none. */
export function parentAddress(
  { customerId }: Pick<OrderInput, 'customerId'>,
  extCustomerRef: string | undefined,
): CustomerAddress | null {
  if (extCustomerRef !== undefined) return { extCustomerRef };
  return customerId ? { id: customerId } : null;
}

/** Throws field.required where a customer is needed, and the caller names none. */
export function requiredParent(address: CustomerAddress | null): CustomerAddress {
  if (address !== null) return address;
  const message = 'customer, or extCustomerRef in the query, is missing';
  throw new DomainError('field.required', message, { path: 'subscriptionOrder/customer' });
}

/** Refuses a customer that is not the one of the body, and an inactive one. */
export function refuseParent(
  customer: LockedCustomer,
  { customerId }: Pick<OrderInput, 'customerId'>,
): void {
  if (customerId && customerId !== customer.id) {
    const message = 'customer/@id and extCustomerRef name different ones';
    throw invalid('customer/@id', message, `${customerId}`);
  }
  refuseInactive(customer);
}
