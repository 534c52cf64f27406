/** The client in Python, against the running system: its tests are Python's own. */
import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { childEnvironment } from '../../config.ts';
import { signatureHeaders } from '../../providers/callbacks/signature.ts';
import { callbackSecret } from '../support/receiver.ts';
import { openPlace, startCuttingLine } from './place.ts';

const run = promisify(execFile);
const folder = join(import.meta.dirname, '../../clients/python');
const needed = 'import sys; sys.exit(sys.version_info < (3, 11))';

if (spawnSync('python3', ['-c', needed], { stdio: 'ignore' }).status !== 0) {
  test('the client in Python', (t) => t.fail('python3 is not here, or older than 3.11'));
} else {
  test('the client in Python works with the running system', async (t) => {
    const place = await openPlace();
    const line = await startCuttingLine(t, place.address);
    const body = '<customer id="7"><name>Zoë &amp; Co</name></customer>';
    const signed = { id: 'evt_1', timestamp: 1_798_800_000, body };
    const env = childEnvironment({
      PYTHONPATH: folder,
      PYTHONDONTWRITEBYTECODE: '1',
      SUNDIAL_PLACE: JSON.stringify({
        ...place,
        cutting: line.address,
        callback: {
          secret: callbackSecret,
          body,
          headers: signatureHeaders(callbackSecret, signed),
          timestamp: signed.timestamp,
        },
      }),
    });
    const { stderr } = await run(
      'python3',
      ['-W', 'error', '-m', 'unittest', '-v', 'tests.test_running'],
      { cwd: folder, env },
    );
    t.regex(stderr, /^Ran \d+ tests[^]*^OK$/m);
    t.true([...stderr.matchAll(/ \.\.\. ok$/gm)].length >= 8, stderr);
  });
}
