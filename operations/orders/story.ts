/** Describes what has happened to an order since its workflow last looked. */
import type { ShownAgents, ShownCommission, ShownLink } from '../../db/queries/commissions/rows.ts';
import type { MadeInvoice, WokenOrder, WokenCoupon } from '../../db/queries/orders/wake.ts';
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import { lastDiscountedDay } from '../../domain/discounts/uses.ts';
import { formatAmount } from '../../domain/money/money.ts';
import type { NextStep, SeenOrder } from '../../workflows/contract/contract.ts';
import {
  changeFact,
  changesOf,
  elsewhereFact,
  endFact,
  heldText,
  invoiceText,
  isText,
  pauseFacts,
  pricesFact,
  trialFact,
  usageText,
} from './words.ts';

export interface OrderStory {
  readonly happened: readonly string[];
  /**
   * Its trial, what it replaces, what replaces it, what is billed elsewhere and when it ends by request,
   * if there is any: `replaces order 1042 since ..`
   */
  readonly changes?: readonly string[];
  /** Its sales agents, if it has any: `agent AGENT-1 by STD since 2027-01-15` */
  readonly agents?: readonly string[];
  readonly seen: SeenOrder;
}

export interface StoryBasis {
  readonly today: IsoDate;
  readonly next: Pick<NextStep, 'what' | 'on'> | null;
  /** The state that the previous wake saw; undefined at the first wake. */
  readonly before: SeenOrder | undefined;
}

/** Each sentence begins with its day. The first wake names the newest invoices. */
export function storyOf(order: WokenOrder, { today, next, before }: StoryBasis): OrderStory {
  const { status, heldCode, made, agents } = order;
  const line = Math.max(before?.line ?? 0, ...made.map((each) => each.line));
  const changes = [
    trialFact(order, today),
    ...changesOf(order).map(changeFact),
    elsewhereFact(order),
    endFact(order),
    ...pauseFacts(order),
    pricesFact(order),
  ].filter((fact) => fact !== null);
  // Histories keep what a wake returns, so most orders get by without the element.
  const changed = changes.length === 0 ? {} : { changes };
  const told = agents === null ? changed : { ...changed, agents: agents.links.map(agentFact) };
  const earned = lastEarned(agents, before?.earned);
  const seen = {
    line,
    status,
    heldCode,
    next: next && `${next.what} on ${next.on}`,
    ...changed,
    ...(earned === undefined ? {} : { earned }),
  };
  const invoices = [...made.flatMap(invoiceEntries), ...(agents?.earned ?? []).map(earnedText)];
  if (!before) return { happened: [`${today}: ${isText(status)}`, ...invoices], ...told, seen };
  const happened: string[] = [];
  if (before.status !== status) happened.push(`${today}: ${isText(status, before.status)}`);
  const news = changes.filter((each) => !before.changes?.includes(each));
  happened.push(...news.map((each) => `${today}: ${each}`));
  happened.push(...invoices);
  if (heldCode !== null && before.heldCode !== heldCode) {
    happened.push(`${today}: ${heldText(heldCode)}`);
  }
  if (heldCode === null && before.heldCode !== null) {
    happened.push(`${today}: the customer is billed again`);
  }
  if (happened.length === 0 && before.next !== seen.next) {
    happened.push(
      `${today}: ${seen.next ?? 'nothing in sight'}, before: ${before.next ?? 'nothing'}`,
    );
  }
  return { happened, ...told, seen };
}

/** The usage on it, then the invoice. */
function invoiceEntries(invoice: MadeInvoice): string[] {
  const { number, date, currency, usage } = invoice;
  const texts = [...usage.map((each) => usageText(number, each, currency)), invoiceText(invoice)];
  return texts.map((text) => `${date}: ${text}`);
}

/* Says for the Web UI which agents an order has, and what they have earned: codes and amounts only. */

/** @example agentFact(ada) // 'agent AGENT-1 by STD since 2027-01-15, STD-SIGN on 2027-02-15' */
function agentFact({ agent, plan, since, due }: ShownLink): string {
  const dates = due.map(({ code, on }) => `, ${code} on ${on}`);
  return `agent ${agent} by ${plan} since ${since}${dates.join('')}`;
}

/** @example earnedText(row) // '2027-02-01: invoice 1001 paid: 2.70 to AGENT-1' */
function earnedText(row: ShownCommission): string {
  const { on, agent, currency } = row;
  return `${on}: ${why(row)}: ${formatAmount(currency, row.amount)} to ${agent}`;
}

function why({ invoice, isReversal, code }: ShownCommission): string {
  if (invoice === null) return `${code} due`;
  return isReversal ? `taken back of invoice ${invoice}` : `invoice ${invoice} paid`;
}

/** The newest commission that a wake has seen; undefined if it has seen none. */
function lastEarned(agents: ShownAgents | null, before: number | undefined): number | undefined {
  return agents?.earned.at(-1)?.id ?? before;
}

/* Says for the Web UI how far the coupon of an order is used. */

/** @example couponFact(welcome) // 'coupon WELCOME10: 2 of 3 periods, to 2027-04-14' */
export function couponFact(coupon: WokenCoupon): string {
  const { code, isOnce, periods, used } = coupon;
  if (isOnce) return `coupon ${code}: once, ${used === null ? 'not used yet' : 'used'}`;
  if (periods === null) return `coupon ${code}: for ever`;
  const counted = `${used ?? 0} of ${periods} period${periods === 1 ? '' : 's'}`;
  return `coupon ${code}: ${counted}, to ${couponEnd(coupon)}`;
}

/** The last day of its last period; null if it counts no periods. */
export function couponEnd(coupon: WokenCoupon): IsoDate | null {
  return lastDiscountedDay(coupon, coupon, coupon.firstPeriod);
}
