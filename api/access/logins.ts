/**
 * Lets a caller in, or not: tries are counted before anything is hashed, the same guess at once is
 * one, and a credential that was right lately neither waits nor is refused for others' guesses.
 * What is not the first try of its network shares one slow lane with all of the kind, whichever the
 * tenant: all guesses together take no more than a part of a core, and a first try passes them.
 */
import type { User } from '../http/context.ts';
import type { CredentialCheck, Credentials } from './credentials.ts';
import { RequestError } from '../calls/errors.ts';
import { networkOf } from './login-limits.ts';
import type { LoginLimits } from './login-limits.ts';

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
      // Nothing was compared.
      await reserved.end(false);
      throw error;
    }
  }

  return {
    login(credentials, address) {
      if (check.isKnownGood(credentials)) {
        // A lane of its own: no guess at the same tenant stands before it.
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

function tooManyAttempts(waitSeconds: number): RequestError {
  return new RequestError(
    429,
    { code: 'auth.tooManyAttempts', message: `Too many wrong passwords; wait ${waitSeconds} s` },
    { 'Retry-After': String(waitSeconds) },
  );
}
