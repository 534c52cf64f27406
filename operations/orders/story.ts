/** Describes what has happened to an order since its workflow last looked. */
import type { IsoDate } from '../../domain/model.ts';
import { formatAmount } from '../../domain/money/money.ts';
import type { WokenOrder } from '../../db/queries/orders/wake.ts';
import type { NextStep, SeenOrder } from '../../workflows/contract.ts';

export interface OrderStory {
  readonly happened: readonly string[];
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
  const { status, held_code: heldCode, made } = order;
  const line = Math.max(before?.line ?? 0, ...made.map((each) => each.line));
  const seen = { line, status, heldCode, next: next && `${next.what} on ${next.on}` };
  const invoices = made.map(
    ({ number, date, amount, currency }) =>
      `${date}: invoice ${number}, ${formatAmount(currency, amount)} ${currency}`,
  );
  if (!before) return { happened: [`${today}: is ${status}`, ...invoices], seen };
  const happened: string[] = [];
  if (before.status !== status) happened.push(`${today}: is ${status}, was ${before.status}`);
  happened.push(...invoices);
  if (heldCode !== null && before.heldCode !== heldCode) {
    happened.push(`${today}: the customer is held from billing: ${heldCode}`);
  }
  if (heldCode === null && before.heldCode !== null) {
    happened.push(`${today}: the customer is billed again`);
  }
  if (happened.length === 0 && before.next !== seen.next) {
    happened.push(
      `${today}: ${seen.next ?? 'nothing in sight'}, before: ${before.next ?? 'nothing'}`,
    );
  }
  return { happened, seen };
}
