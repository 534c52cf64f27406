/** Temporal's production server and its SQL tool: Go builds them once per user, in some minutes. */
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../../config.ts';
import { waitForLock } from '../../providers/embedded/lock.ts';
import { goProgram, installWithGo } from '../../providers/temporal/binary.ts';

/** That of docker-compose.yml. */
export const SERVER_VERSION = '1.31.2';

/** By their names in Temporal's images. */
const programs = {
  'temporal-server': 'server',
  'temporal-sql-tool': 'sql',
} as const;
const packages = ['cmd/server', 'cmd/tools/sql'].map(
  (path) => `go.temporal.io/server/${path}@v${SERVER_VERSION}`,
);

/** The folder with both; a text that says why they cannot be had here. */
export async function serverPrograms(
  signal: AbortSignal,
  onProgress: (line: string) => void,
): Promise<{ readonly folder: string } | { readonly missing: string }> {
  const { cacheDir, searchPath } = loadConfig();
  const platform = `${process.platform}-${process.arch}`;
  const folder = join(cacheDir, `production-temporal-${SERVER_VERSION}-${platform}`);
  const lock = await waitForLock(`${folder}.lock`, { signal, onWait: () => undefined });
  try {
    if (existsSync(folder)) return { folder };
    const go = goProgram(searchPath);
    if (go === undefined) return { missing: 'there is no Go to build it' };
    await build({ go, folder, signal, onProgress });
    return { folder };
  } catch (error) {
    signal.throwIfAborted();
    return { missing: String(error) };
  } finally {
    lock.release();
  }
}

/** Into another folder, which is renamed: it is never incomplete. */
async function build(options: Parameters<typeof installWithGo>[1]): Promise<void> {
  const unfinished = `${options.folder}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  try {
    await installWithGo(packages, { ...options, folder: unfinished });
    for (const [name, built] of Object.entries(programs)) {
      renameSync(join(unfinished, built), join(unfinished, name));
    }
    renameSync(unfinished, options.folder);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}
