/** Basic credentials → the user, who must hold ROLE_API; wrong passwords are slowed down. */
import { createAttemptLimit } from '../attempts.ts';
import type { ApiContext, Next } from '../context.ts';
import type { CredentialCheck, Credentials } from '../credentials.ts';
import { RequestError } from '../errors.ts';
import { traceOf } from '../guard.ts';
import type { Guard } from '../guard.ts';

export const API_ROLE = 'ROLE_API';
const USER_FAILURES_MAX = 10;
const ADDRESS_FAILURES_MAX = 50;

const challenge = { 'WWW-Authenticate': 'Basic realm="sundial", charset="UTF-8"' };

export function authentication(
  check: CredentialCheck,
  clock: () => number,
  guard: Guard,
): (ctx: ApiContext, next: Next) => Promise<void> {
  const byUser = createAttemptLimit({ failuresMax: USER_FAILURES_MAX, clock });
  const byAddress = createAttemptLimit({ failuresMax: ADDRESS_FAILURES_MAX, clock });
  return async (ctx, next) => {
    const credentials = credentialsOf(ctx);
    ctx.state.login = credentials.username;
    const userKey = JSON.stringify([credentials.tenantId, credentials.username]);
    // A client that is known to be right is not locked out by somebody else's guesses.
    if (!check.isKnownGood(credentials)) {
      refuseWhileLimited(Math.max(byUser.waitSeconds(userKey), byAddress.waitSeconds(ctx.ip)));
    }
    const user = await check.verify(credentials);
    if (user === undefined) {
      byUser.countFailure(userKey);
      byAddress.countFailure(ctx.ip);
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

function refuseWhileLimited(waitSeconds: number): void {
  if (waitSeconds === 0) return;
  throw new RequestError(
    429,
    { code: 'auth.tooManyAttempts', message: `Too many wrong passwords; wait ${waitSeconds} s` },
    { 'Retry-After': String(waitSeconds) },
  );
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
