/** Customers and contacts between their documents and the operations. */
import type { CustomerView, FinancialsView } from '../../operations/customer-read.ts';
import type { CustomerInput } from '../../operations/customer-write.ts';
import type {
  CustomerCreateInput,
  CustomerDocument,
  CustomerUpdateInput,
} from '../xml/schemas/customer.ts';

export function customerDocument(
  view: CustomerView & { readonly financials?: FinancialsView },
): CustomerDocument {
  const { financials, currency, ...customer } = view;
  return {
    ...customer,
    currency: { id: currency },
    ...(financials === undefined ? {} : { customerFinancials: financials }),
  };
}

/** The customer's own elements, its contacts left out. */
export function customerInput(body: CustomerCreateInput | CustomerUpdateInput): CustomerInput {
  return {
    name: body.name,
    extCustomerRef: body.extCustomerRef,
    locale: body.locale,
    isBusinessAccount: body.isBusinessAccount,
    paymentTermsValue: body.paymentTermsValue,
    paymentTermsUnits: body.paymentTermsUnits,
    currency: codeOf(body.currency),
  };
}

/** Absent stays absent, empty stays empty. */
export function codeOf<Id>(
  reference: { readonly id: Id } | null | undefined,
): Id | null | undefined {
  return reference === null || reference === undefined ? reference : reference.id;
}
