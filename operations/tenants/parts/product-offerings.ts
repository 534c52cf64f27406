/** The product offerings of a tenant, to which its plans belong. */
import { z } from 'zod';
import type { Tx } from '../../../db/connection/tenancy.ts';
import type { Change } from '../file/changes.ts';
import { checkUnique } from '../file/checks.ts';
import type { Loose } from '../file/loose.ts';
import type { Report } from '../file/mistakes.ts';
import * as kind from '../file/scalars.ts';

const productOffering = z.strictObject({
  sku: kind.text().describe('Unique.'),
  name: kind.text(),
});

export type ProductOffering = z.output<typeof productOffering>;
type Offerings = { readonly productOfferings: readonly ProductOffering[] };

export const productOfferings = {
  schema: z.array(productOffering).default([]),
  check: (file: Loose<Offerings>, report: Report): void => {
    checkUnique(file.productOfferings, 'sku', ['productOfferings'], report);
  },
  // Applying compares them with their rows.
  changes: () => [],
  apply: applyOfferings,
};

interface OfferingsToApply {
  readonly file: Offerings;
  readonly previous: Offerings | undefined;
}

/** An offering gone from the file stays as a row: earlier plan versions name it. */
async function applyOfferings(tx: Tx, wanted: OfferingsToApply): Promise<Change[]> {
  const rows = await tx.query<{ sku: string; name: string }>(
    'select sku, name from product_offering',
  );
  const names = new Map(rows.map(({ sku, name }) => [sku, name]));
  const before = new Set(wanted.previous?.productOfferings.map(({ sku }) => sku));
  const changes: Change[] = [];
  for (const { sku, name } of wanted.file.productOfferings) {
    const isNew = !before.delete(sku);
    if (isNew) changes.push({ subject: `productOffering ${sku}`, change: 'created' });
    if (names.get(sku) === name) continue;
    if (!isNew) changes.push({ subject: `productOffering ${sku}`, change: 'changed' });
    await tx.query(
      `insert into product_offering (tenant_id, sku, name) values ($1, $2, $3)
       on conflict (tenant_id, sku) do update set name = excluded.name`,
      [tx.tenantId, sku, name],
    );
  }
  const gone = [...before].map((sku) => ({
    subject: `productOffering ${sku}`,
    change: 'removed',
  }));
  return [...changes, ...gone];
}
