/** Customers and contacts between their documents and the operations. */
import { entriesOf } from '../../../domain/text/metadata.ts';
import { contactFields } from '../../../operations/customers/contact-input.ts';
import {
  readCustomer,
  type CustomerView,
  type FinancialsView,
} from '../../../operations/customers/read.ts';
import type { CustomerInput } from '../../../operations/customers/save.ts';
import type { NewContacts } from '../../../operations/customers/write.ts';
import type { Reader } from '../../../operations/context/listing.ts';
import type { CustomerAddress } from '../../../operations/context/locks.ts';
import type { TenantInfo } from '../../../operations/context/context.ts';
import type { CustomerCreateInput, CustomerDocument, CustomerUpdateInput } from './schema.ts';
import { found, type RouteDependencies } from '../../calls/services.ts';
import { metadataInput } from '../shared-schema.ts';

export function customerDocument(
  view: CustomerView & { readonly financials?: FinancialsView },
): CustomerDocument {
  const { financials, currency, metadata, ...customer } = view;
  return {
    ...customer,
    // Documents that were kept with events may lack it.
    suspendedUntil: customer.suspendedUntil ?? null,
    erasedDate: customer.erasedDate ?? null,
    currency: { id: currency },
    ...(financials === undefined ? {} : { customerFinancials: financials }),
    metadata: entriesOf(metadata),
  };
}

/** The addressed customer in full, or a 404. */
export async function documentOf(
  dependencies: RouteDependencies,
  tx: Reader,
  tenant: TenantInfo,
  address: CustomerAddress,
): Promise<CustomerDocument> {
  return customerDocument(
    found('customer', await readCustomer(dependencies, tx, tenant, address), address),
  );
}

/** Contacts of a new customer; hashes passwords, which is slow, before the transaction. */
export async function newContacts(
  { hashCost }: RouteDependencies,
  tenant: TenantInfo,
  { billingContact, salesContact }: CustomerCreateInput,
): Promise<NewContacts> {
  const hashing = { hashCost, tenant };
  return {
    billing: await contactFields(billingContact, hashing),
    sales: salesContact ? await contactFields(salesContact, hashing) : null,
  };
}

/** The customer's own elements without its contacts. */
export function customerInput({
  billingContact: _billing,
  salesContact: _sales,
  currency,
  metadata,
  ...fields
}: CustomerCreateInput | CustomerUpdateInput): CustomerInput {
  return { ...fields, currency: codeOf(currency), metadata: metadataInput(metadata) };
}

/** Absent stays absent, empty stays empty. */
export function codeOf<Id>(
  reference: { readonly id: Id } | null | undefined,
): Id | null | undefined {
  return reference === null || reference === undefined ? reference : reference.id;
}
