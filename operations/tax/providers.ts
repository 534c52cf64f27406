/** The tax providers of a process: opened for a tenant on first use, and cached. */
import { LRUCache } from 'lru-cache';
import { inTenant } from '../../db/connection/tenancy.ts';
import { type TaxProvider, TaxProviderError } from '../../providers/tax/tax-provider.ts';
import type { Vault } from '../../providers/vault.ts';
import type { Dependencies, TaxProviderOfTenant } from '../context/context.ts';
import { remembered } from '../context/timed-cache.ts';
import { secretContext } from '../../db/entities/sealed.ts';
import type { StoredFile } from '../tenants/parts.ts';

/** Opens tax providers, each with its time limit and its breaker; the entry points provide it. */
export interface TaxAdapters {
  /** Decrypts the tenants' license keys. */
  readonly vault: Pick<Vault, 'open'>;
  readonly avatax: (account: OpenedAccount) => TaxProvider;
}

/** An account of AvaTax in a tenant's file. */
interface NamedAccount {
  readonly accountId: string;
  readonly companyCode: string;
  /** Absent: AvaTax's own address. */
  readonly url?: string | undefined;
}

export interface OpenedAccount extends NamedAccount {
  /** In clear. */
  readonly licenseKey: string;
}

interface Account extends NamedAccount {
  readonly label: string;
  /** Encrypted; null if the file names a variable that was not set. */
  readonly sealedKey: string | null;
}

/** An evicted provider is opened again with a closed breaker. */
const TENANTS_KEPT_MAX = 10_000;

interface Opened {
  /** All of the account: a change of any part is another account, with a new breaker. */
  readonly account: string;
  readonly provider: TaxProvider;
}

export function openTaxProviders(
  dependencies: Pick<Dependencies, 'db' | 'realNow'>,
  { vault, avatax }: TaxAdapters,
): TaxProviderOfTenant {
  const accountOf = remembered(readAccount);
  const providers = new LRUCache<number, Opened>({ max: TENANTS_KEPT_MAX });

  function opened({ label, sealedKey, ...named }: Account): TaxProvider {
    if (sealedKey === null) throw new TaxProviderError('silent', 'no_license_key');
    let licenseKey: string;
    try {
      licenseKey = vault.open(sealedKey, secretContext(label, 'tax/licenseKey'));
    } catch {
      throw new TaxProviderError('silent', 'license_key_unreadable');
    }
    return avatax({ ...named, licenseKey });
  }

  return async (tenantId) => {
    const found = await accountOf(dependencies, tenantId);
    if (found === null) return null;
    const account = JSON.stringify(found);
    const kept = providers.get(tenantId);
    if (kept?.account === account) return kept.provider;
    const provider = opened(found);
    providers.set(tenantId, { account, provider });
    return provider;
  };
}

async function readAccount(
  { db }: Pick<Dependencies, 'db'>,
  tenantId: number,
): Promise<Account | null> {
  const [row] = await inTenant(
    db,
    tenantId,
    (tx) =>
      tx.query<{ label: string; tax: StoredFile['tax'] | null }>(
        `select label, file->'tax' as tax from tenant where id = $1`,
        [tenantId],
      ),
    { readOnly: true, single: true },
  );
  if (!row) throw new Error(`no tenant ${tenantId}`);
  const { label, tax } = row;
  if (tax?.type !== 'avatax') return null;
  const { accountId, companyCode, url, licenseKey } = tax;
  if (accountId === undefined || companyCode === undefined) {
    throw new Error(`the file of the tenant ${label} has no account of AvaTax`);
  }
  return { label, accountId, companyCode, url, sealedKey: licenseKey?.sealed ?? null };
}

/* The tax provider of a tenant, as operations get it: opened, or the reason why there is none. */

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
