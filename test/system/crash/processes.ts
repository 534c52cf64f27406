/** The processes that wait at a poisoned rating's gate, and whether a process still runs. */
import { readFileSync } from 'node:fs';
import { until } from '../../support/until.ts';

/** The process numbers in the gate's file, once there are enough of them. */
export async function pidsAt(gate: string, count: number): Promise<number[]> {
  let pids: number[] = [];
  await until(`${count} were there`, () => {
    try {
      // A process writes its line after it has made the file.
      pids = readFileSync(gate, 'utf8').split('\n').slice(0, -1).map(Number);
    } catch {
      // No process yet.
    }
    return Promise.resolve(pids.length >= count);
  });
  return pids;
}

export function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
