/** The gateways of a process: opened for a tenant on first use, and cached. */
import { LRUCache } from 'lru-cache';
import { inTenant } from '../../db/connection/tenancy.ts';
import {
  type Gateway,
  type GatewayName,
  type Gateways,
  GatewayError,
} from '../../providers/gateway/gateway.ts';
import type { Vault } from '../../providers/vault.ts';
import { type Dependencies, tenantInfo, tenantTimeOf } from '../context/context.ts';
import { remembered } from '../context/timed-cache.ts';
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import { secretContext } from '../tenants/file/secrets.ts';
import type { StoredFile } from '../tenants/parts.ts';

/** Opens gateways, each with its time limit and its breaker; the entry points provide it. */
export interface GatewayAdapters {
  /** Decrypts the tenants' secrets. */
  readonly vault: Pick<Vault, 'open'>;
  /** @param today the tenant's day */
  readonly sandbox: (tenantId: number, today: () => Promise<IsoDate>) => Gateway;
  readonly stripe: (secretKey: string) => Gateway;
}

/** The gateway in the tenant's file. */
interface Account {
  readonly type: GatewayName;
  readonly label: string;
  /** Encrypted; null if the file has none, or names a variable that was not set. */
  readonly sealedKey: string | null;
}

/** An evicted gateway is opened again with a closed breaker. */
const TENANTS_KEPT_MAX = 10_000;

interface StripeAccount {
  readonly sealedKey: string;
  readonly gateway: Gateway;
}

export function openGateways(
  dependencies: Dependencies,
  { vault, sandbox, stripe }: GatewayAdapters,
): Gateways {
  const accountOf = remembered(readAccount);
  const sandboxes = new LRUCache<number, Gateway>({ max: TENANTS_KEPT_MAX });
  const stripes = new LRUCache<number, StripeAccount>({ max: TENANTS_KEPT_MAX });

  function sandboxOf(tenantId: number): Gateway {
    let gateway = sandboxes.get(tenantId);
    if (!gateway) {
      gateway = sandbox(tenantId, () => todayOf(dependencies, tenantId));
      sandboxes.set(tenantId, gateway);
    }
    return gateway;
  }

  function stripeOf(tenantId: number, { label, sealedKey }: Account): Gateway {
    if (sealedKey === null) throw new GatewayError('unavailable', 'no_secret_key');
    const kept = stripes.get(tenantId);
    if (kept?.sealedKey === sealedKey) return kept.gateway;
    const clearKey = opened(sealedKey, secretContext(label, 'gateway'));
    // Another key is another account, with a new breaker.
    const gateway = stripe(clearKey);
    stripes.set(tenantId, { sealedKey, gateway });
    return gateway;
  }

  function opened(sealed: string, context: string): string {
    try {
      return vault.open(sealed, context);
    } catch {
      throw new GatewayError('unavailable', 'secret_key_unreadable');
    }
  }

  return {
    async ofTenant(tenantId) {
      const account = await accountOf(dependencies, tenantId);
      return account.type === 'sandbox' ? sandboxOf(tenantId) : stripeOf(tenantId, account);
    },
    async named(tenantId, name) {
      return name === 'sandbox'
        ? sandboxOf(tenantId)
        : stripeOf(tenantId, await accountOf(dependencies, tenantId));
    },
  };
}

/** By the tenant's clock: the sandbox's days are the tenant's days. */
async function todayOf(dependencies: Dependencies, tenantId: number): Promise<IsoDate> {
  const tenant = await tenantInfo(dependencies, tenantId);
  const { today } = await inTenant(
    dependencies.db,
    tenantId,
    (tx) => tenantTimeOf(dependencies, tenant, tx, 'none'),
    { readOnly: true, single: true },
  );
  return today;
}

async function readAccount({ db }: Pick<Dependencies, 'db'>, tenantId: number): Promise<Account> {
  const [row] = await inTenant(
    db,
    tenantId,
    (tx) =>
      tx.query<{ label: string; gateway: StoredFile['gateway'] | null }>(
        `select label, file->'gateway' as gateway from tenant where id = $1`,
        [tenantId],
      ),
    { readOnly: true, single: true },
  );
  if (!row) throw new Error(`no tenant ${tenantId}`);
  const { label, gateway } = row;
  return {
    label,
    type: gateway?.type ?? 'sandbox',
    sealedKey: gateway?.secretKey?.sealed ?? null,
  };
}
