/** The outbox for delivery: claim, delete and postpone rows. */
import type { Pool } from 'pg';
import { queryIn } from '../../connection/pipeline.ts';
import { rowTypes } from '../../connection/database.ts';
import type { Tx } from '../../connection/tenancy.ts';
import { type GivenBy, given } from '../context/insertion.ts';
import { Outbox } from '../../entities/processes.ts';
import type { RowOf } from '../../entities/rows.ts';

const nudges = given(Outbox, ['workflowId', 'version']);

/** A nudge with a row; without one its version is null. */
export interface NudgeVersion {
  readonly workflowId: string;
  readonly version: number | null;
}

/**
 * Keeps a row with a newer version, which is not delivered yet, and a locked row, which another
 * transaction is writing or has just claimed. Delivery never waits for locks, so it cannot deadlock
 * with a writer.
 */
export function deleteDelivered(tx: Tx, delivered: readonly NudgeVersion[]): void {
  tx.send(
    `with free as (
       select o.workflow_id from outbox o
       join ${nudges.recordset} on o.workflow_id = r."workflowId" and o.version = r.version
       where o.tenant_id = $1 order by o.workflow_id for update of o skip locked)
     delete from outbox o using free where o.tenant_id = $1 and o.workflow_id = free.workflow_id`,
    [
      tx.tenantId,
      JSON.stringify(delivered.map(({ workflowId, version }) => ({ workflowId, version }))),
    ],
    'deleteDelivered',
  );
}

const failures = given(
  Outbox,
  ['workflowId'],
  // Null: by the number of attempts, doubling the delay each time.
  { besides: { error: 'text', retryInSeconds: 'float8?' } },
);

export type FailedDelivery = GivenBy<typeof failures>;

const PAUSE_SECONDS_MAX = 300;

/** Skips locked rows: see deleteDelivered. */
export function postponeFailed(tx: Tx, failed: readonly FailedDelivery[]): void {
  tx.send(
    `with free as (
       select o.workflow_id, r.error, r."retryInSeconds" from outbox o
       join ${failures.recordset} on o.workflow_id = r."workflowId"
       where o.tenant_id = $1 order by o.workflow_id for update of o skip locked)
     update outbox o set attempts = o.attempts + 1, last_error = free.error,
       deliver_after = now() + make_interval(secs =>
         coalesce(free."retryInSeconds", least(power(2, least(o.attempts, 20)), $3::float8)))
     from free where o.tenant_id = $1 and o.workflow_id = free.workflow_id`,
    [tx.tenantId, failures.json(failed), PAUSE_SECONDS_MAX],
    'postponeFailed',
  );
}

/** How long other relays skip a claimed row. */
const LEASE_SECONDS = 30;
/** With more relays, one may find only rows that others have just claimed, until its next pass. */
const RELAYS_AT_ONCE = 4;

export type ClaimedRow = RowOf<typeof Outbox, 'tenantId' | 'workflowId'>;

/**
 * Claims overdue rows of all tenants as the relay's role: the oldest of each tenant, then the
 * second of each, and so on, so that a tenant with many rows does not delay others.
 */
export async function claimOverdue(relay: Pool, limit: number): Promise<ClaimedRow[]> {
  const { rows } = await queryIn<ClaimedRow>(relay, {
    name: 'claimOverdue',
    text: `
      with ranked as (
        select own.tenant_id, own.workflow_id, own.deliver_after,
               row_number() over (partition by own.tenant_id order by own.deliver_after) as place
        from tenant t cross join lateral (
          select r.tenant_id, r.workflow_id, r.deliver_after from outbox r
          where r.tenant_id = t.id and r.deliver_after <= now()
          order by r.deliver_after limit $1 * ${RELAYS_AT_ONCE}) own
        order by place, own.deliver_after limit $1 * ${RELAYS_AT_ONCE}),
      due as (
        select o.tenant_id, o.workflow_id from ranked join outbox o using (tenant_id, workflow_id)
        where o.deliver_after <= now()
        order by ranked.place, ranked.deliver_after limit $1 for update of o skip locked)
      update outbox o set deliver_after = now() + make_interval(secs => $2)
      from due where o.tenant_id = due.tenant_id and o.workflow_id = due.workflow_id
      returning o.tenant_id, o.workflow_id`,
    values: [limit, LEASE_SECONDS],
    types: rowTypes,
  });
  return rows;
}
