/** The parts of a tenant file about events: who receives them, and how long their records are kept. */
import { z } from 'zod';
import { eventTypes } from '../../domain/events/events.ts';
import { RETENTION_DAYS_DEFAULT, RETENTION_DAYS_MIN } from '../../domain/events/retention.ts';
import { mailKinds } from '../../domain/mail/kinds.ts';
import * as kind from './scalars.ts';

const DAYS_MAX = 3_650;

export const callback = z.strictObject({
  url: kind
    .webAddress()
    .describe(
      'The address that receives events. Unique; https recommended. Not private or loopback, unless ' +
        '`CALLBACK_ALLOW_PRIVATE` is set.',
    ),
  secret: kind.secret().describe('Signs the posts: `whsec_` followed by base64. Stored encrypted.'),
  events: z.array(kind.choice(eventTypes)).min(1, 'must name at least one event'),
});

export const notifications = z.strictObject({
  from: kind.email().describe('The sender of the mails.'),
  enabled: z
    .array(kind.choice(mailKinds))
    .default([])
    .describe('Mails begin with what happens after a kind is enabled for the first time.'),
  templates: kind
    .text()
    .optional()
    .describe(
      'A folder beside this file. Its files replace the delivered templates of mails, see ' +
        '[notifications](guides/notifications.md).',
    ),
});

const daysKept = () => kind.whole(RETENTION_DAYS_MIN, DAYS_MAX).default(RETENTION_DAYS_DEFAULT);
export const retention = z.strictObject({
  deliveries: daysKept().describe(
    'Of events to callbacks, after they were delivered or given up. `resume` no longer sends those ' +
      'that were deleted.',
  ),
  resends: daysKept().describe('Requests to send an event again, after they were taken.'),
  mails: daysKept().describe(
    'After they were sent or failed for good. The text of a mail is never stored.',
  ),
  gatewayEvents: daysKept().describe('After the gateway was asked about them.'),
});
