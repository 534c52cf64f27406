/** Reads the secret with which a tenant's gateway signs its events. */
import { inTenant } from '../../db/connection/tenancy.ts';
import type { Vault } from '../../providers/vault.ts';
import type { Dependencies } from '../context/context.ts';
import { secretContext } from '../../db/entities/sealed.ts';
import type { StoredSecret } from '../tenants/file/secrets.ts';

/** Null if the tenant takes no events from its gateway. */
export type WebhookSecretOf = (tenantId: number) => Promise<string | null>;

interface SecretRow {
  readonly label: string;
  readonly type: string | null;
  readonly secret: StoredSecret;
}

/** @param vault decrypts the tenant's secrets */
export function webhookSecrets(
  dependencies: Dependencies,
  vault: Pick<Vault, 'open'>,
): WebhookSecretOf {
  return async (tenantId) => {
    const [row] = await inTenant(
      dependencies.db,
      tenantId,
      (tx) =>
        tx.query<SecretRow & Record<string, unknown>>(
          `select label, file->'gateway'->>'type' as type, file->'gateway'->'webhookSecret' as secret
           from tenant where id = $1`,
          [tenantId],
          'webhook-secret',
        ),
      { readOnly: true, single: true },
    );
    if (!row?.secret || row.type !== 'stripe') return null;
    return vault.open(row.secret.sealed, secretContext(row.label, 'gateway/webhook'));
  };
}
