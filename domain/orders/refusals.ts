/** Refusals of orders because of their customer. */
import { isInactive, isSuspending, type CustomerStatus } from '../customers/status.ts';
import { DomainError, type DomainErrorOptions } from '../errors.ts';
import type { OrderStatus } from '../standing/status.ts';

/**
 * Refuses an order for a customer that is no longer one.
 *
 * @example refuseInactive({ status: 'InActive1' }) // throws customer.inactive
 */
export function refuseInactive(
  { status }: { readonly status: CustomerStatus },
  named: DomainErrorOptions = { value: status },
): void {
  if (!isInactive(status)) return;
  throw new DomainError('customer.inactive', 'an inactive customer cannot order', named);
}

/**
 * Throws order.notBillable where generateInvoice has nothing that it may bill.
 *
 * @example refuseIfItCannotBill('Draft', { status: 'Active' }) // throws
 */
export function refuseIfItCannotBill(
  status: OrderStatus,
  customer: { readonly status: CustomerStatus },
): void {
  if (status === 'Draft' || status === 'Suspended') {
    throw new DomainError('order.notBillable', `a ${status} order is not billed`);
  }
  if (isSuspending(customer.status)) {
    throw new DomainError('order.notBillable', `a customer in ${customer.status} is not billed`);
  }
}
