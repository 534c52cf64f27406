/** Invariants of notices: each date that was announced has its event, once. */
import { noticeEvents, noticeKinds } from '../../../domain/events/notices.ts';
import type { Check } from './check.ts';

const types = noticeKinds.map((kind) => `('${kind}', '${noticeEvents[kind]}')`).join(', ');

export const noticeChecks: readonly Check[] = [
  {
    name: 'notice.once',
    rule: 'Each date that was announced of an order or a card has one event, and each such event has its date.',
    sql: `
      with told as (
        select t.kind, case when t.kind = 'cardExpiring'
            then (e.detail->>'paymentMethodId')::bigint else e.object_id end as object_id,
          (e.detail->>'date')::date as on_date, count(*)::int as times
        from (values ${types}) t(kind, type)
        join event e on e.tenant_id = $1 and e.type = t.type
        group by 1, 2, 3)
      select coalesce(n.kind, t.kind) || ' of ' || coalesce(n.object_id, t.object_id) as object,
        case when n.kind is null then 'was told of ' || coalesce(t.on_date::text, 'no date') || ' and not noted'
          else coalesce(t.times, 0) || ' events tell of ' || n.on_date || ', should be 1' end as detail
      from (select * from notice where tenant_id = $1) n
      full join told t on t.kind = n.kind and t.object_id = n.object_id and t.on_date = n.on_date
      where n.kind is null or t.times is distinct from 1
      order by 1, 2`,
  },
];
