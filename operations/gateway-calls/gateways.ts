/** The gateways of a process: opened for a tenant on first use, and cached. */
import { LRUCache } from 'lru-cache';
import { inTenant } from '../../db/connection/tenancy.ts';
import {
  gatewayTable,
  type Gateway,
  type GatewayName,
  type Gateways,
  GatewayError,
} from '../../providers/gateway/gateway.ts';
import type { Vault } from '../../providers/vault.ts';
import { type Dependencies, tenantInfo, tenantTimeOf } from '../context/context.ts';
import { remembered } from '../context/timed-cache.ts';
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import { returnContext, secretContext } from '../../db/entities/sealed.ts';
import type { StoredFile } from '../tenants/parts.ts';

/** Opens gateways, each with its time limit and its breaker; the entry points provide it. */
export interface GatewayAdapters {
  /** Decrypts the tenants' secrets. */
  readonly vault: Pick<Vault, 'open'>;
  readonly open: (
    name: GatewayName,
    opening: {
      readonly tenantId: number;
      readonly today: () => Promise<IsoDate>;
      readonly accountKey: string;
      readonly apiUrl: string | null;
    },
  ) => Gateway;
}

/** The gateway in the tenant's file. */
interface Account {
  readonly type: GatewayName;
  readonly label: string;
  /** Encrypted; null if the file has none, or names a variable that was not set. */
  readonly sealedKey: string | null;
  /** The address of its interface, if the file names one. */
  readonly apiUrl: string | null;
}

/** An evicted gateway is opened again with a closed breaker. */
const OPENED_KEPT_MAX = 10_000;

interface OpenedGateway {
  /** What it was opened for. */
  readonly account: string;
  readonly gateway: Gateway;
}

export function openGateways(
  dependencies: Dependencies,
  { vault, open }: GatewayAdapters,
): Gateways {
  const accountOf = remembered(readAccount);
  const opened = new LRUCache<string, OpenedGateway>({ max: OPENED_KEPT_MAX });

  /** Another key is another account, and another address another service: with a new breaker. */
  function gatewayOf(name: GatewayName, tenantId: number, opening: Account | null): Gateway {
    const key = `${name}/${tenantId}`;
    const account = JSON.stringify([opening?.sealedKey, opening?.apiUrl]);
    const kept = opened.get(key);
    if (kept?.account === account) return kept.gateway;
    const accountKey = opening === null ? '' : keyOf(opening);
    const today = () => todayOf(dependencies, tenantId);
    const apiUrl = opening?.apiUrl ?? null;
    const gateway = open(name, { tenantId, today, accountKey, apiUrl });
    opened.set(key, { account, gateway });
    return gateway;
  }

  function keyOf({ label, sealedKey }: Account): string {
    if (sealedKey === null) throw new GatewayError('unavailable', 'no_secret_key');
    try {
      return vault.open(sealedKey, secretContext(label, 'gateway'));
    } catch {
      throw new GatewayError('unavailable', 'secret_key_unreadable');
    }
  }

  return {
    async ofTenant(tenantId) {
      const account = await accountOf(dependencies, tenantId);
      const { hasAccount } = gatewayTable[account.type];
      return gatewayOf(account.type, tenantId, hasAccount ? account : null);
    },
    async named(tenantId, name) {
      const { hasAccount } = gatewayTable[name];
      return gatewayOf(name, tenantId, hasAccount ? await accountOf(dependencies, tenantId) : null);
    },
    returnUrl: (tenantId, sealed) => vault.open(sealed, returnContext({ tenantId })),
  };
}

/** The address has the token of its page, of which nothing else than a hash is stored. */
export function sealedReturn(vault: Pick<Vault, 'seal'>, tenantId: number, url: string): string {
  return vault.seal(url, returnContext({ tenantId }));
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
    apiUrl: gateway?.url ?? null,
  };
}
