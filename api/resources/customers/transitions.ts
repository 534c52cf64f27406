/** Transitions of customers' statuses, in a window of days. */
import { z } from 'zod';
import { addDays } from '../../../domain/calendar/calendar.ts';
import type { IsoDate } from '../../../domain/calendar/date.ts';
import { tenantTimeOf } from '../../../operations/context/context.ts';
import { listTransitions } from '../../../operations/standing/transitions.ts';
import { badRequest } from '../../calls/errors.ts';
import { route } from '../../calls/route.ts';
import type { Route } from '../../calls/route.ts';
import { transitionList } from './transition-schema.ts';
import { date, integer } from '../../xml/types.ts';
import { page } from '../../calls/queries.ts';
import { readingMore } from '../../calls/services.ts';
import type { RouteDependencies } from '../../calls/services.ts';

const DAYS_DEFAULT = 30;
const DAYS_AGO_MAX = 36_500;

const days = {
  startDate: date().optional(),
  endDate: date().optional(),
  daysAgo: integer(0, DAYS_AGO_MAX).optional(),
};

type Days = z.output<z.ZodObject<typeof days>>;

export function transitionRoutes(dependencies: RouteDependencies): Route[] {
  return [
    route({
      method: 'GET',
      path: '/customers/transitions',
      summary: "Changes of customers' statuses, the newest first",
      query: z.object({ ...page, ...days }),
      response: transitionList,
      handler: ({ tenant, query }) =>
        readingMore(dependencies, tenant, async (tx) => {
          const { today } = await tenantTimeOf(dependencies, tenant, tx, 'none');
          const { offset, max } = query;
          return listTransitions(tx, { offset, max, ...windowOf(query, today) });
        }),
    }),
  ];
}

function windowOf(
  { startDate, endDate, daysAgo }: Days,
  today: IsoDate,
): { readonly startDate: IsoDate; readonly endDate: IsoDate } {
  if (startDate !== undefined && daysAgo !== undefined) {
    const message = 'daysAgo and startDate exclude each other';
    throw badRequest('query.invalid', message, 'daysAgo', String(daysAgo));
  }
  const end = endDate ?? today;
  const start = startDate ?? addDays(end, -(daysAgo ?? DAYS_DEFAULT));
  if (end < start) {
    throw badRequest('query.invalid', 'endDate is before startDate', 'endDate', end);
  }
  return { startDate: start, endDate: end };
}
