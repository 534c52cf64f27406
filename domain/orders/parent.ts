/** The customer of a new order: named in the body, or by the query's extCustomerRef. */
import { DomainError } from '../errors.ts';
import type { OrderInput } from './input.ts';
import { refuseInactive } from './refusals.ts';
import { invalid } from './terms.ts';
import type { CustomerStatus } from '../customers/status.ts';

/**
 * The customer that the caller names; null if it names none.
 *
 * @example parentAddress({ customerId: 17 }, undefined) // { id: 17 }
 */
export function parentAddress(
  { customerId }: Pick<OrderInput, 'customerId'>,
  extCustomerRef: string | undefined,
): { readonly id: number } | { readonly extCustomerRef: string } | null {
  if (extCustomerRef !== undefined) return { extCustomerRef };
  return customerId ? { id: customerId } : null;
}

/**
 * Throws field.required where a customer is needed, and the caller names none.
 *
 * @example requiredParent(null) // throws field.required
 */
export function requiredParent<Address>(address: Address | null): Address {
  if (address !== null) return address;
  const message = 'customer, or extCustomerRef in the query, is missing';
  throw new DomainError('field.required', message, { path: 'subscriptionOrder/customer' });
}

/**
 * Refuses a customer that is not the one of the body, and an inactive one.
 *
 * @example refuseParent(customer, { customerId: customer.id + 1 }) // throws field.invalid
 */
export function refuseParent(
  customer: { readonly id: number; readonly status: CustomerStatus },
  { customerId }: Pick<OrderInput, 'customerId'>,
): void {
  if (customerId && customerId !== customer.id) {
    const message = 'customer/@id and extCustomerRef name different ones';
    throw invalid('customer/@id', message, `${customerId}`);
  }
  refuseInactive(customer);
}
