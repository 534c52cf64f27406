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
