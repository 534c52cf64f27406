/** Links orders to sales agents, who earn commissions from then on. */
import { dueDateAfter } from '../../domain/commissions/dates.ts';
import { DomainError, type DomainErrorCode } from '../../domain/errors.ts';
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import { canEdit } from '../../domain/standing/status.ts';
import { billsFrom } from '../../domain/standing/trial.ts';
import { noteChanges } from '../../db/connection/audited.ts';
import { takeIds } from '../../db/queries/billing/write.ts';
import {
  holdCommissionPlans,
  insertDueCommissions,
  insertLinks,
  readLinkedOrder,
  readNamedAgents,
  takeLinksAlong,
  type LinkedOrder,
  type NamedAgent,
  type NamedCommissionPlan,
} from '../../db/queries/commissions/links.ts';
import { lockOrder, type NumberedAddress } from '../context/locks.ts';
import type { OperationContext } from '../context/context.ts';
import { enqueue } from '../outbox/enqueue.ts';
import { earnDueCommissions, firstUnconsidered } from './due.ts';

/** Each payment of an invoice writes a row for each of them and each of their charges. */
export const AGENTS_PER_ORDER_MAX = 20;

export interface LinkInput {
  readonly billerId: number | null;
  readonly commissionPlanId: number | null;
  readonly joiningDate: IsoDate | null;
}

interface NewLink {
  readonly agent: NamedAgent;
  readonly plan: NamedCommissionPlan;
  readonly joiningDate: IsoDate;
}

/**
 * Adds links to an order, all or none, and returns their ids. What is due of them already is earned
 * at once. Throws order.unknown, order.notEditable, or an error that names the element.
 */
export async function addOrderAgents(
  context: OperationContext,
  address: NumberedAddress,
  inputs: readonly LinkInput[],
): Promise<readonly number[]> {
  const { tx, time } = context;
  const { id: orderId, customer } = await lockOrder(tx, address);
  const order = await readLinkedOrder(tx, orderId);
  refuseEnded(order);
  refuseTooMany(order, inputs);
  const links = await checkedLinks(context, order, inputs);
  if (links.length === 0) return [];
  const ids = await takeIds(tx, links.length);
  const rows = links.map((link, index) => ({ ...link, id: ids[index] ?? 0 }));
  insertLinks(
    tx,
    rows.map(({ id, agent, plan, joiningDate }) => ({
      id,
      orderId,
      customerId: customer.id,
      salesAgentId: agent.id,
      commissionPlanId: plan.id,
      joiningDate,
    })),
    time,
  );
  noteChanges(
    tx,
    { type: 'subscriptionOrder', id: orderId },
    rows.map(({ agent, plan }) => ({
      field: `salesAgents[${agent.code}]`,
      after: plan.commissionCode,
    })),
  );
  const due = rows.flatMap(({ id, plan, joiningDate }) =>
    plan.charges.flatMap((charge) => {
      const first = dueDateAfter(charge, joiningDate, firstUnconsidered(null, order.startDate));
      if (first === null) return [];
      const own = { orderAgentId: id, commissionChargeId: charge.id };
      return [{ ...own, customerId: customer.id, nextDueOn: first.on }];
    }),
  );
  insertDueCommissions(tx, due);
  const { successorId: to, successorCode: contractCode } = order;
  if (to !== null && contractCode !== null) {
    takeLinksAlong(tx, { from: orderId, to, contractCode }, time.now);
  }
  if (due.some((each) => each.nextDueOn <= time.today)) {
    await earnDueCommissions(context, [customer.id]);
  }
  // Its details in the Web UI name the agents.
  enqueue(context, [{ kind: 'order', objectId: orderId }]);
  return ids;
}

function refuseEnded({ status }: LinkedOrder): void {
  if (canEdit(status)) return;
  throw new DomainError('order.notEditable', `the order is ${status}, so it takes no sales agent`);
}

function refuseTooMany({ agentIds: linked }: LinkedOrder, inputs: readonly LinkInput[]): void {
  if (linked.length + inputs.length <= AGENTS_PER_ORDER_MAX) return;
  const message = `an order has at most ${AGENTS_PER_ORDER_MAX} sales agents`;
  throw new DomainError('field.invalid', message, {
    path: 'list',
    value: String(linked.length + inputs.length),
  });
}

async function checkedLinks(
  { tx }: OperationContext,
  order: LinkedOrder,
  inputs: readonly LinkInput[],
): Promise<NewLink[]> {
  const agentIds = inputs.flatMap(({ billerId }) => billerId ?? []);
  const agents = new Map((await readNamedAgents(tx, agentIds)).map((each) => [each.id, each]));
  const planIds = inputs.flatMap(({ billerId, commissionPlanId }) => {
    return commissionPlanId ?? agents.get(billerId ?? 0)?.commissionPlanId ?? [];
  });
  const plans = new Map((await holdCommissionPlans(tx, planIds)).map((each) => [each.id, each]));
  const linked = new Set(order.agentIds);
  return inputs.map((input, index) => {
    const root = `list/subscriptionOrderBiller[${index + 1}]`;
    const agent = namedAgent(input, agents, root);
    const path = `${root}/biller/@id`;
    if (linked.has(agent.id)) {
      const message = `sales agent ${agent.code} is linked to the order already`;
      throw new DomainError('orderAgent.exists', message, { path, value: String(agent.id) });
    }
    linked.add(agent.id);
    const plan = namedPlan(input, { agent, plans, root });
    refuseUnfit(plan, order, `${root}/commissionPlan/@id`);
    return { agent, plan, joiningDate: input.joiningDate ?? billsFrom(order) };
  });
}

function namedAgent(
  { billerId: id }: LinkInput,
  agents: ReadonlyMap<number, NamedAgent>,
  root: string,
): NamedAgent {
  if (id === null) throw required(`${root}/biller`, 'a biller is required');
  const agent = agents.get(id);
  const path = `${root}/biller/@id`;
  if (agent?.isInFile) return agent;
  throw agent === undefined
    ? unknown(`there is no sales agent with id ${id}`, { path, id })
    : new DomainError('orderAgent.reference', `sales agent ${agent.code} is gone from the file`, {
        path,
        value: String(id),
      });
}

interface PlanBasis {
  readonly agent: NamedAgent;
  readonly plans: ReadonlyMap<number, NamedCommissionPlan>;
  readonly root: string;
}

function namedPlan(
  { commissionPlanId }: LinkInput,
  { agent, plans, root }: PlanBasis,
): NamedCommissionPlan {
  const id = commissionPlanId ?? agent.commissionPlanId;
  if (id === null) {
    const message = `a commissionPlan is required, as sales agent ${agent.code} has none`;
    throw required(`${root}/commissionPlan`, message);
  }
  const plan = plans.get(id);
  if (plan) return plan;
  const path = `${root}/commissionPlan/@id`;
  throw unknown(`there is no commission plan with id ${id}`, { path, id });
}

function refuseUnfit(plan: NamedCommissionPlan, order: LinkedOrder, path: string): void {
  const { id, commissionCode: code, isActive, isInFile, plans } = plan;
  const refuse = (why: string, refusal: DomainErrorCode = 'orderAgent.plan'): never => {
    const message = `commission plan ${code} ${why}`;
    throw new DomainError(refusal, message, { path, value: String(id) });
  };
  if (!isInFile) refuse('is gone from the file');
  if (!isActive) refuse('is not active');
  if (!plans.includes(order.contractCode)) refuse(`is not for the plan ${order.contractCode}`);
}

function required(path: string, message: string): DomainError {
  return new DomainError('field.required', message, { path });
}

/** It may be another tenant's. */
function unknown(
  message: string,
  { path, id }: { readonly path: string; readonly id: number },
): DomainError {
  return new DomainError('orderAgent.reference', message, { path, value: String(id), id });
}
