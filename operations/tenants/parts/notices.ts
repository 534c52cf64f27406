/** How many days before dates that lie ahead a tenant tells its customers of them. */
import { z } from 'zod';
import { beginNotices } from '../../../db/queries/due/notices.ts';
import type { Tx } from '../../../db/connection/tenancy.ts';
import { NOTICE_DAYS_MAX, noticeDaysUsual } from '../../../domain/events/notices.ts';
import type { Change } from '../file/changes.ts';
import type { ApplyTime } from '../file/part.ts';
import * as kind from '../file/scalars.ts';

const daysBefore = (key: keyof typeof noticeDaysUsual) =>
  kind.whole(0, NOTICE_DAYS_MAX).default(noticeDaysUsual[key]);

const schema = z.strictObject({
  trialEndingDays: daysBefore('trialEndingDays').describe(
    'Before the first day that a trial does not cover.',
  ),
  renewalNoticeDays: daysBefore('renewalNoticeDays').describe(
    'Before the first day of the next term; the `renewalNoticeDays` of a plan go before these.',
  ),
  priceChangeDays: daysBefore('priceChangeDays').describe(
    'Before the first day of new prices of an existing order.',
  ),
});

export const notices = {
  schema: schema
    .prefault({})
    .describe(
      'How many days before a date its event, and its mail if `notifications` enable it, comes; 0: ' +
        'never.',
    ),
  apply: async (tx: Tx, { today }: ApplyTime): Promise<Change[]> => {
    await beginNotices(tx, today);
    return [];
  },
};
