/** A separate folder for a test, removed after it. */

import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';

/** Every user may enter it, so servers that run as another user can work in it. */
export function testFolder(t: Pick<ExecutionContext, 'teardown'>): string {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'sundial-folder-'));
  chmodSync(folder, 0o755);
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
