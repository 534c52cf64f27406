/** The mails to a tenant's customers: the enabled kinds, and the templates, which workers elsewhere read from rows. */
import { z } from 'zod';
import type { Tx } from '../../../db/connection/tenancy.ts';
import { notifiedMailKinds } from '../../../domain/mail/kinds.ts';
import type { Templates } from '../../../providers/mail/templates.ts';
import type { Change } from '../file/changes.ts';
import { checkRepeats } from '../file/checks.ts';
import type { Loose } from '../file/loose.ts';
import type { Report } from '../file/mistakes.ts';
import * as kind from '../file/scalars.ts';

const schema = z.strictObject({
  from: kind.email().describe('The sender of the mails.'),
  enabled: z
    .array(kind.choice(notifiedMailKinds))
    .default([])
    .describe('Mails begin with what happens after a kind is enabled for the first time.'),
  ubl: kind
    .flag()
    .default(false)
    .describe(
      'Whether mails of new invoices bring the electronic invoice, `NUMBER.xml`, beside the PDF. What ' +
        'lacks something for it brings the PDF alone.',
    ),
  templates: kind
    .text()
    .optional()
    .describe(
      'A folder beside this file. Its files replace the delivered templates of mails, see ' +
        '[notifications](guides/notifications.md).',
    ),
});

type Notifications = z.output<typeof schema>;

export const notifications = {
  schema: schema.optional().describe('Without it no mails are sent.'),
  check: (
    { notifications: given }: Loose<{ readonly notifications: Notifications }>,
    report: Report,
  ): void => {
    checkRepeats(given?.enabled, ['notifications', 'enabled'], report);
  },
  apply: applyNotifications,
};

interface NotificationsToApply {
  readonly file: { readonly notifications?: Notifications | undefined };
  readonly templates: Templates;
}

async function applyNotifications(
  tx: Tx,
  { file, templates }: NotificationsToApply,
): Promise<Change[]> {
  const enabled = file.notifications?.enabled ?? [];
  // Nothing that was before a kind's first time is mailed.
  await tx.query(
    `insert into notification (tenant_id, kind, first_in_force_at, enabled_at)
     select $1, kind, now(), now() from unnest($2::text[]) kind
     on conflict (tenant_id, kind)
     do update set enabled_at = coalesce(notification.enabled_at, now())`,
    [tx.tenantId, enabled],
  );
  await tx.query(
    `update notification set enabled_at = null
     where tenant_id = $1 and enabled_at is not null and kind <> all ($2::text[])`,
    [tx.tenantId, enabled],
  );
  return applyTemplates(tx, templates);
}

async function applyTemplates(tx: Tx, templates: Templates): Promise<Change[]> {
  const rows = await tx.query<{ name: string; content: string }>(
    'select name, content from mail_template where tenant_id = $1 order by name',
    [tx.tenantId],
  );
  const stored = new Map(rows.map(({ name, content }) => [name, content]));
  const changes: Change[] = [];
  for (const [name, content] of templates) {
    const before = stored.get(name);
    stored.delete(name);
    if (before === content) continue;
    const change = before === undefined ? 'created' : 'changed';
    changes.push({ subject: `mail template ${name}`, change });
    await tx.query(
      `insert into mail_template (tenant_id, name, content) values ($1, $2, $3)
       on conflict (tenant_id, name) do update set content = excluded.content`,
      [tx.tenantId, name, content],
    );
  }
  const gone = [...stored.keys()];
  if (gone.length > 0) {
    await tx.query('delete from mail_template where tenant_id = $1 and name = any ($2)', [
      tx.tenantId,
      gone,
    ]);
  }
  return [
    ...changes,
    ...gone.map((name) => ({ subject: `mail template ${name}`, change: 'removed' })),
  ];
}
