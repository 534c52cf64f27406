/** What the self-service pages of a tenant show and allow. */
import { z } from 'zod';
import type { Tx } from '../../../db/connection/tenancy.ts';
import { itemChanges, type Change } from '../file/changes.ts';
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

const columns = [
  'show_navigation_bar',
  'show_statements',
  'show_payments',
  'allow_payments',
  'allow_profile_edit',
  'edit_order_options',
  'pdf_mode',
];
const columnsOf = (row: string): string => columns.map((name) => `${row}.${name}`).join(', ');

const upsertText = `
  insert into self_service_profile (tenant_id, profile_id, ${columns.join(', ')})
  select $1, id, "showNavigationBar", "showStatements", "showPayments", "allowPayments",
    "allowProfileEdit", "editOrderOptions", "pdfMode"
  from json_to_recordset($2) as r(id text, "showNavigationBar" boolean, "showStatements" boolean,
    "showPayments" boolean, "allowPayments" boolean, "allowProfileEdit" boolean,
    "editOrderOptions" text[], "pdfMode" boolean)
  on conflict (tenant_id, profile_id) do update
    set (${columns.join(', ')}) = (${columnsOf('excluded')})
    where (${columnsOf('self_service_profile')}) is distinct from (${columnsOf('excluded')})`;
