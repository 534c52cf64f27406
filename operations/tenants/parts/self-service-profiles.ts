/** What the self-service pages of a tenant show and allow. */
import { z } from 'zod';
import { itemChanges } from '../file/changes.ts';
import { checkRepeats, checkUnique } from '../file/checks.ts';
import type { Loose } from '../file/loose.ts';
import type { Report } from '../file/mistakes.ts';
import * as kind from '../file/scalars.ts';

const profile = z.strictObject({
  id: kind.text().describe('Unique. A page that names no profile uses `DEFAULT`.'),
  showNavigationBar: kind.flag().default(true),
  showStatements: kind.flag().default(true),
  showPayments: kind.flag().default(true),
  allowPayments: kind.flag().default(true),
  allowProfileEdit: kind.flag().default(false),
  editOrderOptions: z.array(kind.choice(['Cancel', 'Upgrade', 'Downgrade', 'New'])).default([]),
  pdfMode: kind.flag().default(false),
});

type Profile = z.output<typeof profile>;

export const selfServiceProfiles = {
  schema: z.array(profile).default([]),
  check: (file: Loose<{ readonly selfServiceProfiles: readonly Profile[] }>, report: Report) => {
    checkUnique(file.selfServiceProfiles, 'id', ['selfServiceProfiles'], report);
    file.selfServiceProfiles?.forEach((each, index) => {
      const path = ['selfServiceProfiles', index, 'editOrderOptions'];
      checkRepeats(each?.editOrderOptions, path, report);
    });
  },
  changes: itemChanges<Profile>('selfServiceProfile', ({ id }) => id),
  notInForce: [{ key: 'selfServiceProfiles', missing: 'there are no hosted pages' }],
};
