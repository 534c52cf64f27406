/** What users of the interface may call: their rights add up. */

/** What the tenant file may grant; a user without rights makes all calls but those of admins. */
export const userRights = ['read', 'finance', 'admin'] as const;
export type UserRight = (typeof userRights)[number];

/** What a call needs. Nothing grants `write` by its name: only users without rights have it. */
export type NeededRight = UserRight | 'write';

/** Also the order in which documents list them. */
export const neededRights = ['read', 'finance', 'write', 'admin'] as const satisfies NeededRight[];

const granted: Readonly<Record<UserRight, readonly NeededRight[]>> = {
  read: ['read'],
  finance: ['read', 'finance'],
  admin: ['admin'],
};

const withoutRights: readonly NeededRight[] = ['read', 'finance', 'write'];

/**
 * A user may make the calls that need one of these.
 *
 * @param rights null: the tenant file names none
 * @example grantedBy(['finance']) // ['read', 'finance']
 * @example grantedBy(null) // ['read', 'finance', 'write']
 */
export const grantedBy = (rights: readonly UserRight[] | null): readonly NeededRight[] =>
  rights === null ? withoutRights : rights.flatMap((right) => granted[right]);

/**
 * Who may make a call that needs a right, in Markdown.
 *
 * @example callersOf.admin // 'users with the right `admin`'
 */
export const callersOf: Readonly<Record<NeededRight, string>> = {
  read: 'users with the right `read` or `finance`, or without `rights` in the tenant file',
  finance: 'users with the right `finance`, or without `rights` in the tenant file',
  write: 'users without `rights` in the tenant file',
  admin: 'users with the right `admin`',
};

/**
 * Why a user may make none of the calls at an address.
 *
 * @param needed by the calls
 * @param has what its rights grant
 * @example whyRefused(['admin'], ['read']) // 'Only users with the right admin may make this call; the user has read'
 */
export function whyRefused(needed: readonly NeededRight[], has: readonly NeededRight[]): string {
  // Whoever may make the calls of a right may make those of the rights before it, but for admins.
  const widest = neededRights.find((right) => needed.includes(right));
  const admins = needed.includes('admin') ? (['admin'] as const) : [];
  const callers = [...new Set([...(widest === undefined ? [] : [widest]), ...admins])].map(
    (right) => callersOf[right].replaceAll('`', ''),
  );
  const own = has.includes('write') ? [] : userRights.filter((right) => has.includes(right));
  const rights = own.length === 0 ? 'none' : own.join(', ');
  return `Only ${callers.join(', or ')} may make this call; the user has ${rights}`;
}

export const userStatuses = ['Active', 'Expired', 'Suspended', 'Disabled'] as const;
export type UserStatus = (typeof userStatuses)[number];

/**
 * What keeps a user out; the first reason that lasts: only the tenant file enables a disabled user.
 *
 * @example statusOfUser({ isDisabled: false, isSuspended: true, isExpired: true }) // 'Suspended'
 */
export function statusOfUser(user: {
  readonly isDisabled: boolean;
  readonly isSuspended: boolean;
  readonly isExpired: boolean;
}): UserStatus {
  if (user.isDisabled) return 'Disabled';
  if (user.isSuspended) return 'Suspended';
  return user.isExpired ? 'Expired' : 'Active';
}
