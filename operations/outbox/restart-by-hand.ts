/** Ends a workflow, if it runs, and starts it again from its rows, because a person says so. */
import { DomainError } from '../../domain/errors.ts';
import { isNeededByRow, restart, type Place } from './reconcile.ts';
import { namedBy } from './enqueue.ts';
import { newestRun } from './running-workflows.ts';

export interface RestartByHand {
  readonly workflowId: string;
  /** Who says so, and why: histories and memos show it. */
  readonly operator: string;
  /** May be empty. */
  readonly reason: string;
  /** Notes it before anything is ended; false if it was done already. */
  readonly note: () => Promise<boolean>;
}

/**
 * False if nothing was left to do. Throws update.refused if no row of the tenant needs the workflow, or if
 * Temporal does not start it.
 */
export async function restartByHand(
  place: Place,
  { workflowId, operator, reason, note }: RestartByHand,
): Promise<boolean> {
  const own = namedBy(workflowId);
  if (own?.label !== place.tenant.label || !(await isNeededByRow(place, own))) {
    throw refused(`No row needs ${workflowId}, or another workflow carries it.`);
  }
  const { engine } = place;
  const run = await newestRun(engine, workflowId);
  if (!(await note())) return false;
  const why = reason === '' ? '' : `: ${reason}`;
  if (run?.status === 'RUNNING') {
    const handle = engine.client.getHandle(workflowId, run.runId);
    await handle.terminate(`restarted by ${operator}${why}`);
  }
  const { kind, objectId } = own;
  const object = objectId === null ? null : { id: objectId, number: objectId, status: '' };
  const ended = run?.status === 'RUNNING' ? 'TERMINATED' : (run?.status ?? null);
  const missing = [{ workflowId, kind, object, ended }];
  const unstarted = await restart(place, missing, `${operator}${why}`);
  if (unstarted.size > 0) throw refused(`Temporal did not start ${workflowId}; try again.`);
  return true;
}

const refused = (why: string): DomainError => new DomainError('update.refused', why);
