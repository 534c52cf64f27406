/** The acts that are Updates of workflows: the workflow's own operation stores them and notes who sent them. */
import type { UpdateDefinition } from '@temporalio/common';
import { inTenant } from '../../db/connection/tenancy.ts';
import { cascadeOfPayment } from '../../db/queries/operator/lists.ts';
import { DomainError } from '../../domain/errors.ts';
import { resolve, resumeCallbacks } from '../../workflows/contract/contract.ts';
import {
  type DunningOutcome,
  type DunningRequest,
  holdDunning,
  resumeDunning,
  retryDunningNow,
} from '../../workflows/contract/dunning.ts';
import { cancelImport, resumeImport } from '../../workflows/contract/imports.ts';
import type { ObjectWorkflowKind } from '../context/kinds.ts';
import type { ActPlace, AskedAct } from './act.ts';
import { sendUpdate } from './send-update.ts';

const person = ({ reason, by }: AskedAct): DunningRequest => ({ reason, by });

/** An Update that takes a reason and a name alone. */
const updating =
  <Answer>(
    kind: ObjectWorkflowKind,
    update: UpdateDefinition<Answer, [DunningRequest]>,
    wordsOf: (answer: Answer, id: number) => string,
  ) =>
  async ({ engine, tenant }: ActPlace, asked: AskedAct): Promise<string> => {
    const { id: objectId, requestId } = asked;
    const given = person(asked);
    const answer = await sendUpdate(engine, tenant, { kind, objectId, update, given, requestId });
    return wordsOf(answer, objectId);
  };

const dunningWords = ({ did }: DunningOutcome, id: number): string =>
  `The dunning of customer ${id} ${did}.`;

export const holdCustomersDunning = updating('dunning', holdDunning, dunningWords);
export const resumeCustomersDunning = updating('dunning', resumeDunning, dunningWords);
export const retryCustomersDunning = updating('dunning', retryDunningNow, dunningWords);

export const resendGivenUp = updating(
  'callbacks',
  resumeCallbacks,
  ({ events }, id) => `Endpoint ${id} gets ${events} events again.`,
);

export const cancelBatch = updating('batch', cancelImport, (_, id) => `Job ${id} is cancelled.`);
export const resumeBatch = updating('batch', resumeImport, (_, id) => `Job ${id} goes on.`);

/** What a person may say of a payment that its gateway never answers. */
export const outcomes = ['approved', 'declined'] as const;

/** The workflow is that of the first payment of a cascade. */
export async function resolveByHand(
  { dependencies, engine, tenant }: ActPlace,
  asked: AskedAct,
): Promise<string> {
  const { id, transactionId, requestId } = asked;
  const outcome = outcomes.find((each) => each === asked.outcome);
  if (outcome === undefined) {
    throw new DomainError('update.refused', 'outcome must be approved or declined');
  }
  const objectId = await cascadeOf({ dependencies, tenant }, id);
  const given = { ...person(asked), outcome, transactionId: transactionId ?? undefined };
  const { paymentId, status } = await sendUpdate(engine, tenant, {
    kind: 'payment',
    objectId,
    update: resolve,
    given,
    requestId,
  });
  return `Payment ${paymentId} is ${status}.`;
}

async function cascadeOf(
  { dependencies: { db }, tenant }: Pick<ActPlace, 'dependencies' | 'tenant'>,
  paymentId: number,
): Promise<number> {
  const row = await inTenant(db, tenant.id, (tx) => cascadeOfPayment(tx, paymentId), {
    readOnly: true,
    single: true,
  });
  if (row === undefined) {
    const value = String(paymentId);
    throw new DomainError('payment.unknown', 'there is no such payment', { value, id: paymentId });
  }
  if (row.status !== 'Pending' && row.status !== 'ActionRequired') {
    throw new DomainError('update.refused', `payment ${paymentId} is ${row.status} already`);
  }
  return row.cascadeId;
}
