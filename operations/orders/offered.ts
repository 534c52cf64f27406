/** Which plans hosted pages offer, and whether they offer one. */
import { DomainError } from '../../domain/errors.ts';
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import { countedCharges } from '../../domain/orders/quoted-plan.ts';
import { takesOrders } from '../../domain/orders/terms.ts';
import { trialEnd } from '../../domain/plans/trial.ts';
import { listPrice, type PlanPrice } from '../../domain/self-service/running-price.ts';
import { inTenant, type Tx } from '../../db/connection/tenancy.ts';
import { tenantTimeOf, type Dependencies, type TenantInfo } from '../context/context.ts';
import { planVersions } from '../plans/versions.ts';
import { unknownPlan } from './plan-choice.ts';

/** So many are priced for a page to choose from, the first of the file; a form may name any. */
export const PLANS_LISTED_MAX = 200;

export interface Offer {
  /** Only plans of this product offering. */
  readonly sku: string | null;
  /** Null: today. */
  readonly startDate: IsoDate | null;
}

interface ListedPlan {
  /** Of its newest version. */
  readonly id: number;
  readonly contractCode: string;
  readonly name: string;
}

export interface OfferedPlan extends Omit<ListedPlan, 'id'> {
  /** In quantity 1; null beyond those that are priced. */
  readonly price: PlanPrice | null;
  /** Something of it follows a quantity; also where that is not read. */
  readonly hasQuantity: boolean;
  /** The last free day of an order that starts then; null without a trial. */
  readonly trialEndDate: IsoDate | null;
}

/**
 * Those that are in force on the startDate, of the sku, with a price of every charge in the
 * tenant's currency, in the order of the tenant's file.
 */
export function offeredPlans(
  dependencies: Dependencies,
  tenant: TenantInfo,
  offer: Offer,
): Promise<OfferedPlan[]> {
  return inTenant(
    dependencies.db,
    tenant.id,
    async (tx) => {
      const { today } = await tenantTimeOf(dependencies, tenant, tx, 'none');
      const { sku, startDate } = offer;
      const { currency } = tenant;
      const wanted = { sku, currency, startDate: startDate ?? today, today };
      return pricedOffers(dependencies, tx, wanted);
    },
    { readOnly: true },
  );
}

/** The same in a transaction, in any currency. */
export async function pricedOffers(
  { db }: Dependencies,
  tx: Tx,
  wanted: Wanted,
): Promise<OfferedPlan[]> {
  const offered = await listOffered(tx, wanted);
  const plans = await planVersions(
    db,
    tx,
    offered.slice(0, PLANS_LISTED_MAX).map(({ id }) => id),
  );
  return offered.map(({ id, contractCode, name }) => {
    const plan = plans.get(id);
    const price = plan === undefined ? null : listPrice(plan, wanted);
    const hasQuantity = plan === undefined || countedCharges(plan).length > 0;
    const trial = plan?.trial ?? null;
    const trialEndDate = trial === null ? null : trialEnd(trial, wanted.startDate);
    return { contractCode, name, price, hasQuantity, trialEndDate };
  });
}

/** Without their prices. */
export async function listOffered(tx: Tx, wanted: Wanted): Promise<ListedPlan[]> {
  const plans = await candidates(tx, { ...wanted, contractCode: null });
  return plans
    .filter((plan) => fault(plan, wanted) === null)
    .map(({ id, contractCode, name }) => ({ id, contractCode, name }));
}

/**
 * The plan of that code. Throws plan.unknown (also if it is of another product offering),
 * plan.retired, order.priceMissing or order.unitPriceMissing, of contractCode.
 */
export async function refuseUnoffered(
  tx: Tx,
  { contractCode, ...wanted }: Wanted & { readonly contractCode: string },
): Promise<ListedPlan> {
  const { currency } = wanted;
  const [plan] = await candidates(tx, { sku: null, contractCode, currency });
  if (!plan) throw await unknownPlan(tx, contractCode, 'contractCode');
  const found = fault(plan, wanted);
  if (found !== null) throw found;
  return { id: plan.id, contractCode: plan.contractCode, name: plan.name };
}

interface Candidate extends ListedPlan {
  readonly startDate: IsoDate | null;
  readonly endDate: IsoDate | null;
  readonly sku: string | null;
  readonly asksForPrice: boolean;
  readonly isUnpriced: boolean;
}

interface Choice extends Pick<Wanted, 'sku' | 'currency'> {
  /** Null: all of them. */
  readonly contractCode: string | null;
}

/** Penalties are on no order from its start, so they need no price. */
function candidates(tx: Tx, { sku, contractCode, currency }: Choice): Promise<Candidate[]> {
  return tx.query<Candidate & Record<string, unknown>>(
    `select p.id, p.contract_code, p.name, p.start_date,
            p.end_date, o.sku,
            exists (${charges} and c.pricing_type = 'UserEnteredPricing') as asks_for_price,
            exists (${charges} and c.pricing_type <> 'UserEnteredPricing' and not exists (
              select from pricing_tier t
              where t.tenant_id = c.tenant_id and t.charge_id = c.id and t.currency = $4))
              as is_unpriced
     from plan p
     left join product_offering o on o.tenant_id = p.tenant_id and o.id = p.product_offering_id
     left join ${placesInFile} f on f.contract_code = p.contract_code
     where p.tenant_id = $1 and p.is_newest
       and ($2::text is null or p.contract_code = $2) and ($3::text is null or o.sku = $3)
     order by f.place, p.contract_code`,
    [tx.tenantId, contractCode, sku, currency],
    'offered-plans',
  );
}

/** The file that was applied last says in which order people see the plans. */
const placesInFile = `(
  select each.plan ->> 'contractCode' as contract_code, each.place
  from tenant t, jsonb_array_elements(t.file -> 'plans') with ordinality as each (plan, place)
  where t.id = $1)`;

const charges = `select from plan_charge c
  where c.tenant_id = p.tenant_id and c.plan_id = p.id and not c.is_penalty`;

interface Wanted {
  readonly sku: string | null;
  /** Every charge has a price in it. */
  readonly currency: string;
  readonly startDate: IsoDate;
  readonly today: IsoDate;
}

/** Why a plan is not offered. */
function fault(plan: Candidate, { sku, currency, startDate, today }: Wanted): DomainError | null {
  const { contractCode } = plan;
  const where = { path: 'contractCode', value: contractCode };
  if (sku !== null && plan.sku !== sku) {
    return new DomainError('plan.unknown', `${sku} has no plan ${contractCode}`, where);
  }
  if (!takesOrders({ ...plan, isNewest: true }, { startDate, today })) {
    const message = `plan ${contractCode} takes no new order that starts on ${startDate}`;
    return new DomainError('plan.retired', message, where);
  }
  if (plan.asksForPrice) {
    const message = `plan ${contractCode} needs a unitPrice`;
    return new DomainError('order.unitPriceMissing', message, where);
  }
  if (!plan.isUnpriced) return null;
  const message = `plan ${contractCode} has no price in ${currency}`;
  return new DomainError('order.priceMissing', message, where);
}
