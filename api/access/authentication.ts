/** Basic credentials → the user, who must hold ROLE_API; wrong passwords are slowed down. */
import { type NeededRight, whyRefused } from '../../domain/access/rights.ts';
import type { ApiContext, Next } from '../http/context.ts';
import type { Route } from '../calls/route-types.ts';
import { type Credentials, type Logins, type User, tooManyRequests } from './credentials.ts';
import type { RequestLimits } from './request-limits.ts';
import { type MissedId, RequestError } from '../calls/errors.ts';
import { type Guard, traceOf } from './guard.ts';
import { OutcomeUnknownError, UnavailableError } from '../../db/connection/faults.ts';
import { missedBy } from '../calls/refusals.ts';

export const API_ROLE = 'ROLE_API';

const challenge = { 'WWW-Authenticate': 'Basic realm="sundial", charset="UTF-8"' };

export function authentication(logins: Logins, guard: Guard): Middleware {
  return async (ctx, next) => {
    const credentials = credentialsOf(ctx);
    ctx.state.login = credentials.username;
    const user = await logins.login(credentials, ctx.ip);
    if (user === undefined || user === 'elsewhere') {
      if (user === 'elsewhere') ctx.state.auditCode = 'auth.network';
      guard.loginRefused(credentials, traceOf(ctx));
      throw new RequestError(
        401,
        { code: 'auth.invalid', message: 'The credentials are rejected' },
        challenge,
      );
    }
    ctx.state.user = user;
    await next();
  };
}

function credentialsOf(ctx: ApiContext): Credentials {
  const [, encoded] = /^Basic\s+([A-Za-z0-9+/_-]+=*)\s*$/i.exec(ctx.get('authorization')) ?? [];
  const decoded = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  if (colon < 1 || ctx.state.tenant === undefined) {
    throw new RequestError(
      401,
      { code: 'auth.required', message: 'The call needs Basic credentials' },
      challenge,
    );
  }
  return {
    tenantId: ctx.state.tenant.id,
    username: decoded.slice(0, colon),
    password: decoded.slice(colon + 1),
  };
}

export async function requireRole(ctx: ApiContext, next: Next): Promise<void> {
  if (ctx.state.user?.roles.includes(API_ROLE) !== true) {
    throw new RequestError(403, {
      code: 'auth.role',
      message: `The user does not hold the role ${API_ROLE}`,
    });
  }
  await next();
}

type Middleware = (ctx: ApiContext, next: Next) => Promise<void>;

/** Applies to addresses that ask for these credentials only. */
export function where(credentials: Route['credentials'], apply: Middleware): Middleware {
  return async (ctx, next) => {
    await (ctx.state.address?.credentials === credentials ? apply(ctx, next) : next());
  };
}

/** Throws 403 if a user may make none of the calls. Routes for no user need no right. */
export function refuseWithoutRight(
  user: User | undefined,
  routes: readonly Pick<Route, 'right'>[],
): void {
  const granted = user?.granted ?? [];
  const needed: NeededRight[] = [];
  for (const { right } of routes) {
    if (right === null || granted.includes(right)) return;
    needed.push(right);
  }
  throw new RequestError(403, { code: 'auth.role', message: whyRefused(needed, granted) });
}

/** Counts the requests of users that may send only so many a minute. */
export function requestLimit(limits: RequestLimits): Middleware {
  return async (ctx, next) => {
    const { tenant, user } = ctx.state;
    const max = user?.requestsPerMinute ?? null;
    if (max !== null && tenant !== undefined && user !== undefined) {
      const waitSeconds = await limits.take({ tenantId: tenant.id, userId: user.id, max });
      if (waitSeconds > 0) throw tooManyRequests(waitSeconds);
    }
    await next();
  };
}

/* Checks unknown ids: those of another tenant count against the caller. */

export function foreignIds(guard: Guard): Middleware {
  const look = async (ctx: ApiContext, missed: readonly MissedId[]): Promise<void> => {
    const { tenant, user } = ctx.state;
    if (tenant === undefined || user === undefined || missed.length === 0) return;
    const caller = { tenantId: tenant.id, userId: user.id, username: user.username };
    await guard.missed(caller, missed, traceOf(ctx)).catch((error: unknown) => {
      // The outcome of the call itself is known: the id was unknown, and nothing changed.
      throw error instanceof OutcomeUnknownError
        ? new UnavailableError('an attempt was not counted', { cause: error })
        : error;
    });
  };
  return async (ctx, next) => {
    ctx.state.missed = [];
    try {
      await next();
    } catch (error) {
      // Count before the answer, which is the same either way, so that the next call sees the
      // count. A call counts once, however many ids of another tenant it names.
      await look(ctx, missedBy(error));
      throw error;
    }
    await look(ctx, ctx.state.missed);
  };
}
