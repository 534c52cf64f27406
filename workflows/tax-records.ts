/**
 * Records a tenant's invoices at its tax provider and voids those that are cancelled, tries again
 * what failed, and ends when nothing is open.
 */
import { continueAsNew } from '@temporalio/workflow';
import { recordTaxes, type TaxRecordProgress } from './activities.ts';
import type { TenantInput } from './contract/contract.ts';
import { passUntilDone } from './loops/passes.ts';
import { counted, minuteOf } from './story/story.ts';
import { listenForNudges } from './loops/wakes.ts';

/** For people who look at a workflow that has ended. */
export interface TaxRecordsEnd {
  readonly recorded: number;
  readonly voided: number;
  readonly happened: readonly string[];
}

export async function taxRecords(input: TenantInput): Promise<TaxRecordsEnd> {
  const nudges = listenForNudges('An invoice was made or cancelled: look again.');
  const { title = 'Tax records' } = input;
  const sums = { recorded: 0, voided: 0 };
  const happened = await passUntilDone<TaxRecordProgress>(nudges, {
    title,
    story: input.story,
    async pass() {
      const progress = await recordTaxes(input);
      sums.recorded += progress.recorded;
      sums.voided += progress.voided;
      return progress;
    },
    countsOf,
    factsOf,
    noun: 'open invoice',
    busyPhase: 'Recording',
    again: (story) => continueAsNew<typeof taxRecords>({ ...input, story }),
  });
  return { ...sums, happened };
}

function countsOf({ recorded, voided, failed }: TaxRecordProgress): string[] {
  return [
    ...(recorded > 0 ? [`${counted(recorded, 'invoice')} recorded`] : []),
    ...(voided > 0 ? [`${voided} voided`] : []),
    ...(failed > 0 ? [`${failed} put off`] : []),
  ];
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
  const { invoiceId, isReturn = false, state, code, nextAt } = trouble;
  const what = state === 'toVoid' ? ' (to void)' : '';
  return `${isReturn ? 'return of ' : ''}invoice ${invoiceId}${what}: ${code}, again at ${minuteOf(nextAt)}`;
}
