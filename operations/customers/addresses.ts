/** Validates the addresses that a call sends, before its transaction and as they would be stored. */
import { addressFaults } from '../../domain/customers/addresses.ts';
import type { AddressFault } from '../../domain/customers/addresses.ts';
import type { PostalAddress } from '../../domain/customers/postal-address.ts';
import { inTenant } from '../../db/connection/tenancy.ts';
import type { Dependencies, TenantInfo } from '../context/context.ts';
import type { CustomerAddress } from '../context/locks.ts';
import { sentAddress } from './contact-input.ts';
import type { AddressInput } from './contact-input.ts';
import type { ContactKind } from './read.ts';

export interface SentAddress {
  readonly kind: ContactKind;
  /** The place of the contact in the request: `customer/billingContact`. */
  readonly path: string;
  /** Undefined is absent, null is empty: neither is validated. */
  readonly address: AddressInput | null | undefined;
}

export interface PlacedFault {
  readonly code: AddressFault['code'];
  /** The place of the element in the request. */
  readonly path: string;
  readonly text: string;
  readonly value: string | null;
}

/**
 * The faults of the addresses sent; null if the tenant does not have them validated.
 *
 * @param stored the customer that a change concerns: what a request leaves out of an address is
 *   taken from the contact as it is now
 */
export async function faultsOfAddresses(
  dependencies: Dependencies,
  tenant: TenantInfo,
  sent: readonly SentAddress[],
  stored: CustomerAddress | null,
): Promise<readonly PlacedFault[] | null> {
  if (!tenant.validatesAddresses) return null;
  const given = sent.flatMap(({ address, ...contact }) =>
    address === null || address === undefined ? [] : [{ ...contact, address }],
  );
  if (given.length === 0) return [];
  const before =
    stored === null ? new Map() : await storedAddresses(dependencies, tenant.id, stored);
  return given.flatMap(({ kind, path, address }) =>
    addressFaults({ ...before.get(kind), ...sentAddress(address) }).map(
      ({ element, ...fault }) => ({ ...fault, path: `${path}/address/${element}` }),
    ),
  );
}

/** None for an unknown customer, which the write refuses. */
async function storedAddresses(
  { db }: Dependencies,
  tenantId: number,
  address: CustomerAddress,
): Promise<ReadonlyMap<ContactKind, PostalAddress>> {
  const byId = 'id' in address;
  const rows = await inTenant(
    db,
    tenantId,
    (tx) =>
      tx.query<PostalAddress & { readonly kind: ContactKind }>(
        `select k.kind, k.street1, k.street2, k.city, k.state, k.zip, k.country,
                k.country_code as "countryCode"
         from customer c join contact k on k.tenant_id = c.tenant_id and k.customer_id = c.id
         where ${byId ? 'c.id' : 'c.ext_customer_ref'} = $1`,
        [byId ? address.id : address.extCustomerRef],
        byId ? 'read-addresses-by-id' : 'read-addresses-by-ref',
      ),
    { readOnly: true, single: true },
  );
  return new Map(rows.map(({ kind, ...rest }) => [kind, rest]));
}
