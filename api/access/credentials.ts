/**
 * Checks Basic credentials. It runs argon2id at most once a minute for each credential and reads
 * users again every second, so a busy client costs no hashing, and the users of a file hold when it
 * is applied.
 */
import { hash as digest, randomBytes } from 'node:crypto';
import { type Turns, restFor } from '../../db/connection/turns.ts';
import { hashTurns } from '../../operations/access/hash-turns.ts';
import {
  type HashCost,
  type Match,
  hashPassword,
  matchPassword,
} from '../../operations/access/passwords.ts';
import type { NeededRight } from '../../domain/access/rights.ts';
import { isWithin } from '../../operations/access/networks.ts';
import {
  type Kept,
  createTimedCache,
  remember,
  REMEMBERED_MS,
} from '../../operations/context/timed-cache.ts';
import { RequestError } from '../calls/errors.ts';
import { type LoginLimits, networkOf } from './login-limits.ts';

export interface StoredUser extends User {
  readonly passwordHash: string;
  /** Of the password before, as long as it holds: `hashBeside` of the password's. */
  readonly oldPasswordHash?: string | null;
  /** Disabled by the tenant file, suspended, or expired. */
  readonly isBarred: boolean;
  /** Without any it may log in from everywhere. */
  readonly allowedNetworks?: readonly string[] | null;
}

export interface CredentialStore {
  readonly findUser: (tenantId: number, username: string) => Promise<StoredUser | undefined>;
  /** A monotonic clock in milliseconds. */
  readonly clock: () => number;
  /** The hashing cost for an unknown user, so that it takes as long as for a known one. */
  readonly hashCost: HashCost;
  /** The turns for hashing; the process's own by default. */
  readonly turns?: Turns;
  readonly compare?: (password: string, hash: string, oldHash: string | null) => Promise<Match>;
  /** Called when a password before was compared: once a minute at most. */
  readonly noteOldPassword?: (tenantId: number, userId: number) => Promise<void>;
  readonly sleep?: (ms: number) => Promise<void>;
  /** How long a user that was read is not read again; as what else a file says by default. */
  readonly userMs?: number;
}

/** The lane in which a comparison waits for its turn at hashing. */
export interface HashLane {
  readonly lane: string;
  readonly party?: string;
  /** After a wrong password the lane stays occupied for a while. */
  readonly isSlowed?: boolean;
}

export interface Credentials {
  readonly tenantId: number;
  readonly username: string;
  readonly password: string;
}

export interface CredentialCheck {
  /** The user, or undefined. */
  readonly verify: (credentials: Credentials, lane: HashLane) => Promise<User | undefined>;
  /** Whether the user has networks, and the address is in none of them. */
  readonly isElsewhere: (credentials: Credentials, address: string) => Promise<boolean>;
  /**
   * Whether they belong to a user of that tenant, even a barred one.
   *
   * @param apart what has verdicts of its own
   */
  readonly belongs: (credentials: Credentials, lane: HashLane, apart?: string) => Promise<boolean>;
  /** Whether they were valid within the last hour, and have not failed since. */
  readonly isKnownGood: (credentials: Credentials) => boolean;
  /** A fingerprint that identifies them in memory without storing them. */
  readonly printOf: (credentials: Credentials) => string;
  /** Makes the next call read the user again, after it was suspended. */
  readonly forget: (user: Pick<Credentials, 'tenantId' | 'username'>) => void;
}

const VERIFIED_MS = 60_000;
/** How long a valid credential is exempt from limits that the guesses of others reach. */
const KNOWN_MS = 60 * 60_000;
/** After a wrong guess its lane pauses this many times as long: guesses use a quarter of a core. */
const REST_AFTER_WRONG = 3;
const ENTRIES_MAX = 10_000;
/** The limit of each of the three caches. */
const BYTES_MAX = 8 * 1_024 * 1_024;

export function createCredentialCheck(store: CredentialStore): CredentialCheck {
  const { clock } = store;
  const known = createTimedCache<string, true>(boundsOf(clock));
  const { userOf, ownerOf, forget } = createOwners(store);
  const key = randomBytes(32).toString('base64');
  const printOf = ({ tenantId, username, password }: Credentials): string =>
    printed([key, tenantId, username, password]);

  return {
    printOf,
    async verify(credentials, lane) {
      const print = printOf(credentials);
      const user = await ownerOf(credentials, print, lane, { isLogin: true });
      if (user === undefined || user.isBarred) {
        known.delete(print);
        return undefined;
      }
      known.set(print, true, { forMs: KNOWN_MS });
      const { id, username, roles, granted, requestsPerMinute, mark } = user;
      return {
        id,
        username,
        roles,
        granted,
        requestsPerMinute,
        ...(mark !== undefined && { mark }),
      };
    },
    async isElsewhere(credentials, address) {
      const networks = (await userOf(credentials))?.allowedNetworks ?? null;
      return networks !== null && !isWithin(networks, address);
    },
    async belongs(credentials, lane, apart) {
      const owner = await ownerOf(credentials, printOf(credentials), lane, { apart });
      return owner !== undefined;
    },
    isKnownGood: (credentials) => known.get(printOf(credentials)) === true,
    forget,
  };
}

const boundsOf = (clock: () => number) =>
  ({ clock, entriesMax: ENTRIES_MAX, bytesMax: BYTES_MAX }) as const;

/** Reads users and compares passwords, and keeps both for a while. */
function createOwners(store: CredentialStore) {
  const { clock, turns = hashTurns, compare = matchPassword, sleep = restFor } = store;
  const { userMs = REMEMBERED_MS, noteOldPassword } = store;
  const users = createTimedCache<string, Promise<StoredUser | undefined>>(boundsOf(clock));
  /** Whether a credential matched a hash, by the fingerprint of both. */
  const verdicts = createTimedCache<string, Promise<Match>>(boundsOf(clock));
  const nobody = hashPassword(randomBytes(16).toString('hex'), store.hashCost);
  // A fingerprint has one size, however long the name is.
  const userKey = ({ tenantId, username }: Pick<Credentials, 'tenantId' | 'username'>) =>
    printed([tenantId, username]);
  const userOf = (credentials: Credentials): Promise<StoredUser | undefined> =>
    remember(users, userKey(credentials), keptUser(credentials, userMs), () =>
      store.findUser(credentials.tenantId, credentials.username),
    );

  async function compareInTurn(password: string, hashes: Hashes, hashLane: HashLane) {
    const { lane, party, isSlowed = false } = hashLane;
    const leave = await turns.take(lane, party);
    const began = clock();
    let restMs = 0;
    try {
      const match = await compare(password, hashes.hash, hashes.oldHash);
      if (isSlowed && match === false) restMs = (clock() - began) * REST_AFTER_WRONG;
      return match;
    } finally {
      // The caller gets the answer at once; the next guess waits.
      leave(restMs > 0 ? sleep(restMs) : undefined);
    }
  }

  /** The user with that name and password, barred or not. */
  async function ownerOf(
    credentials: Credentials,
    print: string,
    lane: HashLane,
    { apart = '', isLogin = false }: Asking,
  ): Promise<StoredUser | undefined> {
    const user = await userOf(credentials);
    const hash = user?.passwordHash ?? (await nobody);
    const oldHash = user?.oldPasswordHash ?? null;
    const key = `${print} ${hash} ${oldHash ?? ''} ${apart}`;
    const match = await remember(verdicts, key, { forMs: VERIFIED_MS }, async () => {
      const made = await compareInTurn(credentials.password, { hash, oldHash }, lane);
      if (made === 'old' && isLogin && user?.isBarred === false) {
        await noteOldPassword?.(credentials.tenantId, user.id);
      }
      return made;
    });
    return match === false ? undefined : user;
  }

  return {
    userOf,
    ownerOf,
    forget: (user: Pick<Credentials, 'tenantId' | 'username'>) => users.delete(userKey(user)),
  };
}

interface Asking {
  readonly apart?: string | undefined;
  /** It lets somebody in. */
  readonly isLogin?: boolean;
}

interface Hashes {
  readonly hash: string;
  readonly oldHash: string | null;
}

/** The size of a cached user: its name and its hash. */
function keptUser({ username }: Credentials, forMs: number): Kept {
  return { forMs, bytes: 2 * username.length };
}

/** Useless outside this process if only this process knows one of the parts. */
function printed(parts: readonly (string | number)[]): string {
  return digest('sha256', JSON.stringify(parts), 'base64');
}

/** The user of a call, whose credentials were verified. */
export interface User {
  readonly id: number;
  readonly username: string;
  readonly roles: readonly string[];
  /** It may make the calls that need one of these. */
  readonly granted: readonly NeededRight[];
  /** Null: as many as it likes. */
  readonly requestsPerMinute: number | null;
  /** Of the stored password, for whoever checks later that it is still the same. */
  readonly mark?: string;
}

/*
 * Decides whether a caller may log in. It counts attempts before any hashing, and treats
 * simultaneous equal guesses as one. A recently valid credential neither waits nor is refused for
 * others' guesses. Attempts after the first of a network share one slow lane for all tenants, so
 * all guesses together use only a part of a core, and first attempts overtake them.
 */

export interface Logins {
  /** Throws auth.tooManyAttempts. */
  readonly login: (credentials: Credentials, address: string) => Promise<LoggedIn>;
}

/** Undefined for a wrong password; `elsewhere` for a right one from a network that is not allowed. */
export type LoggedIn = User | 'elsewhere' | undefined;

export interface LoginsOptions {
  readonly check: CredentialCheck;
  readonly limits: LoginLimits;
}

export function createLogins({ check, limits }: LoginsOptions): Logins {
  const underWay = new Map<string, Promise<LoggedIn>>();

  async function attempt(
    credentials: Credentials,
    address: string,
    isElsewhere: boolean,
  ): Promise<LoggedIn> {
    const reserved = await limits.reserve({ ...credentials, address });
    if ('waitSeconds' in reserved) throw tooManyAttempts(reserved.waitSeconds);
    const party = networkOf(address);
    const lane = reserved.isFirst
      ? { lane: String(credentials.tenantId), party }
      : { lane: 'not the first', party, isSlowed: true };
    try {
      // Verdicts of its own: no time of an answer tells that a password is in use elsewhere.
      const isOwner = isElsewhere && (await check.belongs(credentials, lane, party));
      const user = isElsewhere ? undefined : await check.verify(credentials, lane);
      await reserved.end(user === undefined);
      return isOwner ? 'elsewhere' : user;
    } catch (error) {
      // No password was compared.
      await reserved.end(false);
      throw error;
    }
  }

  return {
    async login(credentials, address) {
      const isElsewhere = await check.isElsewhere(credentials, address);
      if (!isElsewhere && check.isKnownGood(credentials)) {
        // A separate lane, so that it does not wait behind guesses at the same tenant.
        return check.verify(credentials, { lane: `${credentials.tenantId} known` });
      }
      const key = `${check.printOf(credentials)} ${networkOf(address)}`;
      let trying = underWay.get(key);
      if (trying === undefined) {
        trying = attempt(credentials, address, isElsewhere).finally(() => underWay.delete(key));
        underWay.set(key, trying);
      }
      return trying;
    },
  };
}

/** Of a user that has sent more than its requestsPerMinute. */
export function tooManyRequests(waitSeconds: number): RequestError {
  return new RequestError(
    429,
    { code: 'auth.tooManyRequests', message: `Too many requests; wait ${waitSeconds} s` },
    { 'Retry-After': String(waitSeconds) },
  );
}

export function tooManyAttempts(waitSeconds: number): RequestError {
  return new RequestError(
    429,
    { code: 'auth.tooManyAttempts', message: `Too many wrong passwords; wait ${waitSeconds} s` },
    { 'Retry-After': String(waitSeconds) },
  );
}
