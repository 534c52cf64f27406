/** Writes a report to its file, and ends. */
import { listenForNudges, showAttributes } from './loops/wakes.ts';
import { reportActivities, type WrittenReport } from './activities.ts';
import { phaseKey } from './contract/contract.ts';
import type { BatchInput } from './contract/imports.ts';
import { setDetails } from './story/details.ts';
import { counted } from './story/story.ts';

/** Returns null if there is no such report to write. */
export async function report({ title, ...input }: BatchInput): Promise<WrittenReport | null> {
  // The one that started it.
  listenForNudges('The report was asked for.');
  const { tenantId, batchId } = input;
  const begins = 'It is of one moment: what is cut off begins anew.';
  const counts = 'The heartbeat of its activity says how many rows are written.';
  setDetails(`${title}: Writing`, [begins, counts], []);
  const written = await reportActivities().writeReport({ tenantId, batchId });
  const facts =
    written === null
      ? ['There is no such report any more.']
      : [
          `${counted(written.rowsDone, 'row')} done`,
          `its file: GET /rest/batchProcess?id=${batchId}`,
        ];
  showAttributes([{ key: phaseKey, value: 'Done' }]);
  setDetails(`${title}: Done`, facts, []);
  return written;
}
