/** Invariants of invoice charges: their kinds, and their credits. */
import { isOf, standsOf } from '../../../db/queries/context/billed.ts';
import { standingStatus } from '../../../db/queries/context/invoices.ts';
import { givenBackOf, givesBack, invoiceOf, type Check } from './check.ts';
import { about, windows } from './usage.ts';

/** The kind of a plan's charge, as in `kindOf`. */
const kindOfPlanCharge = `case when g.is_penalty then 'penalty' when g.is_tax then 'tax'
  when g.charge_type = 'UsageCharge'
    then case when c.is_usage_charge_sub_total then 'usageSubTotal' else 'usage' end
  when exists (select from pricing_tier t where t.tenant_id = g.tenant_id and t.charge_id = g.id
    and t.percent is not null) then 'percent'
  when g.charge_type = 'OneTimeCharge' then 'oneTime' else 'period' end`;

/** Whether a percentage `p` of a plan sees a charge `o` of its line, as in `isInBase`. */
const isInBase = `(o.kind in ('period', 'oneTime', 'penalty', 'usage')
  or p.kind = 'tax' and o.kind in ('percent', 'discount')) and not ${givesBack('o')}`;

const kinds: readonly Check[] = [
  {
    name: 'charge.kind',
    rule: "A charge has its plan charge's kind; without one it is manual, a discount, a credit or tax.",
    sql: `
      with expected as (
        select c.id, c.invoice_line_id, c.position, c.kind,
               case when g.id is not null then ${kindOfPlanCharge}
                    when c.kind in ('discount', 'credit', 'tax') then c.kind
                    else 'manual' end as right_kind
        from invoice_charge c
        left join plan_charge g on g.tenant_id = c.tenant_id and g.id = c.charge_id
        where c.tenant_id = $1)
      select ${invoiceOf('i')} as object,
             'charge ' || e.position || ' of line ' || l.position || ' is of kind ' || e.kind
               || ', should be ' || e.right_kind as detail
      from expected e join invoice_line l on l.tenant_id = $1 and l.id = e.invoice_line_id
      join invoice i on i.tenant_id = $1 and i.id = l.invoice_id
      where e.kind <> e.right_kind order by i.id, l.position, e.position`,
  },
  {
    name: 'charge.percent',
    rule: "A plan's percentage is that percentage of its base, rounded once.",
    // Older percentages may have no stored base; then several periods share one.
    sql: `
      with percentages as (
        select c.*, count(*) over (partition by c.invoice_line_id, c.order_line_id) as periods
        from invoice_charge c
        where c.tenant_id = $1 and c.is_percent and c.kind in ('percent', 'tax')
          and c.charge_id is not null),
      bases as (
        select p.id, coalesce(sum(o.amount), 0) as base
        from percentages p
        left join invoice_charge o on o.tenant_id = $1 and o.invoice_line_id = p.invoice_line_id
         and case when p.base_positions is null then ${isInBase}
                  else o.position = any(p.base_positions) end
        group by p.id)
      select ${invoiceOf('i')} as object,
             coalesce(p.price_code, 'charge') || ' says ' || trim_scale(p.amount) || ', '
               || trim_scale(p.unit_price) || ' percent of ' || trim_scale(b.base) || ' is '
               || trim_scale(b.base * p.unit_price / 100) as detail
      from percentages p join bases b on b.id = p.id
      join invoice_line l on l.tenant_id = $1 and l.id = p.invoice_line_id
      join invoice i on i.tenant_id = $1 and i.id = l.invoice_id
      -- Currencies have 0, 2, 3 or 4 decimals.
      where (p.base_positions is not null or p.periods = 1) and p.amount not in (
        select round(b.base * p.unit_price / 100, digits) from unnest(array[0, 2, 3, 4]) digits)
      order by i.id, l.position, p.position`,
  },
  {
    name: 'charge.base',
    rule: "The periods of a plan's percentage share out the charges that it sees, each to one.",
    sql: `
      with percentages as (
        select invoice_line_id, order_line_id, kind, max(price_code) as price_code,
               array_agg(base_positions) as bases
        from (select c.invoice_line_id, c.order_line_id, c.kind, c.price_code,
                     array_to_string(c.base_positions, ',') as base_positions
              from invoice_charge c
              where c.tenant_id = $1 and c.is_percent and c.kind in ('percent', 'tax')
                and c.charge_id is not null) c
        group by invoice_line_id, order_line_id, kind
        having bool_and(base_positions is not null)),
      seen as (
        select p.invoice_line_id, p.order_line_id, position::int, count(*) as times
        from percentages p, unnest(p.bases) as base, unnest(string_to_array(base, ',')) as position
        group by 1, 2, 3)
      select ${invoiceOf('i')} as object,
             coalesce(p.price_code, 'charge') || ' sees charge ' || o.position || ' of line '
               || l.position || ', of kind ' || o.kind || ', ' || coalesce(s.times, 0) || ' times'
               as detail
      from percentages p
      join invoice_charge o on o.tenant_id = $1 and o.invoice_line_id = p.invoice_line_id
      left join seen s on s.invoice_line_id = p.invoice_line_id
        and s.order_line_id = p.order_line_id and s.position = o.position
      join invoice_line l on l.tenant_id = $1 and l.id = p.invoice_line_id
      join invoice i on i.tenant_id = $1 and i.id = l.invoice_id
      where coalesce(s.times, 0) <> case when ${isInBase} then 1 else 0 end
      order by i.id, l.position, o.position`,
  },
];

/** Credits of charges with the payment, or the charge of a later invoice, that carries them. */
const carried = `(select r.*, coalesce(r.payment_id, r.credit_charge_id) as carrier,
    coalesce(p.amount, -k.amount) as credit,
    coalesce(p.payment_type = 'Credit', k.kind in ('credit', 'usage')) as is_credit,
    coalesce(p.customer_id, ki.customer_id) as customer_id,
    coalesce(p.currency, ki.currency) as currency
  from charge_credit r
  left join payment p on p.tenant_id = $1 and p.id = r.payment_id
  left join invoice_charge k on k.tenant_id = $1 and k.id = r.credit_charge_id
  left join invoice_line kl on kl.tenant_id = $1 and kl.id = k.invoice_line_id
  left join invoice ki on ki.tenant_id = $1 and ki.id = kl.invoice_id
  where r.tenant_id = $1)`;

const credits: readonly Check[] = [
  {
    name: 'credit.sum',
    rule: 'A credit for unused days, and a correction of usage, is the sum of the amounts that it credits for each charge.',
    sql: `
      select 'credit ' || r.carrier as object,
             'amount ' || trim_scale(r.credit) || ', its charges ' || trim_scale(sum(r.amount))
               as detail
      from ${carried} r
      group by r.carrier, r.credit having r.credit <> sum(r.amount) order by r.carrier`,
  },
  {
    name: 'credit.charge',
    rule: 'The credits of a charge are at most the charge, have its customer, and its invoice is not cancelled.',
    sql: `
      select 'credit ' || r.carrier as object,
             'gives back ' || trim_scale(r.amount) || ' of charge ' || c.position || ' of line '
               || l.position || ' over ' || trim_scale(c.amount) || ', '
               || ${invoiceOf('i')} || ' is ' || i.status as detail
      from ${carried} r
      join invoice_charge c on c.tenant_id = $1 and c.id = r.invoice_charge_id
      join invoice_line l on l.tenant_id = $1 and l.id = c.invoice_line_id
      join invoice i on i.tenant_id = $1 and i.id = l.invoice_id
      where r.voided_at is null and (${standingStatus('i')} = 'Cancelled' or not r.is_credit
        or i.customer_id <> r.customer_id or i.currency <> r.currency
        or sign(r.amount) <> sign(c.amount)
        or abs(${givenBackOf('c')}) > abs(c.amount)) order by r.id`,
  },
  {
    name: 'credit.unused',
    rule: 'Unused days are credited only for an order that has ended, and only those after its end.',
    sql: `
      select 'credit ' || r.carrier as object,
             'days from ' || r.unused_from || ' of order ' || o.order_number || ', which is '
               || o.status || coalesce(' since ' || o.ended_on, '')
               || coalesce(', billed to ' || b.billed_to, '') as detail
      from ${carried} r
      join invoice_charge c on c.tenant_id = $1 and c.id = r.invoice_charge_id
      join invoice_line l on l.tenant_id = $1 and l.id = c.invoice_line_id
      join subscription_order o on o.tenant_id = $1 and o.id = l.order_id
      left join billed b on ${isOf('c')} and c.kind <> 'tax'
      where r.voided_at is null and (o.status not in ('Canceled', 'Superseded')
        or o.ended_on >= r.unused_from or b.billed_to < r.unused_from)
        and r.unused_from is not null order by r.id`,
  },
];

export const chargeChecks: readonly Check[] = [...kinds, ...credits];

/** Invariants of what corrections of usage give back: of the usage, and of what was taken of it. */
export const correctionChecks: readonly Check[] = [
  {
    name: 'usage.corrected',
    rule: 'What corrections of billed records come to is given back of the charges that billed these.',
    sql: `
      with ${windows},
      corrections as (
        select r.window_id as id, k.corrected_percent is not null as is_percent,
               -coalesce(sum(k.amount), 0) as amount
        from activity k
        join activity r on r.tenant_id = $1 and r.id = k.corrects_id
        join windows kw on kw.id = k.window_id and kw.closed_at is not null
          and not kw.corrects_plainly
        where k.tenant_id = $1 and k.corrects_billed
        group by 1, 2),
      credited as (
        select c.usage_window_id as id, c.is_percent, sum(x.amount) as amount
        from charge_credit x
        join invoice_charge c on c.tenant_id = $1 and c.id = x.invoice_charge_id and c.kind = 'usage'
        where x.tenant_id = $1 and x.voided_at is null
        group by 1, 2),
      found as (
        select coalesce(k.id, c.id) as id, coalesce(c.amount, 0) as given,
               case when not coalesce(k.is_percent, c.is_percent) then coalesce(k.amount, 0)
                 else round(s.amount * w.percent * 0.01, w.digits)
                   - round((s.amount - coalesce(k.amount, 0)) * w.percent * 0.01, w.digits)
                 end as expected
        from corrections k
        full join credited c on c.id = k.id and c.is_percent = k.is_percent
        join windows w on w.id = case when k.id is null then c.id else k.id end
        left join lateral (
          select sum(a.amount) as amount from activity a
          where coalesce(k.is_percent, c.is_percent) and a.tenant_id = $1 and a.window_id = w.id
            and not a.corrects_billed) s on true)
      select ${about} || ', invoice ' || w.invoice_number || ': its corrections give back '
        || trim_scale(f.given) || ', should give back ' || trim_scale(f.expected) as detail
      from found f join windows w on w.id = f.id
      where f.given is distinct from f.expected
      order by w.order_number, w.position, w.period_index`,
  },
  {
    name: 'credit.discount',
    rule: 'After corrections of usage, a discount in percent is its percentage of the usage that stands.',
    sql: `
      with ${windows},
      charges as (
        select c.*, c.amount - coalesce(${givenBackOf('c')}, 0) as stands
        from invoice_charge c
        where c.tenant_id = $1 and c.usage_window_id is not null and c.kind in ('usage', 'discount')
          and not ${givesBack('c')} and c.invoice_line_id in (
            select o.invoice_line_id from charge_credit r
            join invoice_charge o on o.tenant_id = $1 and o.id = r.invoice_charge_id
            where r.tenant_id = $1 and r.voided_at is null and r.unused_from is null))
      select ${invoiceOf('i')} as object,
             'the discount at ' || d.position || ' of line ' || l.position || ' stands at '
               || trim_scale(d.stands) || ', ' || trim_scale(d.unit_price) || ' percent of '
               || trim_scale(b.base) as detail
      from charges d
      cross join lateral (select sum(u.stands) as base from charges u
        where u.invoice_line_id = d.invoice_line_id and u.usage_window_id = d.usage_window_id
          and u.kind = 'usage') b
      join windows w on w.id = d.usage_window_id and not w.corrects_plainly
      join invoice_line l on l.tenant_id = $1 and l.id = d.invoice_line_id
      join invoice i on i.tenant_id = $1 and i.id = l.invoice_id
      where d.kind = 'discount' and d.is_percent
        -- Currencies have 0, 2, 3 or 4 decimals.
        and -d.stands not in (select round(b.base * d.unit_price / 100, digits)
                              from unnest(array[0, 2, 3, 4]) digits)
      order by i.id, l.position, d.position`,
  },
];

/* Free days of orders are billed by nothing. */

export const trialChecks: readonly Check[] = [
  {
    name: 'trial.free',
    rule: 'No charge that stands bills a day of a trial.',
    sql: `
      select 'order ' || o.order_number as object,
             'is billed from ' || min(b.billed_from) || ' on, but its trial lasts to '
               || o.trial_end_date as detail
      from subscription_order o
      join order_line l on l.tenant_id = $1 and l.order_id = o.id
      join billed b on ${standsOf('l')} and b.billed_from <= o.trial_end_date
      where o.tenant_id = $1 and o.trial_end_date is not null
      group by o.order_number, o.trial_end_date order by o.order_number`,
  },
];

/* Invariants of change orders: each pair of orders fits together. */

/** Each order that is replaced, or will be, with the order that replaces it. */
const pairs = `pairs as (
  select o.id, o.order_number, o.status, o.customer_id, o.start_date, o.ended_on, o.change_on,
         n.order_number as next_number, n.status as next_status, n.start_date as next_start,
         n.customer_id as next_customer
  from subscription_order o
  left join subscription_order n on n.tenant_id = $1 and n.previous_order_id = o.id
  where o.tenant_id = $1
    and (o.status = 'Superseded' or o.change_on is not null or n.id is not null))`;

/** What of an order `o` is billed elsewhere of a plan charge `g`, whose windows are usage. */
const elsewhere = `case when g.charge_type = 'UsageCharge' or not g.is_prepaid
  then o.arrears_billed_through else o.billed_through end`;

export const elsewhereChecks: readonly Check[] = [
  {
    name: 'billedThrough.days',
    rule: 'No day that is billed elsewhere is billed here; what is due once and penalties have no days.',
    sql: `
      select 'order ' || o.order_number as object,
             'line ' || l.position || ' is billed for ' || b.billed_from || ' to ' || b.billed_to
               || ', but elsewhere to ' || ${elsewhere} as detail
      from subscription_order o
      join order_line l on l.tenant_id = $1 and l.order_id = o.id
      join plan_charge g on g.tenant_id = $1 and g.id = l.charge_id
        and g.charge_type <> 'OneTimeCharge' and not g.is_penalty
      join billed b on b.tenant_id = $1 and b.order_line_id = l.id and b.stands
      where o.tenant_id = $1 and o.billed_through is not null and b.billed_from <= ${elsewhere}
      order by o.order_number, l.position, b.billed_from`,
  },
];

export const changeChecks: readonly Check[] = [
  {
    name: 'change.pair',
    rule: 'A Superseded order has one successor, of its customer, from the day after its end; a pending change has one that waits for its day.',
    sql: `
      with ${pairs}
      select 'order ' || order_number as object, case
               when next_number is null and change_on is null then 'is Superseded by no order'
               when next_number is null then 'changes on ' || change_on || ' to no order'
               when next_customer <> customer_id
                 then 'is replaced by order ' || next_number || ' of another customer'
               when change_on is null and next_status = 'Provisioning'
                 then 'has no day on which order ' || next_number || ' replaces it'
               when change_on is not null and next_status <> 'Provisioning'
                 then 'changes on ' || change_on || ' to order ' || next_number || ', which is '
                   || next_status
               when change_on is null and status not in ('Superseded', 'Canceled')
                 then 'is ' || status || ', but order ' || next_number || ' has replaced it'
               else 'ends ' || coalesce('on ' || ended_on, 'on no day') || ', but order '
                 || next_number || ' begins on ' || next_start end as detail
      from pairs p
      where (next_number is null and (change_on is not null
          -- Its successor may have been deleted for another order since.
          or not exists (select from subscription_order r where r.tenant_id = $1
            and r.customer_id = p.customer_id and r.removed_order_id is not null)))
        or next_customer <> customer_id
        or (change_on is null) = (next_status = 'Provisioning')
        or (change_on is null and status not in ('Superseded', 'Canceled'))
        or next_start <> coalesce(change_on, ended_on + 1, start_date)
      order by order_number`,
  },
];
