/** Numbers that were given before the database was put back to an older state, and never again. */
import type { LostNumber } from '../../entities/tenants.ts';
import type { RowOf } from '../../entities/rows.ts';

/** How many numbers between two that the tenant $1 has are lost. */
export const lostBetween = (
  kind: RowOf<typeof LostNumber, 'kind'>['kind'],
  before: string,
  next: string,
): string =>
  `coalesce((select sum(gone.up_to - gone.after) from lost_number gone where gone.tenant_id = $1
     and gone.kind = '${kind}' and gone.after >= ${before} and gone.up_to < ${next}), 0)`;
