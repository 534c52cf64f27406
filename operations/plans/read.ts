/** Reads plan versions for the interface. */
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import type { Decimal } from '../../domain/money/money.ts';
import type { ChargeType, PricingType } from '../../domain/plans/plan.ts';
import { dayOf, firstOf, type Page, type Reader } from '../context/listing.ts';
import type { TenantInfo } from '../context/context.ts';
import type { Plan } from '../../db/entities/plans.ts';
import type { RowOf } from '../../db/entities/rows.ts';

interface Stamped {
  readonly lastUpdated: IsoDate;
  readonly dateCreated: IsoDate;
}

export interface TierView extends Stamped {
  readonly id: number;
  readonly unitsFrom: Decimal;
  readonly unitsTo: Decimal | null;
  readonly price: Decimal | null;
  readonly percent: Decimal | null;
  readonly isOverage: boolean;
  readonly currency: string;
}

export interface ChargeView extends Stamped {
  readonly id: number;
  readonly accountingCode: string | null;
  readonly position: number;
  readonly priceCode: string;
  readonly invoiceText: string | null;
  readonly chargeType: ChargeType;
  readonly pricingType: PricingType;
  readonly isPrepaid: boolean;
  readonly isPenalty: boolean;
  readonly isProrated: boolean;
  readonly isTax: boolean;
  readonly isMandatory: boolean;
  readonly isSeparateInvoice: boolean;
  readonly followsQuantity: boolean;
  readonly decimals: boolean;
  readonly unitOfMeasure: string | null;
  readonly standardQuantity: Decimal;
  readonly minQuantity: Decimal | null;
  readonly maxQuantity: Decimal | null;
  readonly taxCodes: readonly string[];
  readonly notes: string | null;
  readonly pricingTiers: readonly TierView[];
}

export interface PlanView
  extends
    Stamped,
    RowOf<
      typeof Plan,
      | 'id'
      | 'contractCode'
      | 'name'
      | 'startDate'
      | 'endDate'
      | 'billingPeriod'
      | 'billingAlignment'
      | 'alignmentDay'
      | 'dueDateValue'
      | 'dueDateUnits'
      | 'isAutoRenew'
      | 'trialValue'
      | 'trialUnits'
      | 'trialCard'
      | 'invoiceText'
      | 'notes'
      | 'productOfferingId'
    > {
  /** Undefined if the charges were not requested. */
  readonly charges?: readonly ChargeView[];
}

/** Any version by id; the newest version by code. */
export type PlanAddress = { readonly id: number } | { readonly contractCode: string };

export function readPlan(
  tx: Reader,
  tenant: TenantInfo,
  address: PlanAddress,
): Promise<PlanView | undefined> {
  const byId = 'id' in address;
  const condition = byId ? 'p.id = $2' : 'p.contract_code = $2 and p.is_newest';
  return firstOf(
    tx.query<PlanView>(
      `select ${planColumns}, ${charges} as charges from plan p where ${condition}`,
      [tenant.timezone, byId ? address.id : address.contractCode],
      byId ? 'read-plan-by-id' : 'read-plan-by-code',
    ),
  );
}

/** The newest version of each plan, by ascending id. */
export function listPlans(
  tx: Reader,
  tenant: TenantInfo,
  options: Page & { readonly excludeCharges: boolean },
): Promise<PlanView[]> {
  const columns = options.excludeCharges ? planColumns : `${planColumns}, ${charges} as charges`;
  return tx.query<PlanView>(
    `select ${columns} from plan p where p.is_newest order by p.id limit $2 offset $3`,
    [tenant.timezone, options.max, options.offset],
    options.excludeCharges ? 'list-plans' : 'list-plans-with-charges',
  );
}

const stamps = (alias: string): string =>
  `'lastUpdated', ${dayOf(`${alias}.updated_at`, '$1')},
   'dateCreated', ${dayOf(`${alias}.created_at`, '$1')}`;

const planColumns = `p.id, p.contract_code, p.name, p.start_date,
  p.end_date, p.billing_period,
  p.billing_alignment, p.alignment_day,
  p.due_date_value, p.due_date_units,
  p.is_auto_renew, p.trial_value, p.trial_units, p.trial_card, p.invoice_text, p.notes,
  p.product_offering_id,
  ${dayOf('p.updated_at', '$1')} as last_updated, ${dayOf('p.created_at', '$1')} as date_created`;

const decimalText = (column: string): string => `trim_scale(${column})::text`;

const tiers = `(select coalesce(json_agg(json_build_object('id', t.id,
    'unitsFrom', ${decimalText('t.units_from')}, 'unitsTo', ${decimalText('t.units_to')},
    'price', ${decimalText('t.price')}, 'percent', ${decimalText('t.percent')},
    'isOverage', t.is_overage, 'currency', t.currency, ${stamps('t')})
    order by t.position, t.id), '[]')
  from pricing_tier t where t.tenant_id = c.tenant_id and t.charge_id = c.id)`;

const charges = `(select coalesce(json_agg(json_build_object('id', c.id,
    'accountingCode', c.accounting_code, 'position', c.position, 'priceCode', c.price_code,
    'invoiceText', c.invoice_text, 'chargeType', c.charge_type, 'pricingType', c.pricing_type,
    'isPrepaid', c.is_prepaid, 'isPenalty', c.is_penalty, 'isProrated', c.is_prorated,
    'isTax', c.is_tax, 'isMandatory', c.is_mandatory, 'isSeparateInvoice', c.is_separate_invoice,
    'followsQuantity', c.follows_quantity, 'decimals', c.decimals,
    'unitOfMeasure', c.unit_of_measure, 'standardQuantity', ${decimalText('c.standard_quantity')},
    'minQuantity', ${decimalText('c.min_quantity')}, 'maxQuantity', ${decimalText('c.max_quantity')},
    'taxCodes', c.tax_codes, 'notes', c.notes, ${stamps('c')}, 'pricingTiers', ${tiers})
    order by c.position, c.id), '[]')
  from plan_charge c where c.tenant_id = p.tenant_id and c.plan_id = p.id)`;
