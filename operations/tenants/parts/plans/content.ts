/**
 * The content of a plan version, in one canonical form for the file's plans and the stored ones.
 */
import type { IsoDate } from '../../../../domain/calendar/calendar.ts';
import type { Decimal } from '../../../../domain/money/money.ts';
import { normalizeTiers } from '../../../../domain/billing/rate/pricing.ts';
import type { FileCharge, FilePlan } from './schema.ts';

export interface TierContent {
  readonly unitsFrom: Decimal;
  readonly unitsTo: Decimal | null;
  readonly price: Decimal | null;
  readonly percent: Decimal | null;
  readonly isOverage: boolean;
  readonly currency: string;
}

export interface ChargeContent {
  readonly priceCode: string;
  readonly invoiceText: string | null;
  readonly accountingCode: string | null;
  readonly chargeType: string;
  readonly pricingType: string;
  readonly isPrepaid: boolean;
  readonly isPenalty: boolean;
  readonly penaltyStatus: string | null;
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
  readonly tiers: readonly TierContent[];
}

export interface PlanContent {
  readonly contractCode: string;
  readonly name: string;
  /** The product offering's sku. */
  readonly productOffering: string | null;
  readonly startDate: IsoDate | null;
  readonly endDate: IsoDate | null;
  readonly billingPeriod: string;
  readonly billingAlignment: string;
  readonly alignmentDay: number | null;
  readonly dueDateValue: number | null;
  readonly dueDateUnits: string | null;
  readonly isAutoRenew: boolean | null;
  readonly trialValue: number | null;
  readonly trialUnits: string | null;
  readonly trialCard: string | null;
  readonly invoiceText: string | null;
  readonly notes: string | null;
  readonly charges: readonly ChargeContent[];
}

const penaltyStatusDefault = 'Overdue3';

/** The quantity of a charge's line by default; for usage charges, the free quantity. */
export function standardQuantityOf(charge: {
  readonly chargeType?: string | undefined;
  readonly standardQuantity?: Decimal | undefined;
}): Decimal {
  return charge.standardQuantity ?? (charge.chargeType === 'UsageCharge' ? '0' : '1');
}

/** @param currency the tenant's: that of prices which name none */
export function contentOf(plan: FilePlan, currency: string): PlanContent {
  return {
    contractCode: plan.contractCode,
    name: plan.name,
    productOffering: plan.productOffering ?? null,
    startDate: plan.startDate ?? null,
    endDate: plan.endDate ?? null,
    billingPeriod: plan.billingPeriod,
    billingAlignment: plan.billingAlignment,
    alignmentDay: plan.alignmentDay ?? null,
    dueDateValue: plan.dueDateValue ?? null,
    dueDateUnits: plan.dueDateUnits ?? null,
    isAutoRenew: plan.isAutoRenew ?? null,
    trialValue: plan.trial?.value ?? null,
    trialUnits: plan.trial?.units ?? null,
    trialCard: plan.trial?.card ?? null,
    invoiceText: plan.invoiceText ?? null,
    notes: plan.notes ?? null,
    charges: plan.charges.map((charge) => chargeContent(charge, currency)),
  };
}

function chargeContent(charge: FileCharge, currency: string): ChargeContent {
  return {
    priceCode: charge.priceCode,
    invoiceText: charge.invoiceText ?? null,
    accountingCode: charge.accountingCode ?? null,
    chargeType: charge.chargeType,
    pricingType: charge.pricingType,
    isPrepaid: charge.isPrepaid,
    isPenalty: charge.isPenalty,
    penaltyStatus: charge.isPenalty ? (charge.penaltyStatus ?? penaltyStatusDefault) : null,
    isProrated: charge.isProrated,
    isTax: charge.isTax,
    isMandatory: charge.isMandatory,
    isSeparateInvoice: charge.isSeparateInvoice,
    followsQuantity: charge.followsQuantity,
    decimals: charge.decimals,
    unitOfMeasure: charge.unitOfMeasure ?? null,
    standardQuantity: standardQuantityOf(charge),
    minQuantity: charge.minQuantity ?? null,
    maxQuantity: charge.maxQuantity ?? null,
    taxCodes: charge.taxCodes,
    notes: charge.notes ?? null,
    tiers: tiersContent(charge, currency),
  };
}

// The tenant's currency first, each currency's tiers together: so a tier moved in the file between
// tiers of another currency changes nothing.
function tiersContent(charge: FileCharge, currency: string): readonly TierContent[] {
  const fixed = { unitsFrom: '0', unitsTo: null, percent: null, isOverage: false, currency };
  const tiers: readonly TierContent[] =
    charge.price === undefined
      ? (charge.tiers ?? []).map((tier) => ({
          unitsFrom: tier.unitsFrom,
          unitsTo: tier.unitsTo ?? null,
          price: tier.price ?? null,
          percent: tier.percent ?? null,
          isOverage: tier.isOverage,
          currency: tier.currency ?? currency,
        }))
      : [{ ...fixed, price: charge.price }];
  const groups = Map.groupBy(tiers, (tier) => tier.currency);
  const order = [...groups.keys()].sort((a, b) =>
    a === currency ? -1 : b === currency ? 1 : a < b ? -1 : 1,
  );
  return order.flatMap((code) => normalizeTiers(groups.get(code) ?? []).tiers);
}
