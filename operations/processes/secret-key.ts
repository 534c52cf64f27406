/** Holds all processes of an installation to one SECRET_KEY: that of the first one to start. */
import type { Database } from '../../db/connection/database.ts';
import { insertInstallation, readInstallation } from '../../db/queries/context/installation.ts';
import type { Vault } from '../../providers/vault.ts';

/** A mistake of the operator's: printed without a stack. */
export class SecretKeyError extends Error {
  override readonly name = 'SecretKeyError';

  constructor() {
    super(
      'SECRET_KEY is not that of this installation, whose secrets it cannot read. Set the key of ' +
        'the other processes; "The secret key" in docs/operations.md says how to change it.',
    );
  }
}

/** The row of `installation` with a text that only this key opens. */
const CHECK = 'secret_key_check';
const CONTEXT = 'installation';

export interface HoldOptions {
  /** Whether an installation without a key gets this one; true by default. */
  readonly stores?: boolean;
}

/** Throws a SecretKeyError if the vault's key is another one than the installation's. */
export async function holdSecretKey(
  { pool }: Pick<Database, 'pool'>,
  vault: Vault,
  { stores = true }: HoldOptions = {},
): Promise<void> {
  let sealed = await readInstallation(pool, CHECK);
  if (sealed === undefined && stores) {
    // Of processes that start at once, one is the first.
    await insertInstallation(pool, CHECK, vault.seal(CHECK, CONTEXT));
    sealed = await readInstallation(pool, CHECK);
  }
  if (sealed !== undefined && !opens(vault, sealed)) throw new SecretKeyError();
}

function opens(vault: Vault, sealed: string): boolean {
  try {
    vault.open(sealed, CONTEXT);
    return true;
  } catch {
    return false;
  }
}
