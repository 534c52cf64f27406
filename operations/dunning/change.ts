/** What people ask of a dunning through its workflow: hold it, resume it. */
import { writeUpdate } from '../access/audit-log.ts';
import { insertNote, setHold, type DunningNote } from '../../db/queries/dunning/notes.ts';
import { postponeRetries } from '../../db/queries/collection/attempts.ts';
import { addDays } from '../../domain/calendar/calendar.ts';
import { readIndebted } from '../../db/queries/ageing/standings.ts';
import type { DunningOutcome } from '../../workflows/contract/dunning.ts';
import { inOperation, type Dependencies, type OperationContext } from '../context/context.ts';
import { lockCustomer } from '../context/locks.ts';
import { answeredOnce } from '../context/update-answers.ts';
import { DomainError } from '../../domain/errors.ts';
import { reviewDebts } from '../ageing/dunning.ts';

export interface HoldNote extends DunningNote {
  readonly action: 'hold' | 'resume';
}

/**
 * Notes the request with its reason, and does it once; a second hold is refused, and the reason of
 * the first stays. Throws update.refused. A hold stops steps upwards and retries; what
 * is paid still brings the status down. Thresholds and retries passed meanwhile are taken by the
 * run after the resume.
 */
export function changeDunning(
  dependencies: Dependencies,
  tenantId: number,
  note: HoldNote,
): Promise<DunningOutcome> {
  const { customerId: objectId, requestId } = note;
  return inOperation(dependencies, tenantId, async (context) => {
    await lockCustomer(context.tx, { id: objectId });
    const request = { kind: 'dunning', objectId, requestId } as const;
    return answeredOnce(context.tx, request, () => change(context, note));
  });
}

async function change(context: OperationContext, note: HoldNote): Promise<DunningOutcome> {
  const { customerId, action, reason } = note;
  const { tx, time } = context;
  const [row] = await readIndebted(tx, [customerId], time.today);
  if (!row?.isOpen) throw refused('nothing is overdue any more');
  const isHeld = action === 'hold';
  if (row.isHeld && isHeld) throw refused(`it is held already: ${row.heldReason ?? ''}`);
  if (!row.isHeld && !isHeld) throw refused('it is not held');
  await insertNote(tx, note, time);
  const object = { type: 'customer', id: customerId } as const;
  writeUpdate(tx, { by: note.by, update: action, object });
  setHold(tx, { customerId, reason: isHeld ? reason : null }, time);
  if (!isHeld) postponeRetries(tx, { customerId, to: addDays(time.today, 1) }, time.now);
  await reviewDebts(context, [customerId], { hasNewRetries: true });
  return { did: isHeld ? 'is held' : 'continues' };
}

function refused(why: string): DomainError {
  return new DomainError('update.refused', why);
}

/** A step of this customer fails: its dunning is held, with the code as the reason. */
export function holdFailed(
  dependencies: Dependencies,
  tenantId: number,
  { customerId, code }: { readonly customerId: number; readonly code: string },
): Promise<void> {
  return inOperation(dependencies, tenantId, async (context) => {
    const { tx, time } = context;
    await lockCustomer(tx, { id: customerId }, { erased: 'taken' });
    setHold(tx, { customerId, reason: `its step failed: ${code}` }, time);
    await reviewDebts(context, [customerId]);
  });
}
