/** The acts that are calls: one transaction each, with its entry in the audit log. */
import { OUTLIER } from '../../domain/billing/rate/by-answers.ts';
import { DomainError } from '../../domain/errors.ts';
import { inTenant } from '../../db/connection/tenancy.ts';
import { type AuditedObject, notedOf, writeCommand } from '../access/audit-log.ts';
import { inOperation, type OperationContext } from '../context/context.ts';
import { holdFromBilling, releaseFromBilling } from '../customers/status.ts';
import { resendEvent } from '../events/read.ts';
import { closeFindings } from '../gateway-calls/findings.ts';
import { useForm } from '../hosted-pages/forms.ts';
import { dayAsked } from '../rehearsals/asked.ts';
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

export function holdByHand(place: ActPlace, asked: AskedAct): Promise<string> {
  const { id, reason } = asked;
  const noted = { command: 'ops hold-billing', object: { type: 'customer', id } } as const;
  return done(place, asked, noted, async (context) => {
    await holdFromBilling(context, { id }, reason);
    return `Customer ${id} is held from billing until somebody releases it.`;
  });
}

export function resendByHand(place: ActPlace, asked: AskedAct): Promise<string> {
  const { id } = asked;
  const noted = { command: 'ops resend-event', object: { type: 'event', id } } as const;
  return done(place, asked, noted, async (context) => {
    const { type } = await resendEvent(context, id);
    return `Event ${id} (${type}) is sent again to the endpoints that subscribe to it.`;
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

/** The rehearsal is carried on when the answer has gone, and stored once it is finished. */
export async function rehearseByHand(
  { dependencies, tenant, rehearsals }: ActPlace,
  { by: operator, reason, requestId, day, hold }: AskedAct,
): Promise<string> {
  const runOn = await dayAsked(dependencies, tenant.id, day ?? '');
  const isHolding = hold === 'yes';
  const turn = rehearsals.take();
  try {
    const isFirst = await inTenant(dependencies.db, tenant.id, async (tx) => {
      const realNow = new Date(dependencies.realNow());
      if (!(await useForm({ tx, realNow }, requestId))) return false;
      const command = `ops rehearse ${runOn}${isHolding ? ' --hold' : ''}`;
      writeCommand(tx, { operator, command, changes: [{ field: 'reason', after: reason }] });
      return true;
    });
    if (!isFirst) return DONE_BEFORE;
    const asked = { tenantId: tenant.id, day: runOn, hold: isHolding, operator };
    return (await turn.rehearse(asked)) ?? `The run of ${runOn} is being rehearsed: ${LATER}.`;
  } finally {
    turn.leave();
  }
}

const LATER = 'the page of the tenant shows what was found once it is finished';

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
