/**
 * Entry of the process that runs commands, one after another: see commands.ts. An entry is loaded
 * anew each time, and what it imports once.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Asked, Ended } from './commands.ts';

const root = join(import.meta.dirname, '../..');
let commands = 0;
let last = Promise.resolve();

process.on('message', (asked) => {
  last = last.then(async () => void process.send?.(await ran(asked as Asked)));
});
process.on('disconnect', () => process.exit());

async function ran({ entry, args, env }: Asked): Promise<Ended> {
  commands += 1;
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.argv = [process.execPath, join(root, entry), ...args];
  process.exitCode = undefined;
  const [stdout, stderr] = [heard(process.stdout), heard(process.stderr)];
  try {
    await import(`${pathToFileURL(join(root, entry)).href}?${commands}`);
  } catch (error) {
    process.stderr.write(`${(error as Error).stack}\n`);
    process.exitCode = 1;
  }
  const code = Number(process.exitCode ?? 0);
  process.exitCode = undefined;
  return { code, stdout: stdout.end(), stderr: stderr.end() };
}

/** Keeps what is written to a stream, which shows it no more until `end`. */
function heard(stream: NodeJS.WriteStream): { readonly end: () => string } {
  const write = stream.write.bind(stream);
  const chunks: Buffer[] = [];
  const keep = (chunk: string | Uint8Array, ...more: unknown[]): boolean => {
    chunks.push(Buffer.from(chunk as string));
    const told = more.find((each) => typeof each === 'function');
    if (told !== undefined) process.nextTick(told);
    return true;
  };
  stream.write = keep;
  return {
    end() {
      stream.write = write;
      return Buffer.concat(chunks).toString();
    },
  };
}
