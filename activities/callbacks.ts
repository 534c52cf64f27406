/** The activities of callbacks. */
import { deliverCallbacks } from '../operations/callbacks/deliver.ts';
import { resumeCallbacks } from '../operations/callbacks/resume.ts';
import type { CallbackOptions } from '../operations/callbacks/sender.ts';
import type { Dependencies } from '../operations/context/context.ts';
import type {
  TenantInput,
  CallbackProgress,
  CallbacksResumed,
} from '../workflows/contract/contract.ts';
import { pulse, requestIdOf } from './activities.ts';
import { mapped } from './mapped.ts';

/** @see CallbacksInput */
export interface EndpointInput extends TenantInput {
  readonly endpointId: string;
}

export type CallbackActivities = ReturnType<typeof createCallbackActivities>;

export function createCallbackActivities(dependencies: Dependencies, options: CallbackOptions) {
  return {
    deliverCallbacks: (input: EndpointInput): Promise<CallbackProgress> =>
      mapped(() =>
        deliverCallbacks(dependencies, Number(input.tenantId), options, {
          endpointId: Number(input.endpointId),
          ...pulse(),
        }),
      ),

    resumeCallbacks: (
      input: EndpointInput & {
        readonly reason: string;
        readonly by?: string | undefined;
        readonly requestId?: string;
      },
    ): Promise<CallbacksResumed> =>
      mapped(() =>
        resumeCallbacks(dependencies, Number(input.tenantId), {
          endpointId: Number(input.endpointId),
          reason: input.reason,
          by: input.by,
          requestId: requestIdOf(input),
        }),
      ),
  };
}
