/** The Update retryNow: what would be retried on a later day is charged now. */
import { writeUpdate } from '../access/audit-log.ts';
import { insertNote, type DunningNote } from '../../db/queries/dunning/notes.ts';
import { countRetries } from '../../db/queries/ageing/due.ts';
import { readIndebted } from '../../db/queries/ageing/standings.ts';
import type { DunningOutcome } from '../../workflows/contract/dunning.ts';
import { inOperation, type Dependencies, type OperationContext } from '../context/context.ts';
import { lockCustomer } from '../context/locks.ts';
import { answeredOnce } from '../context/update-answers.ts';
import { DomainError } from '../../domain/errors.ts';
import type { ClaimedPayment } from '../collection/autopay.ts';
import { claimAttempts } from '../collection/claim-attempts.ts';
import { firstMethods } from '../payment-methods/methods-on-file.ts';
import { payAtOnce } from '../gateway-calls/pay-at-once.ts';
import type { WakeHooks } from '../wakes/wake.ts';

/**
 * Notes the request with its reason, claims every retry of the customer, and pays them after the
 * commit; the payments' workflows process what is left then. A request that comes again after a
 * crash claims nothing. Throws update.refused.
 */
export async function retryNow(
  dependencies: Dependencies,
  tenantId: number,
  note: DunningNote,
  { dispatch, gateways }: WakeHooks,
): Promise<DunningOutcome> {
  const { did, payments } = await inOperation(dependencies, tenantId, (context) =>
    claimNow(context, note),
  );
  const options = { dispatch, lanes: 1, mayContinue: () => true };
  await payAtOnce(dependencies, gateways, tenantId, payments, options);
  return { did };
}

interface Claimed extends DunningOutcome {
  readonly payments: readonly ClaimedPayment[];
}

async function claimNow(context: OperationContext, note: DunningNote): Promise<Claimed> {
  const { tx, time } = context;
  const { customerId, requestId } = note;
  let payments: readonly ClaimedPayment[] = [];
  await lockCustomer(tx, { id: customerId });
  const request = { kind: 'dunning', objectId: customerId, requestId } as const;
  const { did } = await answeredOnce(tx, request, async () => {
    const refusal = await refusalOf(context, customerId);
    if (refusal !== null) throw new DomainError('update.refused', refusal);
    await insertNote(tx, note, time);
    const object = { type: 'customer', id: customerId } as const;
    writeUpdate(tx, { by: note.by, update: note.action, object });
    ({ payments } = await claimAttempts(context, { kind: 'retry', customerId, isEarly: true }));
    if (payments.length === 0) return { did: 'charges nothing: nothing is open' };
    const ids = payments.map((each) => each.cascadeId).join(', ');
    return { did: `retries now: payment ${ids}` };
  });
  return { did, payments };
}

/** Why there is nothing to retry now; null if there is something. */
async function refusalOf(
  { tx, time }: OperationContext,
  customerId: number,
): Promise<string | null> {
  const [[row], { due, claimed }, methods, waiting] = await Promise.all([
    readIndebted(tx, [customerId], time.today),
    countRetries(tx, customerId),
    firstMethods(tx, [customerId], 'retry'),
    tx.query<{ id: number }>(
      `select id from payment where customer_id = $1 and status = 'ActionRequired'
       order by id limit 1`,
      [customerId],
      'waits-for-payer',
    ),
  ]);
  if (!row?.isOpen) return 'nothing is overdue any more';
  if (row.isHeld) return `it is held, send resume first: ${row.heldReason ?? ''}`;
  const [asking] = waiting;
  if (asking !== undefined) return `payment ${asking.id} waits for the payer`;
  if (claimed > 0) return 'a retry is under way';
  if (due === 0) return 'no retry is to come';
  if (methods.size > 0) return null;
  return 'no payment method on file may be tried, add or replace one first';
}
