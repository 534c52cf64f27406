/** Waits until a try of a sign-up is final, within the caller's time limit. */
import { submitSignup } from '../../workflows/contract/contract.ts';
import type { TenantInfo } from '../context/context.ts';
import { awaitUpdate } from '../outbox/await-update.ts';
import type { Engine } from '../outbox/engine.ts';

export interface AwaitedTry {
  readonly signupId: number;
  readonly tryId: number;
}

/**
 * Starts the signup's workflow if it does not run, and returns when the try is final, on an error, or
 * when the time is up; the rows show what is so. The outbox row of the try nudges in any case.
 */
export async function awaitSignup(
  engine: Engine,
  tenant: Pick<TenantInfo, 'id' | 'label'>,
  { signupId, tryId }: AwaitedTry,
  limitMs: number,
): Promise<void> {
  await awaitUpdate(
    engine,
    tenant,
    {
      kind: 'signup',
      objectId: signupId,
      facts: null,
      update: submitSignup,
      args: [{ tryId: String(tryId) }],
    },
    limitMs,
  );
}
