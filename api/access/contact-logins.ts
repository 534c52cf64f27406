/**
 * Checks user names and passwords of contacts, who log in to hosted self-service. They are limited
 * as users of the interface are, but apart from them: a name may belong to both.
 */
import { createHash } from 'node:crypto';
import { isSameSecret } from '../../providers/vault.ts';
import { inTenant } from '../../db/connection/tenancy.ts';
import { hashPassword, verifyPassword } from '../../operations/access/passwords.ts';
import { passwordContext } from '../../operations/imports/passwords.ts';
import { wallFor } from '../../domain/self-service/session.ts';
import {
  type Guesser,
  noteRight,
  noteWrong,
  readGuesses,
} from '../../operations/self-service/guesses.ts';
import { findContactLogin, passwordMark } from '../../operations/self-service/login.ts';
import type { RouteDependencies } from '../calls/services.ts';
import {
  type Credentials,
  type StoredUser,
  type User,
  createCredentialCheck,
  createLogins,
  tooManyAttempts,
} from './credentials.ts';
import { guesserOf } from './guesser.ts';
import { createLoginLimits } from './login-limits.ts';
import { isAlone, sharedAttempts } from '../../operations/access/shared-attempts.ts';

type Needed = Pick<RouteDependencies, 'db' | 'realNow' | 'hashCost' | 'vault' | 'fingerprintKey'>;

/** An imported password that waits to be hashed, in place of its hash. */
const SEALED = 'sealed ';

export interface ContactLogins {
  /** Undefined for a wrong password; throws LinkNeeded, or auth.tooManyAttempts. */
  readonly login: (credentials: Credentials, address: string) => Promise<User | undefined>;
}

export function createContactLogins(dependencies: Needed): ContactLogins {
  const { db, realNow, hashCost, vault, fingerprintKey } = dependencies;
  const clock = (): number => performance.now();

  async function findUser(tenantId: number, username: string): Promise<StoredUser | undefined> {
    const contact = await inTenant(db, tenantId, (tx) => findContactLogin(tx, username), {
      readOnly: true,
      single: true,
    });
    const stored = contact?.sealed ?? contact?.passwordHash ?? null;
    if (contact === undefined || stored === null) return undefined;
    const { contactId: id, sealed } = contact;
    const passwordHash = sealed === null ? stored : `${SEALED}${tenantId} ${id} ${sealed}`;
    const mark = passwordMark(contact);
    const none = { roles: [], granted: [], requestsPerMinute: null, isBarred: false };
    return { id, username, ...none, passwordHash, mark };
  }

  async function compare(password: string, stored: string): Promise<boolean> {
    if (!stored.startsWith(SEALED)) return verifyPassword(password, stored);
    // The work is that of every other comparison, so that its time tells nothing.
    await hashPassword(password, hashCost);
    const [tenantId, contactId, sealed = ''] = stored.slice(SEALED.length).split(' ');
    const context = passwordContext(Number(tenantId), Number(contactId));
    const own = opened(vault, sealed, context);
    return own !== null && isSameSecret(password, own);
  }

  // A password that was changed a moment ago must not let anybody in, and the new one must.
  const check = {
    ...createCredentialCheck({ clock, hashCost, findUser, compare, userMs: 0 }),
    // A contact logs in from everywhere, which needs no look at its row.
    isElsewhere: () => Promise.resolve(false),
  };
  const shared = sharedAttempts(db, 'contacts');
  const logins = createLogins({ check, limits: createLoginLimits(clock, shared) });

  /** Throws LinkNeeded, or auth.tooManyAttempts. */
  async function passWall(tenantId: number, guesser: Guesser): Promise<void> {
    const guesses = await inTenant(db, tenantId, (tx) => readGuesses(tx, guesser), {
      readOnly: true,
      single: true,
    });
    const wall = wallFor(guesses);
    if (wall === 'link') throw new LinkNeeded();
    if (wall === 'none') return;
    const key = createHash('sha256').update(`slow ${tenantId} ${guesser.nameKey}`).digest();
    const [counted] = await shared.begin({ tenantId, keys: [key] });
    if (counted !== undefined && !isAlone(counted)) throw tooManyAttempts(counted.secondsLeft);
  }

  return {
    async login(credentials, address) {
      const { tenantId } = credentials;
      const guesser = guesserOf({ fingerprintKey }, credentials, address);
      if (!check.isKnownGood(credentials)) await passWall(tenantId, guesser);
      const login = await logins.login(credentials, address);
      const user = login === 'elsewhere' ? undefined : login;
      const at = new Date(realNow());
      await inTenant(db, tenantId, async (tx) =>
        user === undefined
          ? noteWrong(tx, guesser, at)
          : noteRight(tx, { ...guesser, contactId: user.id, at }),
      );
      return user;
    },
  };
}

/** One that cannot be opened is no password; the job that would hash it alerts people. */
function opened(vault: Needed['vault'], sealed: string, context: string): string | null {
  try {
    return vault.open(sealed, context);
  } catch {
    return null;
  }
}

/** Too many wrong passwords in a row: from this network only a mailed link leads on. */
export class LinkNeeded extends Error {}
