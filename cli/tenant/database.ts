/** The database that `npm run tenant` works on, or an error that says why there is none. */
import { OperatorError } from '../../operator-error.ts';
import { type Config, secretKeysOf } from '../../config.ts';
import { openDatabase, type Database, type Role } from '../../db/connection/database.ts';
import { tenantIdOf } from '../../operations/context/context.ts';
import { holdSecretKey } from '../../operations/processes/secret-key.ts';
import type { SecretVault } from '../../operations/tenants/file/secrets.ts';
import { createVault } from '../../providers/vault.ts';

const POOL_MAX = 2;
const STATEMENT_TIMEOUT_MS = 60_000;

export class UsageError extends OperatorError {}

export async function open(config: Config, role: Role): Promise<Database> {
  const { databaseUrl, dataDir } = config;
  if (databaseUrl === undefined) {
    throw new UsageError(
      `No system runs in ${dataDir}, and DATABASE_URL is not set. Start one with npm start.`,
    );
  }
  const { hostname, port, pathname } = new URL(databaseUrl);
  const where = `The database at ${hostname}:${port || 5432}${pathname}`;
  const name = 'sundial-tenant';
  try {
    return await openDatabase({
      url: databaseUrl,
      role,
      poolMax: POOL_MAX,
      statementTimeoutMs: STATEMENT_TIMEOUT_MS,
      name,
    });
  } catch (error) {
    throw new UsageError(`${where} cannot be used: ${reasonOf(error)}`, { cause: error });
  }
}

/** The id of the tenant that a command names. */
export async function tenantNamed(db: Database, label: string): Promise<number> {
  const id = await tenantIdOf(db, label);
  if (id === null) throw new UsageError(`There is no tenant ${label}.`);
  return id;
}

/** A refused connection has a code, but no message if the host has several addresses. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || ('code' in error ? String(error.code) : error.name);
}

/* The vault that encrypts the secrets of a tenant file, by the installation's SECRET_KEY. */

/** Secrets that another key has encrypted would help no process. */
export async function vaultOf(
  config: Config,
  db: Database,
  { isDryRun }: { readonly isDryRun: boolean },
): Promise<SecretVault> {
  const secretKeys = secretKeysOf(config);
  if (secretKeys !== undefined) {
    const vault = createVault(secretKeys);
    await holdSecretKey(db, vault, { stores: !isDryRun, url: config.databaseUrl });
    return vault;
  }
  const missing = () => {
    throw new UsageError(
      'SECRET_KEY is not set, and the file has secrets to store. Use the SECRET_KEY of the API.',
    );
  };
  return { seal: missing, open: missing };
}
