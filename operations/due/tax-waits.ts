/** The customers of a tenant that wait for their tax provider, and when it is asked again. */
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import { endIdleWaits, readTaxWaits, TOGETHER_MS } from '../../db/queries/billing/tax-waits.ts';
import { inTenant, type Tx } from '../../db/connection/tenancy.ts';
import type { Dependencies, TenantInfo } from '../context/context.ts';

export interface Waits {
  readonly customers: number;
  /** The time to the next try in milliseconds, which is real; null if nobody waits. */
  readonly nextTryMs: number | null;
}

const nobodyWaits: Waits = { customers: 0, nextTryMs: null };

export async function waitsOf(
  { realNow }: Pick<Dependencies, 'realNow'>,
  { taxProvider }: TenantInfo,
  tx: Tx,
): Promise<Waits> {
  if (taxProvider === null) return nobodyWaits;
  const { customers, nextTryAt } = await readTaxWaits(tx);
  if (nextTryAt === null) return nobodyWaits;
  const ms = nextTryAt.getTime() - realNow();
  return { customers, nextTryMs: ms <= TOGETHER_MS ? 0 : ms };
}

/** The same, without those for whom nothing is left to bill. */
export async function currentWaits(
  dependencies: Dependencies,
  tenant: TenantInfo,
  today: IsoDate,
): Promise<Waits> {
  if (tenant.taxProvider === null) return nobodyWaits;
  return inTenant(dependencies.db, tenant.id, (tx) => {
    endIdleWaits(tx, today);
    return waitsOf(dependencies, tenant, tx);
  });
}
