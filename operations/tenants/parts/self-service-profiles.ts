/** What the self-service pages of a tenant show and allow. */
import { z } from 'zod';
import { editOrderOptions } from '../../../domain/self-service/switches.ts';
import type { Tx } from '../../../db/connection/tenancy.ts';
import { itemChanges, type Change } from '../file/changes.ts';
import { checkRepeats, checkUnique } from '../file/checks.ts';
import type { Loose } from '../file/loose.ts';
import type { Report } from '../file/mistakes.ts';
import * as kind from '../file/scalars.ts';
import { insertText } from '../../../db/queries/context/insertion.ts';
import { SelfServiceProfile } from '../../../db/entities/hosted-pages.ts';
import { columnOf } from '../../../db/entities/rows.ts';

const profile = z.strictObject({
  id: kind.text().describe('Unique. A page that names no profile uses `DEFAULT`.'),
  showNavigationBar: kind.flag().default(true),
  showStatements: kind.flag().default(true),
  showPayments: kind.flag().default(true),
  allowPayments: kind.flag().default(true),
  allowProfileEdit: kind.flag().default(false),
  editOrderOptions: z.array(kind.choice(editOrderOptions)).default([]),
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
  apply: applySelfServiceProfiles,
};

/** `changes` has named what is new. */
async function applySelfServiceProfiles(
  tx: Tx,
  { file }: { readonly file: { readonly selfServiceProfiles: readonly Profile[] } },
): Promise<Change[]> {
  const profiles = file.selfServiceProfiles;
  await tx.query(
    'delete from self_service_profile where tenant_id = $1 and profile_id <> all($2)',
    [tx.tenantId, profiles.map(({ id }) => id)],
  );
  await tx.query(upsertText, [tx.tenantId, JSON.stringify(profiles)]);
  return [];
}

const keys = [
  'showNavigationBar',
  'showStatements',
  'showPayments',
  'allowPayments',
  'allowProfileEdit',
  'editOrderOptions',
  'pdfMode',
] as const;
const columns = keys.map(columnOf);
const columnsOf = (row: string): string => columns.map((name) => `${row}.${name}`).join(', ');

const upsertText = insertText({
  into: SelfServiceProfile,
  columns: keys,
  besides: { id: 'text' },
  values: { profileId: 'r.id' },
  ending: `on conflict (tenant_id, profile_id) do update
    set (${columns.join(', ')}) = (${columnsOf('excluded')})
    where (${columnsOf('self_service_profile')}) is distinct from (${columnsOf('excluded')})`,
});
