/** The notices of dates that lie ahead: their kinds, and how many days before the date each comes. */
import type { EventType } from './events.ts';

/**
 * Each kind is a due thing, an event and a kind of mail.
 *
 * @example noticeKinds.includes('renewalNotice') // true
 */
export const noticeKinds = ['trialEnding', 'renewalNotice', 'priceChange', 'cardExpiring'] as const;
export type NoticeKind = (typeof noticeKinds)[number];

/**
 * The event of each kind.
 *
 * @example noticeEvents.cardExpiring // 'customer.cardExpiring'
 */
export const noticeEvents = {
  trialEnding: 'order.trialEnding',
  renewalNotice: 'order.renewalNotice',
  priceChange: 'order.priceChange',
  cardExpiring: 'customer.cardExpiring',
} as const satisfies Readonly<Record<NoticeKind, EventType>>;

export const NOTICE_DAYS_MAX = 90;

/**
 * The days before its date at which a notice comes, where neither the tenant nor the plan says
 * otherwise; 0: never.
 *
 * @example noticeDaysUsual.renewalNoticeDays // 0
 */
export const noticeDaysUsual = {
  trialEndingDays: 3,
  renewalNoticeDays: 0,
  priceChangeDays: 30,
} as const;
