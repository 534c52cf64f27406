/** The acts that are calls: one transaction each, with its entry in the audit log. */
import { OUTLIER } from '../../domain/billing/rate/by-answers.ts';
import { DomainError } from '../../domain/errors.ts';
import { inTenant } from '../../db/connection/tenancy.ts';
import { type AuditedObject, notedOf, writeCommand } from '../access/audit-log.ts';
import { inOperation, type OperationContext } from '../context/context.ts';
import { releaseFromBilling } from '../customers/status.ts';
import { closeFindings } from '../gateway-calls/findings.ts';
import { useForm } from '../hosted-pages/forms.ts';
import { restartByHand } from '../outbox/restart-by-hand.ts';
import type { ActPlace, AskedAct } from './act.ts';

const DONE_BEFORE = 'This was done already.';

export function releaseByHand(place: ActPlace, asked: AskedAct): Promise<string> {
  const { id } = asked;
  const noted = { command: 'ops release', object: { type: 'customer', id } } as const;
  return done(place, asked, noted, async (context) => {
    const code = await releaseFromBilling(context, { id });
    const when =
      code === OUTLIER ? 'its orders are billed now' : 'the next 00:00 bills what is due';
    return `Customer ${id} is released (${code}); ${when}.`;
  });
}

export function closeByHand(place: ActPlace, asked: AskedAct): Promise<string> {
  const { id, reason } = asked;
  const noted = { command: 'ops close', object: { type: 'payment', id } } as const;
  return done(place, asked, noted, async (context) => {
    const closing = { paymentId: id, reason, now: context.realNow };
    if (await closeFindings(context, closing)) return `The findings of payment ${id} are closed.`;
    throw new DomainError('update.refused', `payment ${id} has no open finding`);
  });
}

interface Noted {
  readonly command: string;
  readonly object: AuditedObject;
}

/** Once for each form. */
async function done(
  { dependencies, tenant, dispatch }: ActPlace,
  { by: operator, reason, requestId }: AskedAct,
  { command, object }: Noted,
  work: (context: OperationContext) => Promise<string>,
): Promise<string> {
  const { said, nudges } = await inOperation(dependencies, tenant.id, async (context) => {
    const { tx } = context;
    if (!(await useForm(context, requestId))) return { said: DONE_BEFORE, nudges: [] };
    const words = await work(context);
    await tx.flush();
    const { changes = [] } = notedOf(tx, object.type, object.id);
    const why = { field: 'reason', after: reason };
    writeCommand(tx, { operator, command, object, changes: [...changes, why] });
    return { said: words, nudges: context.nudges };
  });
  if (nudges.length > 0) dispatch(tenant.id, nudges);
  return said;
}

/** A form that comes again ends nothing a second time. */
export async function restartWorkflow(
  { dependencies, engine, tenant }: ActPlace,
  { by: operator, reason, requestId, workflow }: AskedAct,
): Promise<string> {
  const workflowId = workflow ?? '';
  const note = (): Promise<boolean> =>
    inTenant(dependencies.db, tenant.id, async (tx) => {
      const realNow = new Date(dependencies.realNow());
      if (!(await useForm({ tx, realNow }, requestId))) return false;
      const changes = [{ field: 'reason', after: reason }];
      writeCommand(tx, { operator, command: `ops restart ${workflowId}`, changes });
      return true;
    });
  const place = { dependencies, engine, tenant };
  const isDone = await restartByHand(place, { workflowId, operator, reason, note });
  return isDone ? `${workflowId} is started again.` : DONE_BEFORE;
}
