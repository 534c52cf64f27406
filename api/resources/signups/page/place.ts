/** What the page of a sign-up shows, by its row and the time. */
import { STORING_SECONDS_MAX, openTries } from '../../../../domain/signups/signup.ts';
import type { SignupRow } from '../../../../operations/signups/signup-row.ts';
import { asciiAddress } from '../../../pages/redirect.ts';

export type Place =
  /** It takes forms. */
  | { readonly is: 'open' }
  | { readonly is: 'working' }
  /** A mail is under way whose page has the button. */
  | { readonly is: 'mailed' }
  /** It has ended, and whoever waits for that is led on. */
  | { readonly is: 'led'; readonly to: string }
  /** The link has ended. */
  | { readonly is: 'gone'; readonly to: string };

/** Whoever waits for a try sees its end, also if the link ends meanwhile. */
const LED_MINUTES_AFTER_END = 10;
const MINUTE_MS = 60_000;

export function placeOf(row: SignupRow, now: Date): Place {
  const { status, lastTry, expiresAt, cancelReason } = row;
  const to = endOf(row);
  if (status !== 'DRAFT') return { is: now < ledUntil(row) ? 'led' : 'gone', to };
  if (lastTry?.status === 'confirming') return { is: 'mailed' };
  if (lastTry !== null && openTries.includes(lastTry.status) && !isLost(lastTry, now)) {
    return { is: 'working' };
  }
  return now < expiresAt && cancelReason === null ? { is: 'open' } : { is: 'gone', to };
}

/** Where it leads, or would lead if it ended now. */
export function endOf({ status, tracking, successUrl, failUrl }: SignupRow): string {
  return withTracking(status === 'PROCESSED' ? successUrl : failUrl, tracking);
}

/** Whoever comes from the mail learns of the end for a while. */
export function isLedOn({ endedAt }: SignupRow, now: Date): boolean {
  return endedAt !== null && now.getTime() < endedAt.getTime() + LED_MINUTES_AFTER_END * MINUTE_MS;
}

function ledUntil({ expiresAt, endedAt, lastTry }: SignupRow): Date {
  const wasUnderWay =
    lastTry?.endedAt != null && lastTry.createdAt < expiresAt && lastTry.endedAt >= expiresAt;
  if (!wasUnderWay || endedAt === null) return expiresAt;
  return new Date(endedAt.getTime() + LED_MINUTES_AFTER_END * MINUTE_MS);
}

/** The process that took its card to the vault is gone. */
function isLost({ status, createdAt }: Pick<Try, 'status' | 'createdAt'>, now: Date): boolean {
  const age = now.getTime() - createdAt.getTime();
  return status === 'storing' && age > STORING_SECONDS_MAX * 1_000;
}

type Try = NonNullable<SignupRow['lastTry']>;

/* Where a sign-up leads at its end: the tenant's address with the tracking of the signup. */

/**
 * Adds the parameter before the fragment; the rest of the address stays as the tenant wrote it.
 *
 * @example withTracking('https://a.example/ok?p=1#top', 'Zk3Pq')
 *   // 'https://a.example/ok?p=1&tracking=Zk3Pq#top'
 */
export function withTracking(address: string, tracking: string): string {
  const at = address.indexOf('#');
  const [front, fragment] = at < 0 ? [address, ''] : [address.slice(0, at), address.slice(at)];
  const parameter = `tracking=${encodeURIComponent(tracking)}`;
  if (!front.includes('?')) return asciiAddress(`${front}?${parameter}${fragment}`);
  const link = /[?&]$/.test(front) ? '' : '&';
  return asciiAddress(`${front}${link}${parameter}${fragment}`);
}
