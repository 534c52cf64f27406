/** How long a link pays its invoice; all instants are real time. */
import type { InvoiceStatus } from '../invoices/happened.ts';

const DAY_MS = 24 * 3_600_000;
const DAYS = 90;
/** For so long an old link is over, and not unknown. */
const KEPT_DAYS_AFTER_END = 30;

/**
 * The end of a link that is made now.
 *
 * @example payLinkEnd(new Date('2027-01-15T15:00:00Z')) // 2027-04-15T15:00:00Z
 */
export const payLinkEnd = (madeAt: Date): Date => new Date(madeAt.getTime() + DAYS * DAY_MS);

/**
 * The row of a link that ended earlier can go.
 *
 * @example payLinksGoneBefore(new Date('2027-05-15T15:00:00Z')) // 2027-04-15T15:00:00Z
 */
export const payLinksGoneBefore = (now: Date): Date =>
  new Date(now.getTime() - KEPT_DAYS_AFTER_END * DAY_MS);

/**
 * Whether new links lead to an invoice of that status: a cancelled one is paid by nobody, nor one that
 * was carried over.
 *
 * @example hasPayLinks('Paid') // true
 */
export const hasPayLinks = (status: InvoiceStatus): boolean =>
  status !== 'Cancelled' && status !== 'CarriedOver';

/**
 * Whether a link that was made before still shows its invoice. The document of one that was carried over
 * stands, and says where its amount has gone.
 *
 * @example showsPayLink('CarriedOver') // true
 */
export const showsPayLink = (status: InvoiceStatus): boolean => status !== 'Cancelled';
