/** Validates the addresses that a call sends, before its transaction and as they would be stored. */
import { addressFaults, type AddressFault } from '../../domain/customers/addresses.ts';
import type { PostalAddress } from '../../domain/customers/postal-address.ts';
import { type WrittenAddress, taxedAddress } from '../../domain/tax/documents.ts';
import { inTenant } from '../../db/connection/tenancy.ts';
import type { Dependencies, TenantInfo } from '../context/context.ts';
import type { CustomerAddress } from '../context/locks.ts';
import { sentAddress, type AddressInput } from './contact-input.ts';
import type { ContactKind } from '../../db/entities/customers.ts';
import { TaxProviderError, type AddressMistake } from '../../providers/tax/tax-provider.ts';
import { openedProvider } from '../tax/providers.ts';

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

/* Validates an address by the tenant's tax provider, which knows those of the US and of Canada. */

/** What is wrong with an address, or why nobody can say. */
interface FoundFault {
  readonly code: AddressFault['code'] | 'address.notValidated';
  /** Null for the address as a whole. */
  readonly element: AddressFault['element'] | null;
  readonly text: string;
  readonly value: string | null;
}

/** The countries whose addresses AvaTax resolves. */
const resolved: ReadonlySet<string | null> = new Set(['US', 'CA']);
/** Without these there is nothing to look up; of the others the provider knows better. */
const required: ReadonlySet<string> = new Set(['street1', 'city']);

const WORDS_LENGTH_MAX = 300;
/** A call waits no longer for its turn among the tenant's calls to its provider. */
const TURN_LIMIT_MS = 5_000;

/** Never throws for a provider that does not answer, as the customer is saved all the same. */
async function faultsByProvider(
  dependencies: Pick<Dependencies, 'taxProviderOf'>,
  { id }: Pick<TenantInfo, 'id'>,
  address: Partial<WrittenAddress>,
): Promise<readonly FoundFault[]> {
  const byRules = addressFaults(address);
  const asked = taxedAddress(address);
  if (!resolved.has(asked.countryCode)) return byRules;
  const missing = byRules.filter(({ element }) => required.has(element));
  if (missing.length > 0) return missing;
  const provider = await openedProvider(dependencies, id);
  if (provider instanceof TaxProviderError) return [notValidated];
  try {
    const mistakes = await provider.resolve(asked, AbortSignal.timeout(TURN_LIMIT_MS));
    return mistakes.map(faultOf);
  } catch (error) {
    if (!(error instanceof TaxProviderError)) throw error;
    return [error.kind === 'refused' ? faultOf(refusalOf(error)) : notValidated];
  }
}

const notValidated: FoundFault = {
  code: 'address.notValidated',
  element: null,
  text: 'was not validated, as the tax provider did not answer',
  value: null,
};

function refusalOf({ text, code }: TaxProviderError): AddressMistake {
  return { field: null, text: text ?? code };
}

function faultOf({ field, text }: AddressMistake): FoundFault {
  const words = text.slice(0, WORDS_LENGTH_MAX);
  return { code: 'address.invalid', element: field, text: `is invalid: ${words}`, value: null };
}
