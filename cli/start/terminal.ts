/** The output of `npm start` while it works: one line a step, with the seconds since it began. */

import { fstatSync, writeSync } from 'node:fs';

export interface Terminal {
  readonly say: (line: string) => void;
  readonly print: (text: string) => void;
}

const STDOUT = 1;

export function makeTerminal(): Terminal {
  const began = performance.now();
  const isFile = fstatSync(STDOUT).isFile();
  // A closed terminal or pipe must not prevent a regular stop.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  const print = (text: string) => {
    if (isFile) writeToFile(`${text}\n`);
    else process.stdout.write(`${text}\n`);
  };
  return {
    print,
    say: (line) => {
      const seconds = ((performance.now() - began) / 1000).toFixed(1).padStart(6);
      for (const part of line.split('\n')) print(`${seconds} s  ${part}`);
    },
  };
}

/** Node's stream of a file writes nothing more after the first failure, as on a full disk. */
function writeToFile(text: string): void {
  try {
    writeSync(STDOUT, text);
  } catch {
    // The line is lost, and the system continues.
  }
}
