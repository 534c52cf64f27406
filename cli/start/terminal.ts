/** What `npm start` says while it works: one line a step, with the seconds since its beginning. */

export interface Terminal {
  readonly say: (line: string) => void;
  readonly print: (text: string) => void;
}

export function makeTerminal(): Terminal {
  const began = performance.now();
  // A terminal that was closed, or a pipe that was, must not keep us from stopping in order.
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
