/** The gateways that Sundial has, each behind a time limit and a circuit breaker. */
import { channel } from 'node:diagnostics_channel';
import type { Database } from '../../db/connection/database.ts';
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import { createVault, type SecretKeys, type Vault } from '../vault.ts';
import { type Gateway, GatewayError, type GatewayName } from './gateway.ts';
import { createSandbox } from './sandbox/sandbox.ts';
import { createStripe } from './stripe/stripe.ts';
import { guardOf, type GuardOptions } from '../guard.ts';
import type { GatewayAdapter } from './adapter.ts';

export interface GatewayOptions {
  /** They decrypt the tenant's secrets and the sandbox's vault. */
  readonly secretKeys: SecretKeys;
  /** The time limit of each call. */
  readonly timeLimitMs?: number;
  /** Of tenants whose files name no address; Stripe's own by default. */
  readonly stripeApiUrl?: string | undefined;
}

interface Surroundings {
  /** The database of the sandbox. */
  readonly db: Database;
  /** The breakers' clock, in milliseconds. */
  readonly realNow: () => number;
}

/** Whose gateway is opened. */
export interface GatewayOpening {
  readonly tenantId: number;
  /** The tenant's day. */
  readonly today: () => Promise<IsoDate>;
  /** The key of its account, in the clear; empty for a gateway without accounts. */
  readonly accountKey: string;
  /** The address of its interface, if the tenant's file names one. */
  readonly apiUrl: string | null;
}

export function gatewayAdapters(
  { db, realNow }: Surroundings,
  { secretKeys, timeLimitMs = TIME_LIMIT_MS_DEFAULT, stripeApiUrl: apiUrl }: GatewayOptions,
): {
  readonly vault: Vault;
  readonly open: (name: GatewayName, opening: GatewayOpening) => Gateway;
} {
  const vault = createVault(secretKeys);
  const adapters: Readonly<Record<GatewayName, (opening: GatewayOpening) => GatewayAdapter>> = {
    sandbox: ({ tenantId, today }) => createSandbox({ db, tenantId, vault, today }),
    stripe: ({ accountKey, apiUrl: own }) =>
      createStripe({ secretKey: accountKey, timeLimitMs, apiUrl: own ?? apiUrl }),
  };
  const guard = { timeLimitMs, now: realNow };
  return { vault, open: (name, opening) => guarded(adapters[name](opening), guard) };
}

/*
 * Wraps a gateway with a time limit for each call, and a circuit breaker that stops calls to a
 * gateway that does not answer. Declines are answers and never open the breaker.
 */

const TIME_LIMIT_MS_DEFAULT = 12_000;

export function guarded(adapter: GatewayAdapter, options: GuardOptions): Gateway {
  const guard = guardOf(
    {
      isKnown: (error) => error instanceof GatewayError,
      isOutage,
      timedOut: () => new GatewayError('unknown', 'timeout'),
      isOpen: () => new GatewayError('unavailable', 'circuit_open'),
      failed: (cause) => new GatewayError('unknown', 'failed', { cause }),
    },
    options,
  );
  const call = <Result>(
    what: keyof GatewayAdapter,
    ask: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> => told({ gateway: adapter.name, call: what }, () => guard(ask));
  return {
    name: adapter.name,
    store: (details, key, options) =>
      call('store', (signal) => adapter.store(details, key, signal, options)),
    entered: (token) => call('entered', (signal) => adapter.entered(token, signal)),
    validate: (asked) => call('validate', (signal) => adapter.validate(asked, signal)),
    charge: (asked) => call('charge', (signal) => adapter.charge(asked, signal)),
    confirm: (asked) => call('confirm', (signal) => adapter.confirm(asked, signal)),
    end: (asked) => call('end', (signal) => adapter.end(asked, signal)),
    challenge: (asked) => call('challenge', (signal) => adapter.challenge(asked, signal)),
    refund: (asked) => call('refund', (signal) => adapter.refund(asked, signal)),
    void: (asked) => call('void', (signal) => adapter.void(asked, signal)),
    status: (operation, asked) =>
      call('status', (signal) => adapter.status(operation, asked, signal)),
    method: (stored) => call('method', (signal) => adapter.method(stored, signal)),
    remove: (stored) => call('remove', (signal) => adapter.remove(stored, signal)),
    withdrawals: (charge) => call('withdrawals', (signal) => adapter.withdrawals(charge, signal)),
    made: (since, from) => call('made', (signal) => adapter.made(since, from, signal)),
  };
}

/** Answers without an outcome, which show that the gateway is up. */
const answers: ReadonlySet<string> = new Set(['processing', 'idempotency_mismatch']);

function isOutage(error: unknown): boolean {
  if (!(error instanceof GatewayError)) return true;
  const { kind, code } = error;
  return (kind === 'unknown' || kind === 'unavailable') && !answers.has(code);
}

/* Tells whoever subscribes how calls ended, and how long they took. */

/** The name of the channel. */
export const gatewayChannel = 'sundial:gateway';

export interface GatewayNews {
  readonly gateway: GatewayName;
  readonly call: string;
  /** What it gave, or the kind of its error. */
  readonly outcome: string;
  readonly milliseconds: number;
}

const news = channel(gatewayChannel);

async function told<Result>(
  what: Pick<GatewayNews, 'gateway' | 'call'>,
  ask: () => Promise<Result>,
): Promise<Result> {
  if (!news.hasSubscribers) return ask();
  const began = performance.now();
  const tell = (outcome: string): void =>
    news.publish({
      ...what,
      outcome,
      milliseconds: performance.now() - began,
    } satisfies GatewayNews);
  try {
    const result = await ask();
    tell(outcomeOf(result));
    return result;
  } catch (error) {
    tell(error instanceof GatewayError ? error.kind : 'unknown');
    throw error;
  }
}

/** Of what has an outcome; anything else was done. */
function outcomeOf(result: unknown): string {
  const { outcome } = (result ?? {}) as { readonly outcome?: unknown };
  return typeof outcome === 'string' ? outcome : 'done';
}
