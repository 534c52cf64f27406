/** The workflows that a tenant has once: its billing run, its test clock, its mails, its tax records. */
import { countSealed } from '../../db/queries/imports/passwords.ts';
import { readOpenMails } from '../../db/queries/mail/mails.ts';
import { hasOpenTaxRecords } from '../../db/queries/tax-records/open.ts';
import type { TenantWorkflow } from './description.ts';

export const billing: TenantWorkflow = {
  priority: 2,
  title: 'Billing run',
  isNeeded: async (_, { hasTestClock }) => !hasTestClock,
};

/** It ends by itself if there is nothing to do. */
export const clock: TenantWorkflow = {
  priority: 2,
  title: 'Test clock',
  phase: 'Advancing',
  isNeeded: async (_, { hasTestClock }) => hasTestClock,
};

export const mail: TenantWorkflow = {
  priority: 4,
  title: 'Mails',
  phase: 'Sending',
  isNeeded: async (tx) => (await readOpenMails(tx, 1)).open > 0,
};

export const taxes: TenantWorkflow = {
  priority: 4,
  title: 'Tax records',
  phase: 'Recording',
  isNeeded: hasOpenTaxRecords,
};

export const passwords: TenantWorkflow = {
  priority: 5,
  title: 'Passwords',
  phase: 'Hashing',
  isNeeded: async (tx) => (await countSealed(tx, 1)) > 0,
};
