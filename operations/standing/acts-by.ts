/** When an order in memory acts: what PostgreSQL decides for stored ones. */
import { nextActionOn } from '../../domain/billing/dates.ts';
import type { IsoDate } from '../../domain/calendar/date.ts';
import type { RatedOrder } from '../../db/queries/billing/load.ts';

export interface ActingBy {
  readonly by: IsoDate;
  /** Also what is due but waits for the next day's run. */
  readonly atOnce: boolean;
}

/** @see loadDueOrders */
export function actsBy(row: RatedOrder, { by, atOnce }: ActingBy): boolean {
  const days = [actsOn(row), atOnce ? row.nextBillableDate : null];
  return days.some((day) => day !== null && day <= by);
}

/** The day that the row's generated column would have. */
export function actsOn({ billOn, transitionOn }: RatedOrder): IsoDate | null {
  return nextActionOn({ billOn, transitionOn });
}
