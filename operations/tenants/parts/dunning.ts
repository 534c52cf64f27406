/** What happens to a tenant's customers when invoices stay unpaid. */
import { z } from 'zod';
import type { Tx } from '../../../db/connection/tenancy.ts';
import { keepRules } from '../../../db/queries/ageing/standings.ts';
import { addDays } from '../../../domain/calendar/calendar.ts';
import { customerStatuses } from '../../../domain/customers/status.ts';
import type { Change } from '../file/changes.ts';
import { checkIncreasing, checkRepeats, checkUnique } from '../file/checks.ts';
import { isGiven, type Loose } from '../file/loose.ts';
import type { Report } from '../file/mistakes.ts';
import type { ApplyTime } from '../file/part.ts';
import * as kind from '../file/scalars.ts';

const DAYS_MAX = 3_650;
const retryDaysDefault = [1, 3, 5, 7];

const overdueStatuses = customerStatuses.filter((status) => status !== 'Active');
const schema = z.strictObject({
  thresholds: z
    .array(
      z.strictObject({
        daysOverdue: kind.whole(1, DAYS_MAX).describe('Each more than the one before it.'),
        status: kind.choice(overdueStatuses).describe('Each status once.'),
      }),
    )
    .default([
      { daysOverdue: 15, status: 'Overdue1' },
      { daysOverdue: 30, status: 'Overdue2' },
      { daysOverdue: 45, status: 'Overdue3' },
      { daysOverdue: 60, status: 'Suspended1' },
      { daysOverdue: 120, status: 'InActive1' },
    ])
    .describe(
      "The customer's status by the age of the oldest open invoice. Others than before: from the next 00:00.",
    ),
  retryDays: z
    .array(kind.whole(1, 365))
    .optional()
    .describe(
      'Days after the first decline on which an automatic payment is tried again, each more than ' +
        'the one before it. `[1, 3, 5, 7]` if `retryDaysOfMonth` is absent too.',
    ),
  retryDaysOfMonth: z
    .array(kind.whole(1, 31))
    .optional()
    .describe('Days of the month on which it is tried again, instead of `retryDays`.'),
});

type Dunning = z.output<typeof schema>;

export const dunning = {
  schema: schema.prefault({}).describe('What happens when invoices stay unpaid.'),
  check: ({ dunning: given }: Loose<{ readonly dunning: Dunning }>, report: Report): void => {
    const thresholds = given?.thresholds;
    const days = thresholds?.map((threshold) => threshold?.daysOverdue);
    checkIncreasing(days, (index) => ['dunning', 'thresholds', index, 'daysOverdue'], report);
    checkUnique(thresholds, 'status', ['dunning', 'thresholds'], report);
    checkIncreasing(given?.retryDays, (index) => ['dunning', 'retryDays', index], report);
    checkRepeats(given?.retryDaysOfMonth, ['dunning', 'retryDaysOfMonth'], report);
    if (given && isGiven(given, 'retryDays') && isGiven(given, 'retryDaysOfMonth')) {
      report(['dunning', 'retryDaysOfMonth'], 'cannot be given together with retryDays');
    }
  },
  store: (value: Dunning): Dunning =>
    value.retryDays || value.retryDaysOfMonth ? value : { ...value, retryDays: retryDaysDefault },
  apply: async (
    tx: Tx,
    { file, today }: ApplyTime & { readonly file: { readonly dunning: Dunning } },
  ): Promise<Change[]> => {
    await keepRules(tx, file.dunning.thresholds, { today, firstRunOn: addDays(today, 1) });
    return [];
  },
};
