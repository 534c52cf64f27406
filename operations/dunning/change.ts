/** What people ask of a dunning through its workflow: hold it, resume it. */
import { insertNote, setHold, type DunningNote } from '../../db/queries/dunning/notes.ts';
import { postponeRetries } from '../../db/queries/standing/retries.ts';
import { addDays } from '../../domain/calendar/calendar.ts';
import { readIndebted } from '../../db/queries/standing/standings.ts';
import type { DunningOutcome } from '../../workflows/contract-dunning.ts';
import { inOperation, type Dependencies } from '../context/context.ts';
import { lockCustomer } from '../context/locks.ts';
import { followDebts } from '../standing/dunning.ts';

export interface HoldNote extends DunningNote {
  readonly action: 'hold' | 'resume';
}

/**
 * Notes the request with its reason, and does it once. A hold stops steps upwards and retries; what
 * is paid still brings the status down. Thresholds and retries passed meanwhile are taken by the
 * run after the resume.
 */
export function changeDunning(
  dependencies: Dependencies,
  tenantId: number,
  note: HoldNote,
): Promise<DunningOutcome> {
  const { customerId, action, reason } = note;
  return inOperation(dependencies, tenantId, async (context) => {
    const { tx, time } = context;
    await lockCustomer(tx, { id: customerId });
    const [row] = await readIndebted(tx, [customerId], time.today);
    if (!row?.is_open) return { did: 'nothing is overdue any more' };
    const isHeld = action === 'hold';
    if (row.is_held === isHeld) return { did: isHeld ? 'is held already' : 'is not held' };
    if (!(await insertNote(tx, note, time))) return { did: 'was done before' };
    setHold(tx, { customerId, reason: isHeld ? reason : null }, time);
    if (!isHeld) postponeRetries(tx, { customerId, to: addDays(time.today, 1) }, time.now);
    await followDebts(context, [customerId], { hasNewRetries: true });
    return { did: isHeld ? 'is held' : 'goes on' };
  });
}

/** A step of this customer fails: its dunning is held, with the code as the reason. */
export function holdFailed(
  dependencies: Dependencies,
  tenantId: number,
  { customerId, code }: { readonly customerId: number; readonly code: string },
): Promise<void> {
  return inOperation(dependencies, tenantId, async (context) => {
    const { tx, time } = context;
    await lockCustomer(tx, { id: customerId });
    setHold(tx, { customerId, reason: `its step failed: ${code}` }, time);
    await followDebts(context, [customerId]);
  });
}
