/** Has an endpoint get again what was given up. */
import type { Tx } from '../../connection/tenancy.ts';
import { AT_ONCE_MAX } from './write.ts';
import { oneRow } from '../context/insertion.ts';
import { CallbackResumption } from '../../entities/callbacks.ts';

export interface Resumption {
  readonly endpointId: number;
  readonly reason: string;
  readonly now: Date;
  /** The new instant of giving up. */
  readonly until: Date;
}

const resumptionRow = oneRow({
  into: CallbackResumption,
  columns: ['endpointId', 'reason', 'events', 'resumedAt'],
});

/** Returns the number of events that are sent again; the first of each lane is due at once. */
export async function resumeGivenUp(tx: Tx, resumption: Resumption): Promise<number> {
  const { endpointId, reason, now, until } = resumption;
  let events = 0;
  for (let last = AT_ONCE_MAX; last === AT_ONCE_MAX; events += last) {
    last = await resumeNext(tx, { endpointId, until });
  }
  const row = { endpointId, reason, events, resumedAt: now };
  await tx.query(resumptionRow.text, resumptionRow.values(tx.tenantId, row), 'note-resumption');
  await tx.query(
    `update callback_endpoint set paused_until = null where tenant_id = $1 and id = $2`,
    [tx.tenantId, endpointId],
  );
  makeAllDue(tx, endpointId, now);
  tx.send(
    `update callback_delivery d set retry_at = $3
     from (select lane, min(event_id) as event_id from callback_delivery
           where tenant_id = $1 and endpoint_id = $2 and state = 'Waiting' group by lane) first
     where d.tenant_id = $1 and d.endpoint_id = $2 and d.event_id = first.event_id
       and d.retry_at is null`,
    [tx.tenantId, endpointId, now],
    'promote-all-lanes',
  );
  return events;
}

async function resumeNext(
  tx: Tx,
  { endpointId, until }: Pick<Resumption, 'endpointId' | 'until'>,
): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    `with again as (
       update callback_delivery d set state = 'Waiting', settled_at = null, retry_at = null,
         attempts = 0, failed_at = null, give_up_at = $3, lane = -abs(d.lane)
       where d.tenant_id = $1 and d.endpoint_id = $2 and d.state = 'GivenUp'
         and d.event_id = any(array(
           select event_id from callback_delivery
           where tenant_id = $1 and endpoint_id = $2 and state = 'GivenUp'
           order by event_id limit ${AT_ONCE_MAX}))
       returning 1)
     select count(*) from again`,
    [tx.tenantId, endpointId, until],
    'resume-given-up',
  );
  return row?.count ?? 0;
}

/** Makes due what waits for a later instant. */
function makeAllDue(tx: Tx, endpointId: number, now: Date): void {
  tx.send(
    `update callback_delivery set retry_at = $3
     where tenant_id = $1 and endpoint_id = $2 and retry_at > $3`,
    [tx.tenantId, endpointId, now],
    'make-all-due',
  );
}
