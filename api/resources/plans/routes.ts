/** Plans, which the tenant's file declares; read only. */
import { z } from 'zod';
import { planHint } from '../../../operations/orders/plan-choice.ts';
import {
  listPlans,
  readPlan,
  type PlanAddress,
  type PlanView,
} from '../../../operations/plans/read.ts';
import type { TenantInfo } from '../../../operations/context/context.ts';
import { route, type Route } from '../../calls/route.ts';
import { planCodec, planList, type PlanDocument } from './schema.ts';
import { boolean, text } from '../../xml/types.ts';
import { page } from '../../calls/queries.ts';
import { found, reading, type RouteDependencies } from '../../calls/services.ts';
import { priceText } from '../../../domain/money/money.ts';

export function planRoutes(dependencies: RouteDependencies): Route[] {
  const read = async (tenant: TenantInfo, address: PlanAddress) => {
    const plan = await reading(dependencies, tenant, (tx) => readPlan(tx, tenant, address));
    const isUnknownCode = plan === undefined && 'contractCode' in address;
    const hint = isUnknownCode
      ? await reading(dependencies, tenant, (tx) => planHint(tx, address.contractCode))
      : '';
    return planDocument(found('plan', plan, address, hint));
  };
  return [
    route({
      method: 'GET',
      path: '/plan/:id',
      summary: 'A plan version with its charges and pricing tiers',
      response: planCodec,
      handler: ({ tenant, id }) => read(tenant, { id }),
    }),
    route({
      method: 'GET',
      path: '/plan',
      summary: 'The newest version of a plan by its code',
      query: z.object({ contractCode: text() }),
      response: planCodec,
      handler: ({ tenant, query }) => read(tenant, query),
    }),
    route({
      method: 'GET',
      path: '/plans',
      summary: 'The newest version of each plan, by ascending id',
      query: z.object({ ...page, excludeCharges: boolean().default(false) }),
      response: planList,
      handler: ({ tenant, query }) =>
        reading(dependencies, tenant, async (tx) =>
          (await listPlans(tx, tenant, query)).map(planDocument),
        ),
    }),
  ];
}

function planDocument({ charges, productOfferingId, ...plan }: PlanView): PlanDocument {
  return {
    ...plan,
    productOffering: productOfferingId === null ? null : { id: productOfferingId },
    ...(charges === undefined
      ? {}
      : {
          contractCharges: charges.map((charge) => ({
            ...charge,
            taxCodes: [...charge.taxCodes],
            pricingTiers: charge.pricingTiers.map((tier) => ({
              ...tier,
              price: tier.price === null ? null : priceText(tier.currency, tier.price),
              currency: { id: tier.currency },
              contractCharge: { id: charge.id },
            })),
          })),
        }),
  };
}
