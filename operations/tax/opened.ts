/** The tax provider of a tenant, as operations get it: opened, or the reason why there is none. */
import { TaxProviderError, type TaxProvider } from '../../providers/tax/tax-provider.ts';
import type { Dependencies } from '../context/context.ts';

/** What cannot be opened is a silence: a later call may succeed. */
export async function openedProvider(
  { taxProviderOf }: Pick<Dependencies, 'taxProviderOf'>,
  tenantId: number,
): Promise<TaxProvider | TaxProviderError> {
  try {
    // None if the tenant's file names another type of taxes meanwhile.
    return (await taxProviderOf?.(tenantId)) ?? new TaxProviderError('silent', 'no_provider');
  } catch (error) {
    if (error instanceof TaxProviderError) return error;
    throw error;
  }
}
