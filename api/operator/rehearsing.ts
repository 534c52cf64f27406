/** Rehearses billing runs for the operator's page in a process of its own, which no call waits for. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { childEnvironment } from '../../config.ts';
import { DomainError } from '../../domain/errors.ts';
import { type Described, restoreError } from '../../operations/context/describe-error.ts';
import type { AskedRehearsal, Rehearsals } from '../../operations/operator/act.ts';
import { forkLimited } from '../../providers/limited-process.ts';

/** What the process gets: an argument would show the address to every user of the machine. */
export interface RehearseMessage extends AskedRehearsal {
  readonly databaseUrl: string;
}

export type RehearsalMessage =
  | { readonly kind: 'found'; readonly words: string }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'failed'; readonly error: Described };

const MEMORY_MB = 512;
/** As long as a page waits for what was found, by default. */
const ANSWER_MS_MAX = 20_000;
/** One that takes longer hangs. */
const REHEARSAL_MS_MAX = 3_600_000;

export interface Rehearsing extends Rehearsals {
  /** Ends the one under way, which leaves nothing. */
  readonly close: () => void;
}

export function openRehearsing(
  databaseUrl: string,
  { answerMsMax = ANSWER_MS_MAX }: { readonly answerMsMax?: number | undefined } = {},
): Rehearsing {
  const stop = new AbortController();
  let isTaken = false;
  return {
    take() {
      if (isTaken) {
        throw new DomainError('update.refused', 'another rehearsal is under way: try again later');
      }
      isTaken = true;
      let underWay: Promise<string> | undefined;
      return {
        async rehearse(asked) {
          underWay = rehearseApart({ ...asked, databaseUrl }, stop.signal);
          const free = (): void => void (isTaken = false);
          // One that goes on when the page has been answered tells nobody how it failed.
          underWay.then(free, free);
          const answered = new AbortController();
          const late = sleep(answerMsMax, null, { signal: answered.signal, ref: false });
          try {
            return await Promise.race([underWay, late]);
          } finally {
            answered.abort();
            late.catch(() => undefined);
          }
        },
        leave() {
          if (underWay === undefined) isTaken = false;
        },
      };
    },
    close: () => stop.abort(),
  };
}

/** Throws a DomainError for what the rehearsal refuses. */
function rehearseApart(message: RehearseMessage, signal: AbortSignal): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const child = forkLimited({
    entry: join(import.meta.dirname, 'rehearse-apart.ts'),
    memoryMb: MEMORY_MB,
    env: childEnvironment({ DATABASE_URL: undefined, SECRET_KEY: undefined }),
  });
  const kill = (): void => void child.kill('SIGKILL');
  const timer = setTimeout(kill, REHEARSAL_MS_MAX);
  signal.addEventListener('abort', kill);
  child.on('message', (said: RehearsalMessage) => {
    if (said.kind === 'found') resolve(said.words);
    else if (said.kind === 'refused') reject(new DomainError('update.refused', said.message));
    else reject(new Error('a rehearsal failed', { cause: restoreError(said.error) }));
  });
  child.on('error', reject);
  child.on('exit', (code, how) => {
    clearTimeout(timer);
    signal.removeEventListener('abort', kill);
    reject(new Error(`the process of a rehearsal ended: ${how ?? `exit code ${code}`}`));
  });
  child.send(message, () => undefined);
  return promise;
}
