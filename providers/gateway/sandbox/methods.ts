/** The methods in the sandbox's vault, with what the sandbox does by them. */
import type { Tx } from '../../../db/connection/tenancy.ts';
import { methodContext } from '../../../db/entities/sealed.ts';
import type { Vault } from '../../vault.ts';
import { sealedMethod } from './rows.ts';
import { type Script, scriptOf, scriptOfToken } from './script.ts';
import type { KeptMethod } from './vault.ts';

/** A method in the vault, or a token that the vault did not issue. */
export interface KnownMethod {
  readonly script: Script;
  readonly kept: KeptMethod | null;
  /** Its payer confirmed that it is put on file. */
  readonly isAuthenticated: boolean;
}

export async function methodOf(tx: Tx, vault: Vault, token: string): Promise<KnownMethod> {
  const row = await sealedMethod(tx, token);
  if (!row) return { script: scriptOfToken(token), kept: null, isAuthenticated: false };
  const { sealed, isAuthenticated } = row;
  const kept: KeptMethod = JSON.parse(vault.open(sealed, contextOf(tx, token)));
  return { script: scriptOf(kept), kept, isAuthenticated };
}

/** What a sealed method is sealed for. */
export const contextOf = ({ tenantId }: Pick<Tx, 'tenantId'>, token: string): string =>
  methodContext({ tenantId, token });
