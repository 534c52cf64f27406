/** A folder of its own for a test, gone after it. */

import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';

/** Open to all, so that servers which run as another user can work in it. */
export function testFolder(t: Pick<ExecutionContext, 'teardown'>): string {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'sundial-folder-'));
  chmodSync(folder, 0o755);
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
