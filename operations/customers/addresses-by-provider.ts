/** Validates an address by the tenant's tax provider, which knows those of the US and of Canada. */
import { addressFaults } from '../../domain/customers/addresses.ts';
import type { AddressFault } from '../../domain/customers/addresses.ts';
import { taxedAddress } from '../../domain/tax/documents.ts';
import type { WrittenAddress } from '../../domain/tax/documents.ts';
import { TaxProviderError } from '../../providers/tax/tax-provider.ts';
import type { AddressMistake } from '../../providers/tax/tax-provider.ts';
import type { Dependencies, TenantInfo } from '../context/context.ts';
import { openedProvider } from '../tax/opened.ts';

/** What is wrong with an address, or why nobody can say. */
export interface FoundFault {
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
export async function faultsByProvider(
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
