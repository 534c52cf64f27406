/** Has what was given up sent again, because a person says so. */
import { writeUpdate } from '../access/audit-log.ts';
import { DomainError } from '../../domain/errors.ts';
import { giveUpAt } from '../../domain/callbacks/pace.ts';
import { inTenant, type Tx } from '../../db/connection/tenancy.ts';
import { readEndpoint } from '../../db/queries/callbacks/read.ts';
import { resumeGivenUp } from '../../db/queries/callbacks/write.ts';
import type { CallbacksResumed } from '../../workflows/contract/contract.ts';
import type { Dependencies } from '../context/context.ts';
import { answeredOnce } from '../context/update-answers.ts';

export interface Resuming {
  readonly endpointId: number;
  /** Stored with the resumption. */
  readonly reason: string;
  /** Who asks for it. */
  readonly by?: string | undefined;
  /** @see UpdateRequest */
  readonly requestId: string;
}

/**
 * Also ends the pause of an endpoint that did not answer. What is sent again has three days from now
 * on, and delays no new event of its customer. Throws callbacks.unknown.
 */
export function resumeCallbacks(
  { db, realNow }: Dependencies,
  tenantId: number,
  { endpointId, reason, by, requestId }: Resuming,
): Promise<CallbacksResumed> {
  const request = { kind: 'callbacks', objectId: endpointId, requestId } as const;
  const resume = async (tx: Tx): Promise<CallbacksResumed> => {
    const endpoint = await readEndpoint(tx, endpointId);
    if (endpoint?.isOn !== true) {
      const message =
        'the endpoint is off: the tenant file does not name it, or its secret is unset';
      throw new DomainError('callbacks.unknown', message, { value: String(endpointId) });
    }
    const now = realNow();
    const until = new Date(giveUpAt(now));
    const events = await resumeGivenUp(tx, { endpointId, reason, now: new Date(now), until });
    writeUpdate(tx, { by, update: 'resume', object: { type: 'callbacks', id: endpointId } });
    return { events };
  };
  return inTenant(db, tenantId, (tx) => answeredOnce(tx, request, () => resume(tx)));
}
