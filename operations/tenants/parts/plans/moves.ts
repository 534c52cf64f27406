/**
 * Lets the running orders of older versions of a plan take the prices of the newest one, or keep theirs,
 * and says how many do. It writes versions, and no orders: runs date and move those.
 */
import { noticeDaysUsual } from '../../../../domain/events/notices.ts';
import { addDays, type IsoDate } from '../../../../domain/calendar/calendar.ts';
import { highestPricedQuantity } from '../../../../domain/billing/rate/pricing.ts';
import type { Decimal } from '../../../../domain/money/money.ts';
import {
  type ExistingOrders,
  type MovedCharge,
  type MovedPlan,
  noTierText,
  whyChargesDiffer,
  whyPlansDiffer,
} from '../../../../domain/plans/price-moves.ts';
import type { Charge } from '../../../../domain/plans/plan.ts';
import type { Tx } from '../../../../db/connection/tenancy.ts';
import { isRunning } from '../../../../db/queries/due/price-moves.ts';
import { givenOf } from '../../../../db/queries/context/insertion.ts';
import type { Change } from '../../file/changes.ts';
import type { PlanContent } from './content.ts';

/** How many orders a line names of those that stay for one reason. */
const STAYING_SHOWN_MAX = 10;

/** Its newest version as it is from now on. */
export interface MovedPlanVersion {
  readonly id: number;
  readonly version: number;
  readonly content: PlanContent;
  /** What the file said before, and what it says. */
  readonly before: ExistingOrders;
  readonly existingOrders: ExistingOrders;
  readonly today: IsoDate;
  readonly priceChangeDays: number | undefined;
}

/** Orders that have not moved begin anew: with the newest version, and days that count from today. */
export async function moveOrders(tx: Tx, plan: MovedPlanVersion): Promise<Change[]> {
  const { before, existingOrders: by, today } = plan;
  if (before === 'keep' && by === 'keep') return [];
  const { contractCode } = plan.content;
  // The first 00:00 after this.
  const datedOn = addDays(today, 1);
  const from = addDays(datedOn, plan.priceChangeDays ?? noticeDaysUsual.priceChangeDays);
  const moves = by === 'keep' ? [null, null, null] : [plan.id, by, from];
  const older = await tx.query<{ id: number }>(
    `update plan set moves_to = $2, moves_by = $3, moves_from = $4, moves_dated_on = null
     where contract_code = $1 and not is_newest returning id`,
    [contractCode, ...moves],
  );
  if (older.length === 0) return [];
  await tx.query('update plan set moves_dated_on = $2 where id = $1', [plan.id, datedOn]);
  if (by === 'keep') {
    return [{ subject: `plan ${contractCode}`, change: 'running orders keep their prices' }];
  }
  const counted = await countMoves(tx, plan, { by, from, ids: older.map(({ id }) => id) });
  return counted.map((change) => ({ subject: `plan ${contractCode}`, change }));
}

interface Moving {
  readonly by: Exclude<ExistingOrders, 'keep'>;
  readonly from: IsoDate;
  /** Of the older versions. */
  readonly ids: readonly number[];
}

/** Null for those that move. */
interface Counted {
  readonly why: string | null;
  readonly orders: number;
  readonly numbers: readonly number[];
}

async function countMoves(
  tx: Tx,
  { version, content }: MovedPlanVersion,
  { by, from, ids }: Moving,
): Promise<string[]> {
  const faults = await faultsOf(tx, content, ids);
  const rows = await tx.query<Counted & Record<string, unknown>>(countText, [
    tx.tenantId,
    given.json(faults),
    ids,
    from,
    by === 'nextTerm',
    STAYING_SHOWN_MAX,
  ]);
  const moving = rows.find(({ why }) => why === null)?.orders ?? 0;
  const first = by === 'nextTerm' ? 'term' : 'period';
  return [
    `${ordersText(moving)} ${moving === 1 ? 'moves' : 'move'} to version ${version}, with the first unbilled ${first} from ${from} on`,
    ...rows.flatMap((row) => (row.why === null ? [] : [stayText(row.why, row)])),
  ];
}

function stayText(why: string, { orders, numbers }: Counted): string {
  const more = orders > numbers.length ? ', ..' : '';
  return `${ordersText(orders)} ${orders === 1 ? 'stays' : 'stay'}, ${why}: ${numbers.join(', ')}${more}`;
}

const ordersText = (orders: number): string => `${orders} order${orders === 1 ? '' : 's'}`;

/** Why orders of a version in a currency stay: all of them, or those with a line of a charge. */
const given = givenOf({
  planId: 'bigint',
  currency: 'text',
  chargeId: 'bigint?',
  why: 'text',
  /** Only lines with a greater quantity; null: each. */
  above: 'numeric?',
});

interface Fault {
  readonly planId: number;
  readonly currency: string;
  readonly chargeId: number | null;
  readonly why: string;
  readonly above: Decimal | null;
}

async function faultsOf(
  tx: Tx,
  content: PlanContent,
  ids: readonly number[],
): Promise<readonly Fault[]> {
  const used = await tx.query<UsedPlan & Record<string, unknown>>(
    `select p.id, p.billing_period, p.billing_alignment, p.alignment_day, o.currency
     from (select plan_id, currency from subscription_order
           where tenant_id = $1 and plan_id = any($2) and ${isRunning('status')}
           group by plan_id, currency) o
     join plan p on p.tenant_id = $1 and p.id = o.plan_id order by p.id, o.currency`,
    [tx.tenantId, ids],
  );
  const charges = await tx.query<OldCharge & Record<string, unknown>>(
    `select id, plan_id, price_code, charge_type, pricing_type, is_prepaid, is_tax, is_penalty,
            unit_of_measure
     from plan_charge where tenant_id = $1 and plan_id = any($2) order by plan_id, position`,
    [tx.tenantId, [...new Set(used.map(({ id }) => id))]],
  );
  const chargesOf = Map.groupBy(charges, ({ planId }) => planId);
  // The file's schema has checked what the types of content leave open.
  const next = content as unknown as NewPlan;
  const byCode = new Map(next.charges.map((charge) => [charge.priceCode, charge]));
  return used.flatMap(({ id: planId, currency, ...own }): Fault[] => {
    const differs = whyPlansDiffer(own, next);
    if (differs !== null) return [{ planId, currency, chargeId: null, why: differs, above: null }];
    return (chargesOf.get(planId) ?? []).flatMap((charge): Fault[] => {
      const { id: chargeId } = charge;
      const to = byCode.get(charge.priceCode);
      const why = whyChargesDiffer(charge, to, currency);
      if (why !== null) return [{ planId, currency, chargeId, why, above: null }];
      const above = to === undefined ? null : highestPricedQuantity(to, currency);
      if (above === null) return [];
      return [{ planId, currency, chargeId, why: noTierText(charge.priceCode), above }];
    });
  });
}

interface UsedPlan extends MovedPlan {
  readonly id: number;
  readonly currency: string;
}

interface OldCharge extends MovedCharge {
  readonly id: number;
  readonly planId: number;
}

interface NewPlan extends MovedPlan {
  readonly charges: readonly (MovedCharge & Pick<Charge, 'tiers'>)[];
}

/** A line that bills nothing from then on is no reason to stay, as `newPricesOn` decides. */
const countText = `
  with fault as (select * from ${given.recordset}),
  order_of as (
    select o.order_number, case
        when o.end_date is not null and not o.is_auto_renew and ($5 or o.end_date < $4)
          then 'which end without renewal'
        else coalesce(
          (select f.why from fault f where f."planId" = o.plan_id and f.currency = o.currency
             and f."chargeId" is null limit 1),
          (select f.why from order_line l
           join plan_charge g on g.tenant_id = l.tenant_id and g.id = l.charge_id
           join fault f on f."chargeId" = l.charge_id and f.currency = o.currency
            and case when f.above is null then true else l.quantity > f.above end
           where l.tenant_id = o.tenant_id and l.order_id = o.id and l.is_active
             and case when l.ends_on is null then true else l.ends_on >= $4 end
             and (g.charge_type <> 'OneTimeCharge' or g.is_penalty or l.next_period_index = 0)
           order by l.position limit 1)) end as why
    from subscription_order o
    where o.tenant_id = $1 and o.plan_id = any($3) and ${isRunning('o.status')})
  select why, count(*)::int as orders,
         (array_agg(order_number order by order_number))[1:$6] as numbers
  from order_of group by why order by why nulls first`;
