/**
 * Ends the processes that a test file started and that outlive it: AVA stops a file that hangs, and a
 * signal stops the run, before their own code ends what they started.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { FILE_VARIABLE, RECORDS_VARIABLE } from './records.ts';

/**
 * Finds them by their environment, which every process inherits, on Linux.
 *
 * @param records the folder of the run, which no other run has
 * @param file only what this test file started
 */
export function endLeftBehind(records: string, file?: string): void {
  const wanted = [`${RECORDS_VARIABLE}=${records}`];
  if (file !== undefined) wanted.push(`${FILE_VARIABLE}=${file}`);
  for (const pid of processes()) {
    const variables = environmentOf(pid);
    if (wanted.every((each) => variables.includes(each))) kill(pid);
  }
}

function processes(): readonly number[] {
  try {
    const names = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    return names.map(Number).filter((pid) => pid !== process.pid);
  } catch {
    return [];
  }
}

/** As at its start: a process that changes its own variables is not found by them. */
function environmentOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  } catch {
    // It has ended, or is another user's.
    return [];
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}
