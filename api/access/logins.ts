/**
 * Decides whether a caller may log in. It counts attempts before any hashing, and treats
 * simultaneous equal guesses as one. A recently valid credential neither waits nor is refused for
 * others' guesses. Attempts after the first of a network share one slow lane for all tenants, so
 * all guesses together use only a part of a core, and first attempts overtake them.
 */
import type { CredentialCheck, Credentials, User } from './credentials.ts';
import { RequestError } from '../calls/errors.ts';
import { networkOf, type LoginLimits } from './login-limits.ts';

export interface Logins {
  /** Undefined for a wrong password; throws auth.tooManyAttempts. */
  readonly login: (credentials: Credentials, address: string) => Promise<User | undefined>;
}

export interface LoginsOptions {
  readonly check: CredentialCheck;
  readonly limits: LoginLimits;
}

export function createLogins({ check, limits }: LoginsOptions): Logins {
  const underWay = new Map<string, Promise<User | undefined>>();

  async function attempt(credentials: Credentials, address: string): Promise<User | undefined> {
    const reserved = await limits.reserve({ ...credentials, address });
    if ('waitSeconds' in reserved) throw tooManyAttempts(reserved.waitSeconds);
    const party = networkOf(address);
    const lane = reserved.isFirst
      ? { lane: String(credentials.tenantId), party }
      : { lane: 'not the first', party, isSlowed: true };
    try {
      const user = await check.verify(credentials, lane);
      await reserved.end(user === undefined);
      return user;
    } catch (error) {
      // No password was compared.
      await reserved.end(false);
      throw error;
    }
  }

  return {
    login(credentials, address) {
      if (check.isKnownGood(credentials)) {
        // A separate lane, so that it does not wait behind guesses at the same tenant.
        return check.verify(credentials, { lane: `${credentials.tenantId} known` });
      }
      const key = `${check.printOf(credentials)} ${networkOf(address)}`;
      let trying = underWay.get(key);
      if (trying === undefined) {
        trying = attempt(credentials, address).finally(() => underWay.delete(key));
        underWay.set(key, trying);
      }
      return trying;
    },
  };
}

export function tooManyAttempts(waitSeconds: number): RequestError {
  return new RequestError(
    429,
    { code: 'auth.tooManyAttempts', message: `Too many wrong passwords; wait ${waitSeconds} s` },
    { 'Retry-After': String(waitSeconds) },
  );
}
