/** A small disk that a test fills, and whether one can be mounted here. */
import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { testFolder } from './folder.ts';

const MEGABYTE = Buffer.alloc(1_000_000);

const mount = (folder: string, megabytes: number): unknown =>
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', folder]);
/** Lazy: also where a process still has a file open there. */
const unmount = (folder: string): unknown => execFileSync('umount', ['--lazy', folder]);

/** Why no small file system can be mounted here; undefined if one can. */
export function whyNoMount(): string | undefined {
  const removals: (() => unknown)[] = [];
  const folder = testFolder({ teardown: (removal) => removals.push(removal) });
  try {
    mount(folder, 1);
    unmount(folder);
    return undefined;
  } catch (error) {
    return String(error).trim().split('\n').at(-1);
  } finally {
    for (const removal of removals) removal();
  }
}

/** The mount goes after the processes on it: AVA runs the last teardown first. */
export function smallDisk(t: Pick<ExecutionContext, 'teardown'>, megabytes: number): string {
  const folder = testFolder(t);
  mount(folder, megabytes);
  t.teardown(() => void unmount(folder));
  return folder;
}

/** Takes all the room there is; the returned function gives it back. */
export function fillDisk(folder: string): () => void {
  const file = join(folder, 'filler');
  const descriptor = openSync(file, 'a');
  // Where no megabyte fits, a byte may.
  for (const part of [MEGABYTE, MEGABYTE.subarray(0, 1)]) while (fits(descriptor, part));
  closeSync(descriptor);
  return () => rmSync(file);
}

function fits(descriptor: number, part: Buffer): boolean {
  try {
    writeSync(descriptor, part);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return false;
    throw error;
  }
}
