/** For how many days a tenant's records of what is over are kept. */
import { z } from 'zod';
import {
  AUDIT_DAYS_MIN,
  RETENTION_DAYS_DEFAULT,
  RETENTION_DAYS_MIN,
} from '../../../domain/events/retention.ts';
import * as kind from '../file/scalars.ts';

const DAYS_MAX = 3_650;

const daysKept = () => kind.whole(RETENTION_DAYS_MIN, DAYS_MAX).default(RETENTION_DAYS_DEFAULT);
const schema = z.strictObject({
  deliveries: daysKept().describe(
    'Of events to callbacks, after they were delivered or given up. `resume` no longer sends those ' +
      'that were deleted.',
  ),
  resends: daysKept().describe('Requests to send an event again, after they were taken.'),
  mails: daysKept().describe(
    'After they were sent or failed for good. The text of a mail is never stored.',
  ),
  gatewayEvents: daysKept().describe('After the gateway was asked about them.'),
  auditLog: kind
    .whole(AUDIT_DAYS_MIN, DAYS_MAX)
    .optional()
    .describe('Entries of the audit log, in real time. Without it they are kept for ever.'),
});

export const retention = {
  schema: schema
    .prefault({})
    .describe('For how many days Sundial keeps finished records. A shorter time deletes them.'),
};
