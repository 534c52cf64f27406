/** Numbers the events of one database until it is killed: the child of sequencer.test.ts. */
import { openDatabase } from '../../../db/connection/database.ts';
import { sequencerPass } from '../../../operations/events/sequencer.ts';
import { recordingHook } from './recording-hook.ts';

const [url = ''] = process.argv.slice(2);
const shared = { url, poolMax: 3, statementTimeoutMs: 30_000, name: 'sequencer' };
const db = await openDatabase({ ...shared, role: 'sundial_app' });
const relayDb = await openDatabase({ ...shared, role: 'sundial_relay' });
const options = {
  dependencies: { db, realNow: () => Date.now() },
  relayDb,
  dispatch: () => undefined,
  // The killed connections of the parent's teardown.
  onError: () => undefined,
  hooks: [recordingHook],
};
process.stdout.write('numbering\n');
for (;;) await sequencerPass(options);
