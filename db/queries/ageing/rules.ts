/** A tenant's thresholds in force, and the day up to which its runs have applied them. */
import type { AgeingRules, Threshold } from '../../../domain/dunning/ageing.ts';
import type { IsoDate } from '../../../domain/calendar/date.ts';
import type { Tx } from '../../connection/tenancy.ts';
import { oneRow } from '../context/insertion.ts';
import { DunningRules } from '../../entities/dunning.ts';
import { type RowOf } from '../../entities/rows.ts';

export interface RulesRow extends AgeingRules {
  /** The last day whose statuses are complete. */
  readonly agedOn: IsoDate;
}

export async function readRules(tx: Pick<Tx, 'tenantId' | 'query'>): Promise<RulesRow> {
  const [row] = await tx.query<RowOf<typeof DunningRules, 'thresholds' | 'inForceOn' | 'agedOn'>>(
    'select thresholds, in_force_on, aged_on from dunning_rules where tenant_id = $1',
    [tx.tenantId],
    'read-dunning-rules',
  );
  if (!row) throw new Error(`tenant ${tx.tenantId} has no dunning rules`);
  return { thresholds: row.thresholds, inForceOn: row.inForceOn, agedOn: row.agedOn };
}

/** The statuses of the day are complete: what changes later waits for the next day. */
export async function noteAged(tx: Tx, today: IsoDate): Promise<void> {
  await tx.query(
    'update dunning_rules set aged_on = $2 where tenant_id = $1 and aged_on < $2',
    [tx.tenantId, today],
    'note-aged',
  );
}

const firstRules = oneRow({
  into: DunningRules,
  as: 'r',
  columns: ['thresholds', 'inForceOn', 'agedOn'],
});

/** Applying a tenant file: the first thresholds, or others, which the next run applies first. */
export async function keepRules(
  tx: Tx,
  thresholds: readonly Threshold[],
  { today, firstRunOn }: { readonly today: IsoDate; readonly firstRunOn: IsoDate },
): Promise<void> {
  const first = { thresholds, inForceOn: today, agedOn: today };
  const values = [...firstRules.values(tx.tenantId, first), firstRunOn];
  const changed = await tx.query(
    `${firstRules.text}
     on conflict (tenant_id) do update
     set thresholds = excluded.thresholds, in_force_on = ${firstRules.next}
     where r.thresholds <> excluded.thresholds
     returning tenant_id`,
    values,
  );
  if (changed.length === 0) return;
  await tx.query(
    `with open as (
       select customer_id from dunning
       where tenant_id = $1 and closed_on is null and held_on is null and not awaits_run
       order by customer_id for update)
     update dunning d set next_step_on = least(d.next_step_on, $2), version = d.version + 1
     from open where d.tenant_id = $1 and d.customer_id = open.customer_id`,
    [tx.tenantId, firstRunOn],
  );
}
