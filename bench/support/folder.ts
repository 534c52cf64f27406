/** The temporary folder of a system that is measured. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** PostgreSQL may run as another user, who must be able to enter the folder. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sundial-bench-'));
  await chmod(folder, 0o755);
  return folder;
}

/** @param dataFolder PostgreSQL's, which is elsewhere where its user cannot enter `folder` */
export async function removeFolder(folder: string, dataFolder?: string): Promise<void> {
  const folders = new Set([folder, ...(dataFolder === undefined ? [] : [dirname(dataFolder)])]);
  for (const each of folders) await rm(each, { recursive: true, force: true });
}
