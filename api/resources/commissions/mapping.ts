/** Turns what operations read of commissions into documents, and requests into input. */
import type {
  CommissionPlanView,
  OrderAgentView,
  SalesAgentView,
} from '../../../operations/commissions/read.ts';
import type { LinkInput } from '../../../operations/commissions/links.ts';
import type { CommissionView } from '../../../operations/commissions/statement.ts';
import type {
  BillerDocument,
  CommissionDocument,
  CommissionPlanDocument,
  LinkDocument,
  LinkRequest,
} from './schema.ts';

/** An internal type name of the specification. */
const ADDRESS_CLASS = 'com.sundial.Address';

export function commissionPlanDocument({
  planIds,
  charges,
  ...plan
}: CommissionPlanView): CommissionPlanDocument {
  const { id } = plan;
  return {
    ...plan,
    contractOfferings: planIds.map((planId) => ({ id: planId })),
    commissionCharges: charges.map((charge) => ({ ...charge, commissionPlan: { id } })),
  };
}

export function billerDocument({
  address,
  commissionPlanId,
  ...agent
}: SalesAgentView): BillerDocument {
  const { street1, street2, city, state, zip, country, countryCode } = address;
  return {
    ...agent,
    address: {
      street1: street1 ?? null,
      street2: street2 ?? null,
      city: city ?? null,
      state: state ?? null,
      zip: zip ?? null,
      country: country ?? null,
      countryCode: countryCode ?? null,
      class: ADDRESS_CLASS,
    },
    commissionPlan: referenceTo(commissionPlanId),
  };
}

export function linkDocument({
  id,
  joiningDate,
  commissionPlanId,
  salesAgentId,
}: OrderAgentView): LinkDocument {
  return {
    id,
    joiningDate,
    commissionPlan: { id: commissionPlanId },
    biller: { id: salesAgentId },
  };
}

export function linkInput({ joiningDate, commissionPlan, biller }: LinkRequest): LinkInput {
  return {
    billerId: biller?.id ?? null,
    commissionPlanId: commissionPlan?.id ?? null,
    joiningDate: joiningDate ?? null,
  };
}

export function commissionDocument({
  orderNumber,
  currency,
  reversalOf,
  ...row
}: CommissionView): CommissionDocument {
  return {
    ...row,
    orderNumber: String(orderNumber),
    currency: { id: currency },
    reversalOf: referenceTo(reversalOf),
  };
}

function referenceTo(id: number | null): { id: number } | null {
  return id === null ? null : { id };
}
