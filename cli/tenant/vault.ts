/** The vault that encrypts the secrets of a tenant file, by the installation's SECRET_KEY. */
import type { Config } from '../../config.ts';
import type { Database } from '../../db/connection/database.ts';
import { holdSecretKey } from '../../operations/processes/secret-key.ts';
import type { SecretVault } from '../../operations/tenants/file/secrets.ts';
import { createVault } from '../../providers/vault.ts';
import { UsageError } from './database.ts';

/** Secrets that another key has encrypted would help no process. */
export async function vaultOf(
  { secretKey }: Config,
  db: Database,
  { isDryRun }: { readonly isDryRun: boolean },
): Promise<SecretVault> {
  if (secretKey !== undefined) {
    const vault = createVault(secretKey);
    await holdSecretKey(db, vault, { stores: !isDryRun });
    return vault;
  }
  const missing = () => {
    throw new UsageError(
      'SECRET_KEY is not set, and the file has secrets to store. Use the SECRET_KEY of the API.',
    );
  };
  return { seal: missing, open: missing };
}
