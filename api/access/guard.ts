/** Detects attempts at other tenants' objects or hosts, and records refusals. */
import { inTenant } from '../../db/connection/tenancy.ts';
import { writeAudit, type AuditEntry } from '../../operations/access/audit-log.ts';
import {
  countCrossTenantAttempt,
  isForeign,
  tenantsOfLogin,
} from '../../operations/access/cross-tenant-attempts.ts';
import type { Dependencies } from '../../operations/context/context.ts';
import { createAttempts } from './attempts.ts';
import type { ApiContext } from '../http/context.ts';
import type { CredentialCheck, Credentials } from './credentials.ts';
import type { MissedId } from '../calls/errors.ts';
import type { Logger } from '../http/log.ts';

/** For a tenant in a minute; a flood of calls without credentials fills only the plain log. */
const REFUSALS_NOTED_MAX = 120;
/** Refused logins that wait for the check; further ones are not counted. */
const LOGINS_WAITING_MAX = 100;
/** The lane for hashing after an answer; it takes turns with callers. */
const LANE = { lane: 'guard' };

/** The origin of a call, and its request. */
export type Trace = Pick<AuditEntry, 'method' | 'path' | 'address' | 'requestId'>;

export interface Caller {
  readonly tenantId: number;
  readonly userId: number;
  readonly username: string;
}

export interface Guard {
  /**
   * Counts a call with unknown ids against the caller if one of them is another tenant's. Whether one
   * is, the same statements run.
   */
  readonly missed: (caller: Caller, missed: readonly MissedId[], trace: Trace) => Promise<void>;
  /** Checks, after the answer, whether these are credentials of another tenant. */
  readonly loginRefused: (credentials: Credentials, trace: Trace) => void;
  readonly refused: (tenantId: number, entry: AuditEntry) => Promise<void>;
  /** The caller has no export without its entry. */
  readonly noteExport: (ctx: ApiContext, tenantId: number, status: number) => Promise<void>;
  /** Resolves once no check is left. */
  readonly idle: () => Promise<void>;
}

export interface GuardOptions {
  readonly dependencies: Dependencies;
  readonly check: CredentialCheck;
  readonly clock: () => number;
  readonly log: Logger;
}

export function createGuard({ dependencies, check, clock, log }: GuardOptions): Guard {
  const noted = createAttempts(clock);
  let last: Promise<void> = Promise.resolve();
  let waiting = 0;

  async function count(
    caller: Caller & { readonly isOfAnother: boolean },
    action: AuditEntry['action'],
    trace: Trace,
  ) {
    const isSuspended = await countCrossTenantAttempt(dependencies, {
      ...caller,
      trace: { ...trace, action },
    });
    if (!isSuspended) return;
    check.forget(caller);
    log.warn(caller, 'the user is suspended for cross-tenant attempts');
  }

  async function lookElsewhere(credentials: Credentials, trace: Trace): Promise<void> {
    const { tenantId, username } = credentials;
    // A barred user of this tenant has valid credentials of this tenant.
    if (await check.belongs(credentials, LANE)) return;
    for (const elsewhere of await tenantsOfLogin(dependencies.db, username, tenantId)) {
      const user = await check.verify({ ...credentials, tenantId: elsewhere }, LANE);
      if (user === undefined) continue;
      const caller = { tenantId: elsewhere, userId: user.id, username, isOfAnother: true };
      await count(caller, 'foreignHost', trace);
    }
  }

  return {
    async missed(caller, missed, trace) {
      const isOfAnother = await isAnyForeign(dependencies, caller, missed);
      await count({ ...caller, isOfAnother }, 'foreignId', trace);
    },
    loginRefused(credentials, trace) {
      if (waiting >= LOGINS_WAITING_MAX) return;
      waiting += 1;
      // One at a time and after the answer, whose timing would otherwise reveal users of other
      // tenants.
      last = last
        .then(() => lookElsewhere(credentials, trace))
        .catch((error: unknown) => log.warn({ error }, 'checking a refused login failed'))
        .finally(() => (waiting -= 1));
    },
    async refused(tenantId, entry) {
      const key = String(tenantId);
      if (noted.waitSeconds(key, REFUSALS_NOTED_MAX) > 0) return;
      noted.end(key, true);
      try {
        await inTenant(dependencies.db, tenantId, async (tx) => writeAudit(tx, entry));
      } catch (error) {
        // The caller is refused whether the record was written or not.
        log.error({ error }, 'recording a refusal failed');
      }
    },
    async noteExport(ctx, tenantId, status) {
      const { user } = ctx.state;
      const by = { userId: user?.id, username: user?.username };
      const entry = { action: 'export', ...by, ...traceOf(ctx), status } as const;
      await inTenant(dependencies.db, tenantId, async (tx) => writeAudit(tx, entry));
    },
    idle: () => last,
  };
}

/** Asks about all of them, whatever it hears of the first. */
async function isAnyForeign(
  { db }: Dependencies,
  { tenantId }: Caller,
  missed: readonly MissedId[],
): Promise<boolean> {
  let isAny = false;
  for (const { kind, id } of missed) {
    const isTheirs = await isForeign(db, kind, id, tenantId);
    isAny ||= isTheirs;
  }
  return isAny;
}

export function traceOf(ctx: ApiContext): Trace {
  return {
    method: ctx.method,
    path: ctx.state.shownPath,
    address: ctx.ip,
    requestId: ctx.state.requestId,
  };
}
