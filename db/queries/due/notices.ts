/** Finds the dates that a day's run announces, and notes them: each date of an object once. */
import { noticeDaysUsual, type NoticeKind, noticeKinds } from '../../../domain/events/notices.ts';
import type { IsoDate } from '../../../domain/calendar/calendar.ts';
import type { Tx } from '../../connection/tenancy.ts';
import { type Notice, NoticeMark } from '../../entities/events.ts';
import type { RowOf } from '../../entities/rows.ts';
import type { DuePage } from '../ageing/due.ts';
import { oneRow } from '../context/insertion.ts';

/** The last day whose notices of a kind are complete. */
const marked = (kind: NoticeKind): string => `(
  select case when max(d.noticed_on) is null then '-infinity' else max(d.noticed_on) end
  from notice_mark d where d.tenant_id = $1 and d.kind = '${kind}')`;

/** What is to be announced by the day $2, from the first day that is not complete. */
interface Finding {
  /** Common table expressions that the others read; empty, or `with ..`. */
  readonly before: string;
  /** Rows (id, due_on), of which one is the first. */
  readonly firsts: string;
  /** Rows (id, customer_id, noticed, on_date): `noticed` is what the mark on the object says. */
  readonly due: string;
  /** Those of the objects with ids that a parameter has. */
  readonly dueOf: (ids: `$${number}`) => string;
  /** Writes the mark on the objects of the rows `due`. */
  readonly mark: string;
}

interface OrderDates {
  readonly kind: NoticeKind;
  /** The column with the date, or with the last day before it. */
  readonly column: string;
  readonly isDayBefore: boolean;
  /** The column with what was announced of it. */
  readonly noticed: string;
  /** The days before the date, of a plan `p`. */
  readonly days: string;
  /** Which orders `o` have the date. */
  readonly which: string;
}

/** Plan by plan, as each may have its days: one probe of the index each, whatever the statistics say. */
function datesOfOrders({ kind, column, isDayBefore, noticed, days, which }: OrderDates): Finding {
  // The first day of the run is before the date: the column is that day, or a later one than it.
  const [after, ahead] = isDayBefore ? [1, 0] : [0, 1];
  const isAhead = `${which} and o.${column} is not null
      and o.${noticed} is distinct from o.${column}
      and o.${column} < plans.before and o.${column} > ${marked(kind)} + ${ahead}`;
  const ofPlan = `from subscription_order o
        where o.tenant_id = $1 and o.plan_id = plans.id and ${isAhead}`;
  const columns = `o.id, o.customer_id, o.${column} as noticed, o.${column} + ${after} as on_date`;
  const fromToday = `o.${column} >= $2::date + ${ahead}`;
  return {
    before: `with plans as materialized (
      select p.id, d.days, $2::date + d.days + ${ahead} as before
      from plan p cross join lateral (select ${days} as days) d
      where p.tenant_id = $1 and d.days > 0 and ${marked(kind)} < $2)`,
    firsts: `
      select first.id,
        greatest(first.on_date - plans.days, ${marked(kind)} + 1) as due_on
      from plans cross join lateral (
        select o.id, o.${column} + ${after} as on_date ${ofPlan}
        order by o.${column} limit 1) first`,
    due: `
      select own.* from plans cross join lateral (
        select ${columns} ${ofPlan} and ${fromToday} offset 0) own`,
    dueOf: (ids) => `
      with o as materialized (${probed('subscription_order', ids)})
      select ${columns} from o join plans on plans.id = o.plan_id
      where ${isAhead} and ${fromToday}`,
    mark: `update subscription_order o set ${noticed} = due.noticed
      from due where o.tenant_id = $1 and o.id = due.id`,
  };
}

/** The rows of a table with these ids: one probe each, however many others are due. */
const probed = (table: string, ids: string): string => `
        select own.* from unnest(${ids}::bigint[]) k(id) cross join lateral (
          select t.* from ${table} t where t.tenant_id = $1 and t.id = k.id offset 0) own`;

const usualDays = (key: keyof typeof noticeDaysUsual): string => `(
  select coalesce((own.file->'notices'->>'${key}')::int, ${noticeDaysUsual[key]})
  from tenant own where own.id = $1)`;

/** An order that lasts past its trial. */
const trials = datesOfOrders({
  kind: 'trialEnding',
  column: 'trial_end_date',
  isDayBefore: true,
  noticed: 'trial_noticed',
  days: usualDays('trialEndingDays'),
  which: `o.status = 'Active' and (o.end_date is null or o.end_date > o.trial_end_date)
    and (o.change_on is null or o.change_on > o.trial_end_date)`,
});

/** An order that is replaced until then does not renew. */
const renewals = datesOfOrders({
  kind: 'renewalNotice',
  column: 'end_date',
  isDayBefore: true,
  noticed: 'renewal_noticed',
  days: `case when p.renewal_notice_days is null then ${usualDays('renewalNoticeDays')}
    else p.renewal_notice_days end`,
  which: `o.status = 'Active' and o.is_auto_renew
    and (o.change_on is null or o.change_on > o.end_date + 1)`,
});

/** Whether a price differs is not asked here: the caller leaves out what stays the same. */
const prices = datesOfOrders({
  kind: 'priceChange',
  column: 'price_change_on',
  isDayBefore: false,
  noticed: 'price_noticed',
  days: usualDays('priceChangeDays'),
  which: `o.status = 'Active'`,
});

/** The first day of the month of a date, some months later. */
const monthOf = (date: string, later = 0): string =>
  `(date_trunc('month', (${date})::timestamp) + interval '${later} months')::date`;

/** A card is good until the end of the month of its expiry; one that pays for nothing is not announced. */
const isCardAhead = `m.tenant_id = $1 and m.autopay_preference is not null and m.expiry is not null
    and m.expiry_noticed is distinct from m.expiry
    and m.expiry < ${monthOf('$2::date', 2)}
    and m.expiry >= ${monthOf(`${marked('cardExpiring')} + 1`)}
    and ${marked('cardExpiring')} < $2
    and exists (select from subscription_order o
      where o.tenant_id = $1 and o.customer_id = m.customer_id and o.is_auto_pay
        and o.status in ('Provisioning', 'Active', 'Suspended'))`;

const dueCards = (from: string): string => `
    select m.id, m.customer_id, m.expiry as noticed, ${monthOf('m.expiry', 1)} - 1 as on_date
    from ${from} m where ${isCardAhead} and m.expiry >= ${monthOf('$2::date')}`;

const cards: Finding = {
  before: '',
  firsts: `
    select first.id,
      greatest(${monthOf('first.expiry', -1)}, ${marked('cardExpiring')} + 1) as due_on
    from (select m.id, m.expiry from payment_method m where ${isCardAhead}
      order by m.expiry limit 1) first`,
  due: dueCards('payment_method'),
  dueOf: (ids) => dueCards(`(${probed('payment_method', ids)})`),
  mark: `update payment_method m set expiry_noticed = due.noticed
    from due where m.tenant_id = $1 and m.id = due.id`,
};

const findings: Readonly<Record<NoticeKind, Finding>> = {
  trialEnding: trials,
  renewalNotice: renewals,
  priceChange: prices,
  cardExpiring: cards,
};

/** A branch of the agenda: the first of each plan, as the first of all is among them. */
export function noticesDue(kind: NoticeKind): string {
  const { before, firsts } = findings[kind];
  return `${before} select f.id as object_id, f.due_on from (${firsts}) f where f.due_on <= $2`;
}

/** By kind: a page of the objects of which something is to be announced. */
const pages = byKind((kind) => {
  const { before, due } = findings[kind];
  const start = before === '' ? 'with' : `${before},`;
  // Materialized: for the order of ids the planner might read every order there is.
  return `${start} due as materialized (${due})
    select id from due where id > $3 order by id limit $4`;
});

/** A page of the objects of which something is to be announced today. */
export async function dueNotices(
  tx: Tx,
  kind: NoticeKind,
  { today, after, limit }: DuePage,
): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(
    pages[kind],
    [tx.tenantId, today, after, limit],
    `due-notices-${kind}`,
  );
  return rows.map(({ id }) => id);
}

/** For the audit: all of them, by id. A tenant without a mark awaits its first run since the upgrade. */
export async function unannounced(tx: Tx, kind: NoticeKind, today: IsoDate): Promise<number[]> {
  const { before, due } = findings[kind];
  const rows = await tx.query<{ id: number }>(
    `${before} select id from (${due}) due
     where exists (select from notice_mark m where m.tenant_id = $1 and m.kind = '${kind}')
     order by id`,
    [tx.tenantId, today],
    `unannounced-${kind}`,
  );
  return rows.map(({ id }) => id);
}

const owners = {
  trialEnding: 'subscription_order',
  renewalNotice: 'subscription_order',
  priceChange: 'subscription_order',
  cardExpiring: 'payment_method',
} as const satisfies Readonly<Record<NoticeKind, string>>;

/** The customers of the objects, by the object. */
export async function customersOfNotices(
  tx: Tx,
  kind: NoticeKind,
  ids: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const rows = await tx.query<{ id: number; customerId: number }>(
    `select id, customer_id from ${owners[kind]} where tenant_id = $1 and id = any($2)`,
    [tx.tenantId, ids],
    `customers-of-notices-${kind}`,
  );
  return new Map(rows.map(({ id, customerId }) => [id, customerId]));
}

export interface TakenNotice extends RowOf<typeof Notice, 'objectId' | 'onDate'> {
  readonly customerId: number;
}

const takes = byKind((kind) => {
  const { before, dueOf, mark } = findings[kind];
  const start = before === '' ? 'with' : `${before},`;
  return `${start} due as materialized (${dueOf('$3')}),
    marked as (${mark}),
    noticed as (
      insert into notice (tenant_id, kind, object_id, on_date, noticed_on)
      select $1, '${kind}', id, on_date, $2 from due
      on conflict do nothing
      returning object_id, on_date)
    select n.object_id, due.customer_id, n.on_date
    from noticed n join due on due.id = n.object_id
    order by due.customer_id, n.object_id`;
});

/**
 * Notes what is to be announced of the objects, and returns what was never announced before. This
 * transaction must have locked their customers, and must raise the events.
 */
export function takeNotices(
  tx: Tx,
  kind: NoticeKind,
  { ids, today }: { readonly ids: readonly number[]; readonly today: IsoDate },
): Promise<TakenNotice[]> {
  return tx.query<TakenNotice & Record<string, unknown>>(
    takes[kind],
    [tx.tenantId, today, ids],
    `take-notices-${kind}`,
  );
}

const passes = byKind((kind) => {
  const { before, dueOf, mark } = findings[kind];
  const start = before === '' ? 'with' : `${before},`;
  return `${start} due as materialized (${dueOf('$3')}) ${mark}`;
});

/** Marks the objects whose date brings nothing to announce. */
export function passNotices(
  tx: Tx,
  kind: NoticeKind,
  { ids, today }: { readonly ids: readonly number[]; readonly today: IsoDate },
): void {
  if (ids.length > 0) tx.send(passes[kind], [tx.tenantId, today, ids], `pass-notices-${kind}`);
}

/** The condition that an object `o` still has the date $3, with its status of today. */
const stillNoticed: Readonly<Record<NoticeKind, string>> = {
  trialEnding: `o.status in ('Active', 'Suspended') and o.trial_end_date + 1 = $3
    and (o.end_date is null or o.end_date > o.trial_end_date)
    and (o.change_on is null or o.change_on > o.trial_end_date)`,
  renewalNotice: `o.status in ('Active', 'Suspended') and o.is_auto_renew and o.end_date + 1 = $3
    and (o.change_on is null or o.change_on > o.end_date + 1)`,
  priceChange: `o.status in ('Active', 'Suspended') and o.price_change_on = $3`,
  cardExpiring: `o.autopay_preference is not null and ${monthOf('o.expiry', 1)} - 1 = $3`,
};

/** Whether what was announced of an object still lies ahead of it. */
export async function isStillNoticed(
  tx: Tx,
  kind: NoticeKind,
  { objectId, date }: { readonly objectId: number; readonly date: IsoDate },
): Promise<boolean> {
  const rows = await tx.query(
    `select from ${owners[kind]} o
     where o.tenant_id = $1 and o.id = $2 and $3::date is not null and ${stillNoticed[kind]}`,
    [tx.tenantId, objectId, date],
    `still-noticed-${kind}`,
  );
  return rows.length > 0;
}

const markRow = oneRow({
  into: NoticeMark,
  as: 'd',
  columns: ['kind', 'noticedOn'],
  ending: `on conflict (tenant_id, kind) do update set noticed_on = excluded.noticed_on
    where d.noticed_on < excluded.noticed_on`,
});

/** The notices of the day are complete: what is due later waits for the next 00:00. */
export async function noteNoticed(
  tx: Tx,
  kind: NoticeKind | 'debitNotice',
  today: IsoDate,
): Promise<void> {
  await tx.query(
    markRow.text,
    markRow.values(tx.tenantId, { kind, noticedOn: today }),
    'note-noticed',
  );
}

/** A tenant's first day: what is due on it waits for the next 00:00, too. */
export async function beginNotices(tx: Tx, today: IsoDate): Promise<void> {
  await tx.query(
    `insert into notice_mark (tenant_id, kind, noticed_on)
     select $1, kind, $3 from unnest($2::text[]) kind
     on conflict do nothing`,
    [tx.tenantId, [...noticeKinds, 'debitNotice'], today],
  );
}

function byKind(made: (kind: NoticeKind) => string): Readonly<Record<NoticeKind, string>> {
  return {
    trialEnding: made('trialEnding'),
    renewalNotice: made('renewalNotice'),
    priceChange: made('priceChange'),
    cardExpiring: made('cardExpiring'),
  };
}
