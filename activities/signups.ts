/** The activities of hosted sign-ups. */
import type { Dependencies } from '../operations/context/context.ts';
import { advanceSignup, type SignupHooks } from '../operations/signups/advance.ts';
import { cancelSignup } from '../operations/signups/cancel.ts';
import type {
  CancelOutcome,
  SignupCancelInput,
  SignupLook,
  SignupLookInput,
} from '../workflows/contract/contract.ts';
import { mapped, beating } from './mapped.ts';

export function createSignupActivities(dependencies: Dependencies, options: SignupHooks) {
  return {
    followSignup: ({ tenantId, signupId }: SignupLookInput): Promise<SignupLook> =>
      // A provider may take longer to answer than the engine waits for a heartbeat.
      beating(
        () => advanceSignup(dependencies, options, Number(tenantId), Number(signupId)),
        'retryable',
      ),

    cancelSignup: ({ tenantId, signupId, ...asked }: SignupCancelInput): Promise<CancelOutcome> =>
      mapped(() =>
        cancelSignup(dependencies, Number(tenantId), { ...asked, signupId: Number(signupId) }),
      ),
  };
}
