/** What a worker does for all tenants beside its tasks. */
import type { Loop } from '../operations/context/loop.ts';
import { startSequencer } from '../operations/events/sequencer.ts';
import type { SequencerOptions } from '../operations/events/sequencer.ts';
import { numberedHooks } from '../operations/feed/numbered-hooks.ts';
import { startRelay } from '../operations/outbox/relay.ts';
import type { RelayOptions } from '../operations/outbox/relay.ts';
import { startImportFiles } from '../operations/processes/import-files.ts';
import type { ImportFilesOptions } from '../operations/processes/import-files.ts';
import { startRetention } from '../operations/processes/retention.ts';
import { startUsageDays } from '../operations/processes/usage-days.ts';

type LoopOptions = RelayOptions & Omit<SequencerOptions, 'hooks'> & ImportFilesOptions;

export function startLoops(options: LoopOptions): readonly Loop[] {
  const sequencer = startSequencer({ ...options, hooks: numberedHooks });
  return [
    startRelay(options),
    sequencer,
    startRetention(options),
    startUsageDays(options),
    startImportFiles(options),
  ];
}
