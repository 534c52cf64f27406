/** Writes a report to its file, and ends. */
import { setCurrentDetails } from '@temporalio/workflow';
import { listenForNudges, showAttributes } from './loops/wakes.ts';
import { reportActivities, type WrittenReport } from './activities.ts';
import { phaseKey } from './contract/contract.ts';
import type { BatchInput } from './contract/imports.ts';
import { counted, detailsOf } from './story/story.ts';

/** Returns null if there is no such report to write. */
export async function report({ title, ...input }: BatchInput): Promise<WrittenReport | null> {
  // The one that started it.
  listenForNudges('The report was asked for.');
  const { tenantId, batchId } = input;
  const begins = 'It is of one moment: what is cut off begins anew.';
  const counts = 'The heartbeat of its activity says how many rows are written.';
  setCurrentDetails(detailsOf(`${title}: Writing`, [begins, counts], []));
  const written = await reportActivities().writeReport({ tenantId, batchId });
  const facts =
    written === null
      ? ['There is no such report any more.']
      : [`${counted(written.rowsDone, 'row')} done`, `GET /rest/batchProcess?id=${batchId}`];
  showAttributes([{ key: phaseKey, value: 'Done' }]);
  setCurrentDetails(detailsOf(`${title}: Done`, facts, []));
  return written;
}
