/** Which endpoints need their workflow. */
import type { Tx } from '../../connection/tenancy.ts';
import type { NumberedEvent } from '../events/number.ts';

/** The endpoints to which one of these events is owed. */
export async function subscribedEndpoints(
  tx: Tx,
  events: readonly NumberedEvent[],
): Promise<readonly number[]> {
  const rows = await tx.query<{ id: number }>(
    `select distinct s.endpoint_id as id from callback_subscription s
     join json_to_recordset($2) as e(type text, "first" bigint, "last" bigint)
       on e.type = s.event_type and e.last > s.after_event_id
       and (s.until_event_id is null or e.first < s.until_event_id)
     where s.tenant_id = $1 order by 1`,
    [tx.tenantId, JSON.stringify(spansOf(events))],
    'subscribed-endpoints',
  );
  return rows.map(({ id }) => id);
}

function spansOf(events: readonly NumberedEvent[]) {
  return [...Map.groupBy(events, ({ type }) => type)].map(([type, own]) => {
    const ids = own.map(({ id }) => id);
    return { type, first: Math.min(...ids), last: Math.max(...ids) };
  });
}

/** The condition of an endpoint that has something to send, or to have sent again. */
export const hasSomething = `(
  exists (select from callback_delivery d where d.tenant_id = e.tenant_id
    and d.endpoint_id = e.id and d.state = 'Waiting')
  or (e.is_on and exists (select from callback_delivery d where d.tenant_id = e.tenant_id
    and d.endpoint_id = e.id and d.state = 'GivenUp'))
  or exists (select from event v
    join callback_subscription s on s.tenant_id = v.tenant_id and s.endpoint_id = e.id
      and s.event_type = v.type and v.id > s.after_event_id
      and (s.until_event_id is null or v.id < s.until_event_id)
    where v.tenant_id = e.tenant_id and v.sequence > e.cursor and not exists (
      select from callback_delivery d where d.tenant_id = v.tenant_id and d.event_id = v.id
        and d.endpoint_id = e.id)))`;
