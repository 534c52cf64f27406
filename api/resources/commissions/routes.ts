/** Commission plans, sales agents, the agents of an order, and what they have earned. */
import { z } from 'zod';
import { type LinkInput, addOrderAgents } from '../../../operations/commissions/links.ts';
import {
  type CommissionPlanView,
  type OrderAgentView,
  type SalesAgentView,
  listCommissionPlans,
  listSalesAgents,
  readCommissionPlan,
  readLinks,
  readOrderAgents,
  readSalesAgent,
} from '../../../operations/commissions/read.ts';
import { type CommissionView, listCommissions } from '../../../operations/commissions/statement.ts';
import { addressed } from '../../calls/addressed.ts';
import { badRequest } from '../../calls/errors.ts';
import { page } from '../../calls/queries.ts';
import { type Route, route } from '../../calls/route.ts';
import { type RouteDependencies, found, reading } from '../../calls/services.ts';
import { date, text } from '../../xml/types.ts';
import {
  type BillerDocument,
  type CommissionDocument,
  type CommissionPlanDocument,
  type LinkDocument,
  type LinkRequest,
  billerCodec,
  billersCodec,
  commissionList,
  commissionPlanCodec,
  commissionPlansCodec,
  linkList,
  linkListRequest,
} from './schema.ts';

export function commissionRoutes(dependencies: RouteDependencies): Route[] {
  return [
    ...planRoutes(dependencies),
    ...agentRoutes(dependencies),
    ...linkRoutes(dependencies),
    ...earnedRoutes(dependencies),
  ];
}

function planRoutes(dependencies: RouteDependencies): Route[] {
  return [
    route({
      method: 'GET',
      path: '/commissionPlans/:id',
      summary: 'A commission plan with its charges',
      right: 'read',
      response: commissionPlanCodec,
      handler: ({ tenant, id }) =>
        reading(dependencies, tenant, async (tx) =>
          commissionPlanDocument(
            found('commissionPlan', await readCommissionPlan(tx, { id }), { id }),
          ),
        ),
    }),
    route({
      method: 'GET',
      path: '/commissionPlans',
      summary: 'The commission plans by ascending id, or the one with a code',
      right: 'read',
      query: z.object({ commissionCode: text().optional(), ...page }),
      response: commissionPlansCodec,
      handler: ({ tenant, query: { commissionCode, ...listed } }) =>
        reading(dependencies, tenant, async (tx) => {
          if (commissionCode === undefined) {
            return (await listCommissionPlans(tx, listed)).map(commissionPlanDocument);
          }
          const by = { commissionCode };
          return commissionPlanDocument(
            found('commissionPlan', await readCommissionPlan(tx, by), by),
          );
        }),
    }),
  ];
}

function agentRoutes(dependencies: RouteDependencies): Route[] {
  return [
    route({
      method: 'GET',
      path: '/salesAgents/:id',
      summary: 'A sales agent; account numbers are masked',
      right: 'read',
      response: billerCodec,
      handler: ({ tenant, id }) =>
        reading(dependencies, tenant, async (tx) =>
          billerDocument(found('salesAgent', await readSalesAgent(tx, tenant, { id }), { id })),
        ),
    }),
    route({
      method: 'GET',
      path: '/salesAgents',
      summary: 'The sales agents by ascending id, or the one with a code',
      right: 'read',
      query: z.object({ agentCode: text().optional(), ...page }),
      response: billersCodec,
      handler: ({ tenant, query: { agentCode, ...listed } }) =>
        reading(dependencies, tenant, async (tx) => {
          if (agentCode === undefined) {
            return (await listSalesAgents(tx, tenant, listed)).map(billerDocument);
          }
          const by = { agentCode };
          return billerDocument(found('salesAgent', await readSalesAgent(tx, tenant, by), by));
        }),
    }),
  ];
}

function linkRoutes(dependencies: RouteDependencies): Route[] {
  const { reads, writes } = addressed('order', dependencies);
  const shared = { below: '/salesAgent', response: linkList } as const;
  return [
    ...reads({
      ...shared,
      summary: 'The sales agents of an order, by ascending id',
      right: 'read',
      find: ({ tenant, address }) =>
        reading(dependencies, tenant, (tx) => readOrderAgents(tx, address)),
      document: (links) => links.map(linkDocument),
    }),
    ...writes({
      ...shared,
      method: 'POST',
      summary: 'Link sales agents to an order, all or none',
      right: 'write',
      status: 201,
      request: linkListRequest,
      isUnversioned: true,
      handler: ({ write, address, body }) =>
        write(async (context) => {
          const ids = await addOrderAgents(context, address, body.map(linkInput));
          return (await readLinks(context.finalQuery, ids)).map(linkDocument);
        }),
    }),
  ];
}

function earnedRoutes(dependencies: RouteDependencies): Route[] {
  return [
    route({
      method: 'GET',
      path: '/commissions',
      summary: 'The commissions of sales agents, earned and taken back, by dateEarned',
      right: 'read',
      query: z.object({
        agentCode: text().optional(),
        from: date().optional(),
        to: date().optional(),
        ...page,
      }),
      response: commissionList,
      handler: ({ tenant, query: { agentCode = null, from = null, to = null, ...listed } }) => {
        if (from !== null && to !== null && from > to) {
          throw badRequest('query.invalid', `from is after to, which is ${to}`, 'from', from);
        }
        return reading(dependencies, tenant, async (tx) =>
          (await listCommissions(tx, { agentCode, from, to }, listed)).map(commissionDocument),
        );
      },
    }),
  ];
}

/* Turns what operations read of commissions into documents, and requests into input. */

/** An internal type name of the specification. */
const ADDRESS_CLASS = 'com.sundial.Address';

function commissionPlanDocument({
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

function billerDocument({ address, commissionPlanId, ...agent }: SalesAgentView): BillerDocument {
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

function linkDocument({
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

function linkInput({ joiningDate, commissionPlan, biller }: LinkRequest): LinkInput {
  return {
    billerId: biller?.id ?? null,
    commissionPlanId: commissionPlan?.id ?? null,
    joiningDate: joiningDate ?? null,
  };
}

function commissionDocument({
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
