/** The gateways that Sundial has, each behind a time limit and a circuit breaker. */
import type { Database } from '../../db/connection/database.ts';
import type { IsoDate } from '../../domain/calendar/date.ts';
import { createVault } from '../vault.ts';
import type { Vault } from '../vault.ts';
import type { Gateway } from './gateway.ts';
import { guarded, TIME_LIMIT_MS_DEFAULT } from './guarded.ts';
import { createSandbox } from './sandbox/sandbox.ts';
import { createStripe } from './stripe/stripe.ts';

export interface GatewayOptions {
  /** SECRET_KEY, which decrypts the tenant's secrets and the sandbox's vault. */
  readonly secretKey: string;
  /** The time limit of each call. */
  readonly timeLimitMs?: number;
  /** Stripe's own by default. */
  readonly stripeApiUrl?: string | undefined;
}

interface Surroundings {
  /** The database of the sandbox. */
  readonly db: Database;
  /** The breakers' clock, in milliseconds. */
  readonly realNow: () => number;
}

export function gatewayAdapters(
  { db, realNow }: Surroundings,
  { secretKey, timeLimitMs = TIME_LIMIT_MS_DEFAULT, stripeApiUrl: apiUrl }: GatewayOptions,
): {
  readonly vault: Vault;
  readonly sandbox: (tenantId: number, today: () => Promise<IsoDate>) => Gateway;
  readonly stripe: (secretKey: string) => Gateway;
} {
  const vault = createVault(secretKey);
  const guard = { timeLimitMs, now: realNow };
  return {
    vault,
    sandbox: (tenantId, today) => guarded(createSandbox({ db, tenantId, vault, today }), guard),
    stripe: (clearKey) =>
      guarded(createStripe({ secretKey: clearKey, timeLimitMs, apiUrl }), guard),
  };
}
