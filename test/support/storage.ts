/** A storage of files in a folder of its own, for one test file. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { folderStorage, type FolderOptions } from '../../providers/storage/folder.ts';
import type { FileStorage } from '../../providers/storage/storage.ts';
import { SECRET_KEY } from './tenants.ts';

export function testStorage(options: Partial<FolderOptions> = {}): FileStorage {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'sundial-files-'));
  // Not by ava: the histories are recorded without it.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folderStorage(folder, { secretKeys: SECRET_KEY, realNow: Date.now, ...options });
}
