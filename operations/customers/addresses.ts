/** Validates the addresses that a call sends, before its transaction and as they would be stored. */
import { addressFaults } from '../../domain/customers/addresses.ts';
import type { PostalAddress } from '../../domain/customers/postal-address.ts';
import type { WrittenAddress } from '../../domain/tax/documents.ts';
import { inTenant } from '../../db/connection/tenancy.ts';
import type { Dependencies, TenantInfo } from '../context/context.ts';
import type { CustomerAddress } from '../context/locks.ts';
import { faultsByProvider } from './addresses-by-provider.ts';
import type { FoundFault } from './addresses-by-provider.ts';
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

export interface PlacedFault extends Omit<FoundFault, 'element'> {
  /** The place of the element in the request. */
  readonly path: string;
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
  // Contacts are sent together, so a call waits for one answer.
  const found = await Promise.all(
    given.map(async ({ kind, path, address }) => {
      const whole = { ...before.get(kind), ...sentAddress(address) };
      const faults = await faultsOf(dependencies, tenant, whole);
      return faults.map(({ element, ...fault }) => ({
        ...fault,
        path: [path, 'address', element].filter((step) => step !== null).join('/'),
      }));
    }),
  );
  return found.flat();
}

async function faultsOf(
  dependencies: Dependencies,
  tenant: TenantInfo,
  address: Partial<WrittenAddress>,
): Promise<readonly FoundFault[]> {
  if (tenant.taxProvider === null) return addressFaults(address);
  return faultsByProvider(dependencies, tenant, address);
}

/** Whether the addresses of a tenant's calls are validated by its tax provider. */
export function asksProvider({
  validatesAddresses,
  taxProvider,
}: Pick<TenantInfo, 'validatesAddresses' | 'taxProvider'>): boolean {
  return validatesAddresses && taxProvider !== null;
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
                k.country_code
         from customer c join contact k on k.tenant_id = c.tenant_id and k.customer_id = c.id
         where ${byId ? 'c.id' : 'c.ext_customer_ref'} = $1`,
        [byId ? address.id : address.extCustomerRef],
        byId ? 'read-addresses-by-id' : 'read-addresses-by-ref',
      ),
    { readOnly: true, single: true },
  );
  return new Map(rows.map(({ kind, ...rest }) => [kind, rest]));
}
