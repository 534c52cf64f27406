/** Watches who tries other tenants' objects or hosts, and notes who was refused what. */
import { inTenant } from '../../db/connection/tenancy.ts';
import { writeAudit } from '../../operations/access/audit-log.ts';
import type { AuditEntry } from '../../operations/access/audit-log.ts';
import {
  countForeignAttempt,
  isForeign,
  tenantsOfLogin,
} from '../../operations/access/cross-tenant-attempts.ts';
import type { Dependencies } from '../../operations/context/context.ts';
import { createAttempts } from './attempts.ts';
import type { ApiContext } from '../http/context.ts';
import type { CredentialCheck, Credentials } from './credentials.ts';
import type { MissedId } from '../calls/errors.ts';
import type { Logger } from '../http/log.ts';

/** Of a tenant in a minute; a flood of calls without credentials fills the plain log only. */
const REFUSALS_NOTED_MAX = 120;
/** Refused logins that wait to be looked at; past them one goes uncounted. */
const LOGINS_WAITING_MAX = 100;
/** Of what is hashed after an answer: no caller waits behind it for more than its turn. */
const LANE = { lane: 'guard' };

/** Where a call came from, and what it was. */
export type Trace = Pick<AuditEntry, 'method' | 'path' | 'address' | 'requestId'>;

export interface Caller {
  readonly tenantId: number;
  readonly userId: number;
  readonly username: string;
}

export interface Guard {
  /** An id named nothing: counted against the caller if it is another tenant's. */
  readonly missed: (caller: Caller, missed: MissedId, trace: Trace) => Promise<void>;
  /** Looks, after the answer, whether these are credentials of another tenant. */
  readonly loginRefused: (credentials: Credentials, trace: Trace) => void;
  readonly refused: (tenantId: number, entry: AuditEntry) => Promise<void>;
  /** Resolves when nothing is left to look at. */
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

  async function count(caller: Caller, action: AuditEntry['action'], trace: Trace) {
    const isSuspended = await countForeignAttempt(dependencies, {
      ...caller,
      trace: { ...trace, action },
    });
    if (!isSuspended) return;
    check.forget(caller);
    log.warn(caller, 'the user is suspended for its attempts at other tenants');
  }

  async function lookElsewhere(credentials: Credentials, trace: Trace): Promise<void> {
    const { tenantId, username } = credentials;
    // Who is barred here has the right credentials for here.
    if (await check.belongs(credentials, LANE)) return;
    for (const elsewhere of await tenantsOfLogin(dependencies.db, username, tenantId)) {
      const user = await check.verify({ ...credentials, tenantId: elsewhere }, LANE);
      if (user === undefined) continue;
      const caller = { tenantId: elsewhere, userId: user.id, username };
      await count(caller, 'foreignHost', trace);
    }
  }

  return {
    async missed(caller, { kind, id }, trace) {
      if (await isForeign(dependencies.db, kind, id, caller.tenantId)) {
        await count(caller, 'foreignId', trace);
      }
    },
    loginRefused(credentials, trace) {
      if (waiting >= LOGINS_WAITING_MAX) return;
      waiting += 1;
      // One at a time, and never in the way of the answer: its time would tell who is who where.
      last = last
        .then(() => lookElsewhere(credentials, trace))
        .catch((error: unknown) => log.warn({ error }, 'a refused login was not looked at'))
        .finally(() => (waiting -= 1));
    },
    async refused(tenantId, entry) {
      const key = String(tenantId);
      if (noted.waitSeconds(key, REFUSALS_NOTED_MAX) > 0) return;
      noted.end(key, true);
      try {
        await inTenant(dependencies.db, tenantId, async (tx) => writeAudit(tx, entry));
      } catch (error) {
        // The caller is refused whether it could be noted or not.
        log.error({ error }, 'a refusal was not noted');
      }
    },
    idle: () => last,
  };
}

export function traceOf(ctx: ApiContext): Trace {
  return {
    method: ctx.method,
    path: ctx.path,
    address: ctx.ip,
    requestId: ctx.state.requestId,
  };
}
