/** The tax providers that Sundial has, each behind a time limit and a circuit breaker. */
import type { GuardOptions } from '../guard.ts';
import { createVault, type SecretKeys, type Vault } from '../vault.ts';
import { createAvatax, type AvataxOptions } from './avatax/avatax.ts';
import { guarded, TIME_LIMIT_MS } from './guarded.ts';
import type { TaxProvider } from './tax-provider.ts';

export interface TaxOptions extends Pick<GuardOptions, 'startLimit'> {
  /** SECRET_KEY, which decrypts the tenants' license keys. */
  readonly secretKeys: SecretKeys;
}

interface Surroundings {
  /** The breakers' clock, in milliseconds. */
  readonly realNow: () => number;
}

/** An account without an address is one of AvaTax itself. */
interface Account extends Omit<AvataxOptions, 'url'> {
  readonly url?: string | undefined;
}

const AVATAX_URL = 'https://rest.avatax.com';

export function taxAdapters(
  { realNow }: Surroundings,
  { secretKeys, ...limits }: TaxOptions,
): { readonly vault: Vault; readonly avatax: (account: Account) => TaxProvider } {
  const guard = { timeLimitMs: TIME_LIMIT_MS, now: realNow, ...limits };
  return {
    vault: createVault(secretKeys),
    avatax: ({ url = AVATAX_URL, ...account }) => guarded(createAvatax({ ...account, url }), guard),
  };
}
