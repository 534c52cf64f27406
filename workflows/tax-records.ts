/**
 * Records a tenant's invoices at its tax provider and voids those that are cancelled, tries again
 * what failed, and ends when nothing is open.
 */
import {
  condition,
  continueAsNew,
  setCurrentDetails,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import { recordTaxes } from './activities.ts';
import type { TaxRecordProgress } from './activities.ts';
import { nextActionAtKey, phaseKey } from './contract.ts';
import type { TenantInput } from './contract.ts';
import { backlog, counted, detailsOf, lastOf, minuteOf, secondOf, summaryOf } from './story.ts';
import { listenForNudges } from './wakes.ts';

const PASSES_PER_RUN_MAX = 50;

/** For people who look at a workflow that has ended. */
export interface TaxRecordsEnd {
  readonly recorded: number;
  readonly voided: number;
  readonly happened: readonly string[];
}

export async function taxRecords(input: TenantInput): Promise<TaxRecordsEnd> {
  const { title = 'Tax records' } = input;
  const nudges = listenForNudges('An invoice was made or cancelled: look again.');
  let story = lastOf(input.story ?? []);
  const sums = { recorded: 0, voided: 0 };
  for (let passes = 1; ; passes++) {
    nudges.nudged = false;
    const progress = await recordTaxes(input);
    sums.recorded += progress.recorded;
    sums.voided += progress.voided;
    story = lastOf(story, happenedIn(progress));
    const { waitMs } = progress;
    if (waitMs === null && !nudges.nudged) {
      setCurrentDetails(detailsOf(`${title}: Done`, [], story));
      return { ...sums, happened: story };
    }
    if (waitMs !== null && waitMs > 0 && !nudges.nudged) {
      const at = Date.now() + waitMs;
      showWaiting(at);
      const facts = [`${backlog(progress.open, 'open invoice')}, next attempt at ${minuteOf(at)}`];
      const details = [...facts, ...factsOf(progress)];
      setCurrentDetails(detailsOf(`${title}: Waiting`, details, story));
      await condition(() => nudges.nudged, waitMs, { summary: summaryOf(`until ${secondOf(at)}`) });
    } else {
      const open = backlog(progress.open, 'open invoice');
      setCurrentDetails(detailsOf(`${title}: Recording`, [open, ...factsOf(progress)], story));
    }
    if (passes >= PASSES_PER_RUN_MAX || workflowInfo().continueAsNewSuggested) {
      await continueAsNew<typeof taxRecords>({ ...input, story });
    }
  }
}

/** Only a workflow that waits shows when: most of them end after one pass. */
function showWaiting(at: number): void {
  const known = workflowInfo().typedSearchAttributes;
  upsertSearchAttributes([
    ...(known.get(phaseKey) === 'Waiting' ? [] : [{ key: phaseKey, value: 'Waiting' as const }]),
    { key: nextActionAtKey, value: new Date(at) },
  ]);
}

function happenedIn({ recorded, voided, failed }: TaxRecordProgress): string[] {
  const counts = [
    ...(recorded > 0 ? [`${counted(recorded, 'invoice')} recorded`] : []),
    ...(voided > 0 ? [`${voided} voided`] : []),
    ...(failed > 0 ? [`${failed} put off`] : []),
  ];
  return counts.length === 0 ? [] : [`${secondOf(Date.now())}: ${counts.join(', ')}`];
}

function factsOf({ silentSince, troubles }: TaxRecordProgress): string[] {
  return [
    ...(silentSince === null
      ? []
      : [`the tax provider does not answer since ${minuteOf(silentSince)}`]),
    ...troubles.map(troubleText),
  ];
}

function troubleText(trouble: TaxRecordProgress['troubles'][number]): string {
  const { invoiceId, state, code, nextAt } = trouble;
  const what = state === 'toVoid' ? ' (to void)' : '';
  return `invoice ${invoiceId}${what}: ${code}, again at ${minuteOf(nextAt)}`;
}
