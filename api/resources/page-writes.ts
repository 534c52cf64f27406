/** The transaction of a hosted form, with its entry in the audit log. */
import { writeAudit } from '../../operations/access/audit-log.ts';
import { inOperation, type OperationContext } from '../../operations/context/context.ts';
import type { Nudge } from '../../operations/context/nudge.ts';
import type { PageCall } from '../calls/route-types.ts';
import type { RouteDependencies } from '../calls/services.ts';

export type AskedPage = Omit<PageCall<unknown>, 'body'>;

const STORED_STATUS = 303;

export interface PageWriteOptions {
  /** The caller waits for the workflow, which starts it. */
  readonly isAwaited?: boolean;
  /** Of a contact that logs in. */
  readonly username?: string | undefined;
}

export async function pageWrite<Result>(
  dependencies: RouteDependencies,
  call: AskedPage,
  operation: (context: OperationContext) => Promise<Result>,
  { isAwaited = false, username }: PageWriteOptions = {},
): Promise<Result> {
  let nudges: readonly Nudge[] = [];
  const result = await inOperation(dependencies, call.tenant.id, async (context) => {
    ({ nudges } = context);
    writeAudit(context.tx, {
      action: 'write',
      username,
      method: 'POST',
      path: call.pattern,
      status: STORED_STATUS,
      address: call.address,
      requestId: call.requestId,
    });
    return operation(context);
  });
  if (nudges.length > 0 && !isAwaited) dependencies.dispatch(call.tenant.id, nudges);
  return result;
}
