/** The sites that the hosted pages of a tenant work with. */
import { z } from 'zod';
import type { Tx } from '../../../db/connection/tenancy.ts';
import type { Change } from '../file/changes.ts';
import { checkRepeats } from '../file/checks.ts';
import type { Loose } from '../file/loose.ts';
import type { Report } from '../file/mistakes.ts';
import * as kind from '../file/scalars.ts';

const schema = z.strictObject({
  allowedOrigins: z
    .array(kind.origin())
    .default([])
    .describe('The sites that may frame the hosted pages, and that these may redirect to.'),
  confirmFree: kind
    .choice(['always', 'unlessCard'])
    .default('always')
    .describe(
      'Which sign-ups that charge nothing today, and whose customer a visitor typed, are made only when ' +
        'the button of a mailed page is pressed: all, or those without a card that the gateway has ' +
        'validated. It needs `notifications.from`.',
    ),
});

type HostedPages = z.output<typeof schema>;

export const hostedPages = {
  schema: schema.prefault({}),
  check: (file: Loose<{ readonly hostedPages: HostedPages }>, report: Report) => {
    checkRepeats(file.hostedPages?.allowedOrigins, ['hostedPages', 'allowedOrigins'], report);
  },
  remarks: remarkUnconfirmed,
  apply: applyHostedPages,
};

interface WithSender {
  readonly hostedPages: HostedPages;
  readonly notifications?: { readonly from: string } | undefined;
}

function remarkUnconfirmed({ hostedPages: pages, notifications }: WithSender, remark: Report) {
  if (pages.allowedOrigins.length === 0 || notifications !== undefined) return;
  remark(
    ['hostedPages', 'confirmFree'],
    'has no effect without notifications.from: sign-ups that charge nothing are made at once',
  );
}

/** `changes` has said what is new. */
async function applyHostedPages(
  tx: Tx,
  { file }: { readonly file: { readonly hostedPages: HostedPages } },
): Promise<Change[]> {
  const { allowedOrigins } = file.hostedPages;
  await tx.query('delete from allowed_origin where tenant_id = $1 and origin <> all($2)', [
    tx.tenantId,
    allowedOrigins,
  ]);
  await tx.query(
    `insert into allowed_origin (tenant_id, origin)
     select $1, origin from unnest($2::text[]) origin on conflict do nothing`,
    [tx.tenantId, allowedOrigins],
  );
  return [];
}
