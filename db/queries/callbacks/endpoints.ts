/** Which endpoints need their workflow. */
import type { Tx } from '../../connection/tenancy.ts';
import type { NumberedEvent } from '../events/number.ts';
import { given } from '../context/insertion.ts';
import { Event } from '../../entities/events.ts';

/** The first and the last event of a type. */
const spans = given(Event, { type: 'type', first: 'id', last: 'id' });

/** The endpoints to which one of these events is owed. */
export async function subscribedEndpoints(
  tx: Tx,
  events: readonly NumberedEvent[],
): Promise<readonly number[]> {
  const rows = await tx.query<{ id: number }>(
    `select distinct s.endpoint_id as id from callback_subscription s
     join ${spans.recordset} on r.type = s.event_type and r.last > s.after_event_id
       and (s.until_event_id is null or r.first < s.until_event_id)
     where s.tenant_id = $1 order by 1`,
    [tx.tenantId, spans.json(spansOf(events))],
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
