/** The processes that wait at a poisoned rating's gate, and whether a process still lives. */
import { readFileSync } from 'node:fs';
import { until } from './until.ts';

/** The process numbers that stand in the gate's file, once there are so many. */
export async function pidsAt(gate: string, count: number): Promise<number[]> {
  let pids: number[] = [];
  await until(`${count} were there`, () => {
    try {
      pids = readFileSync(gate, 'utf8').trim().split('\n').map(Number);
    } catch {
      // Nobody yet.
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
