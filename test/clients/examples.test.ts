/** The programs with the clients run by the commands of their READMEs. */
import { join } from 'node:path';
import test from 'ava';
import { childEnvironment } from '../../config.ts';
import { openShell } from '../cli/first-hour/shell.ts';
import { sharedSystem } from '../support/system.ts';
import { SECRET_KEY } from '../support/tenants.ts';
import { patternOf, stepsOf } from './readme.ts';

const root = join(import.meta.dirname, '../..');
/** Of `npm start`, which a reader runs. */
const ADDRESS = 'http://127.0.0.1:8080';

for (const name of ['shop', 'metered']) {
  test(`the README of examples/${name} pastes as it stands`, async (t) => {
    const { apiUrl, ownerUrl } = await sharedSystem();
    const steps = stepsOf(join(root, 'examples', name, 'README.md'));
    t.true(steps.filter(({ shown }) => shown !== undefined).length >= 4);
    const env = childEnvironment({
      DATABASE_URL: ownerUrl,
      SECRET_KEY,
      TEMPORAL_ADDRESS: undefined,
      FORCE_COLOR: undefined,
      PYTHONDONTWRITEBYTECODE: '1',
    });
    const shell = openShell(t, { cwd: root, env });
    // What a failed step leaves running ends with the shell.
    await shell.paste(`trap 'jobs -p | xargs -r kill' EXIT`);
    for (const { commands, shown } of steps) {
      const pasted = await shell.paste(commands.replaceAll(ADDRESS, apiUrl));
      t.is(pasted.code, 0, `${commands}\n${pasted.stdout}\n${pasted.stderr}`);
      if (shown !== undefined) t.regex(pasted.stdout, patternOf(shown), commands);
    }
  });
}
