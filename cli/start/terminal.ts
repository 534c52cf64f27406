/** The output of `npm start` while it works: one line a step, with the seconds since it began. */

export interface Terminal {
  readonly say: (line: string) => void;
  readonly print: (text: string) => void;
}

export function makeTerminal(): Terminal {
  const began = performance.now();
  // A closed terminal or pipe must not prevent a regular stop.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  const print = (text: string) => {
    process.stdout.write(`${text}\n`);
  };
  return {
    print,
    say: (line) => {
      const seconds = ((performance.now() - began) / 1000).toFixed(1).padStart(6);
      for (const part of line.split('\n')) print(`${seconds} s  ${part}`);
    },
  };
}
