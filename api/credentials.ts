/**
 * Checks Basic credentials: argon2id at most once a minute for each credential, users read again
 * every few seconds, so that a disabled user is out soon and a busy client costs no hashing.
 */
import { hash as digest, randomBytes } from 'node:crypto';
import { hashPassword, verifyPassword } from '../operations/passwords.ts';
import type { HashCost } from '../operations/passwords.ts';
import type { User } from './context.ts';

export interface StoredUser extends User {
  readonly passwordHash: string;
  /** Disabled by the tenant file or suspended for its attempts. */
  readonly isBarred: boolean;
}

export interface CredentialStore {
  readonly findUser: (tenantId: number, username: string) => Promise<StoredUser | undefined>;
  /** Milliseconds on a clock that only goes forwards. */
  readonly clock: () => number;
  /** What looking for a user that does not exist costs, so that it takes as long as one that does. */
  readonly hashCost: HashCost;
}

export interface Credentials {
  readonly tenantId: number;
  readonly username: string;
  readonly password: string;
}

export interface CredentialCheck {
  /** The user, or undefined; whether a password was really compared shows in `wasHashed`. */
  readonly verify: (credentials: Credentials) => Promise<User | undefined>;
  /** Whether they are a user's of that tenant, also of one that is barred. */
  readonly belongs: (credentials: Credentials) => Promise<boolean>;
  /** True while the answer is known without hashing. */
  readonly isKnownGood: (credentials: Credentials) => boolean;
  /** Has the user read again at its next call: it was suspended. */
  readonly forget: (user: Pick<Credentials, 'tenantId' | 'username'>) => void;
}

const VERIFIED_MS = 60_000;
const USER_MS = 5_000;
const ENTRIES_MAX = 10_000;

interface Timed<T> {
  readonly value: T;
  readonly until: number;
}

/** A bounded map whose entries expire; the oldest go first. */
class Cache<T> {
  readonly #entries = new Map<string, Timed<T>>();
  readonly #clock: () => number;

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  get(key: string): T | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (entry.until > this.#clock()) return entry.value;
    this.#entries.delete(key);
    return undefined;
  }

  set(key: string, value: T, forMs: number): void {
    this.#entries.delete(key);
    const oldest =
      this.#entries.size >= ENTRIES_MAX ? this.#entries.keys().next().value : undefined;
    if (oldest !== undefined) this.#entries.delete(oldest);
    this.#entries.set(key, { value, until: this.#clock() + forMs });
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }
}

export function createCredentialCheck(store: CredentialStore): CredentialCheck {
  const users = new Cache<Promise<StoredUser | undefined>>(store.clock);
  /** For a credential's fingerprint and the hash it was compared with: whether they matched. */
  const verdicts = new Cache<Promise<boolean>>(store.clock);
  const known = new Cache<true>(store.clock);
  const key = randomBytes(32).toString('base64');
  const nobody = hashPassword(randomBytes(16).toString('hex'), store.hashCost);

  const userKey = ({ tenantId, username }: Pick<Credentials, 'tenantId' | 'username'>) =>
    `${tenantId} ${username}`;
  const userOf = (credentials: Credentials): Promise<StoredUser | undefined> =>
    remember(users, userKey(credentials), USER_MS, () =>
      store.findUser(credentials.tenantId, credentials.username),
    );

  /** The user of that name with that password, barred or not. */
  const ownerOf = async (credentials: Credentials, print: string) => {
    const user = await userOf(credentials);
    const hash = user?.passwordHash ?? (await nobody);
    const matches = await remember(verdicts, `${print} ${hash}`, VERIFIED_MS, () =>
      verifyPassword(credentials.password, hash),
    );
    return matches ? user : undefined;
  };

  return {
    async verify(credentials) {
      const print = fingerprint(key, credentials);
      const user = await ownerOf(credentials, print);
      if (user === undefined || user.isBarred) {
        known.delete(print);
        return undefined;
      }
      known.set(print, true, VERIFIED_MS);
      return { id: user.id, username: user.username, roles: user.roles };
    },
    async belongs(credentials) {
      return (await ownerOf(credentials, fingerprint(key, credentials))) !== undefined;
    },
    isKnownGood: (credentials) => known.get(fingerprint(key, credentials)) === true,
    forget: (user) => users.delete(userKey(user)),
  };
}

/** Shares one answer among those who ask at once; a failure is forgotten, so the next asks again. */
function remember<T>(
  cache: Cache<Promise<T>>,
  key: string,
  forMs: number,
  ask: () => Promise<T>,
): Promise<T> {
  const cached = cache.get(key);
  if (cached !== undefined) return cached;
  const asked = ask();
  cache.set(key, asked, forMs);
  asked.catch(() => cache.delete(key));
  return asked;
}

/** Names a credential in memory without keeping it; worthless outside of this process. */
function fingerprint(key: string, { tenantId, username, password }: Credentials): string {
  return digest('sha256', JSON.stringify([key, tenantId, username, password]), 'base64');
}
