/** Sends an Update of a person to a workflow, and says why if it is refused. */
import {
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';
import type { UpdateDefinition } from '@temporalio/common';
import { DomainError } from '../../domain/errors.ts';
import { UnavailableError } from '../../db/connection/faults.ts';
import { engineFaultOf } from '../../providers/temporal/connect.ts';
import type { TenantInfo } from '../context/context.ts';
import type { ObjectWorkflowKind } from '../context/kinds.ts';
import type { Engine } from '../outbox/engine.ts';
import { workflowIdOf } from '../outbox/enqueue.ts';

export interface SentUpdate<Answer, Given> {
  readonly kind: ObjectWorkflowKind;
  readonly objectId: number;
  readonly update: UpdateDefinition<Answer, [Given]>;
  readonly given: Given;
  /** The same when the request is repeated, which is then answered as the first time. */
  readonly requestId: string;
}

/** A retry or a resolution asks a gateway, which may take its time. */
const ANSWER_MS_MAX = 20_000;

/**
 * Throws update.refused with the workflow's own words, or if it does not run. An UnavailableError: the
 * engine did not answer, and the act may be done all the same.
 */
export async function sendUpdate<Answer, Given>(
  { client }: Engine,
  tenant: Pick<TenantInfo, 'label'>,
  { kind, objectId, update, given, requestId }: SentUpdate<Answer, Given>,
): Promise<Answer> {
  const workflowId = workflowIdOf(tenant, { kind, objectId });
  try {
    return await client.withDeadline(Date.now() + ANSWER_MS_MAX, () =>
      client
        .getHandle(workflowId)
        .executeUpdate<Answer, [Given]>(update, { args: [given], updateId: requestId }),
    );
  } catch (error) {
    throw refusalOf(error, workflowId);
  }
}

function refusalOf(error: unknown, workflowId: string): unknown {
  if (error instanceof WorkflowUpdateFailedError) {
    return new DomainError('update.refused', error.cause?.message ?? error.message);
  }
  if (error instanceof WorkflowNotFoundError) {
    const message = `the workflow ${workflowId} does not run: what it was about is over, or never was`;
    return new DomainError('update.refused', message);
  }
  if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError || engineFaultOf(error) !== null) {
    return new UnavailableError('Temporal does not answer', { cause: error });
  }
  return error;
}
