/** Hashes passwords in a process of its own, so that neither logins nor files wait for them. */
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import type { HashCost } from '../operations/access/passwords.ts';
import { forkLimited } from '../providers/limited-process.ts';
import type { Hashed, ToHash } from './hash-messages.ts';

export interface HashProcess {
  /** Rejects if the process dies; the next call starts another one. */
  readonly hash: (password: string) => Promise<string>;
  readonly stop: () => void;
}

const MEMORY_MB = 64;
/** A process without work for so long ends. */
const IDLE_MS = 10_000;

interface Waiting {
  readonly resolve: (hash: string) => void;
  readonly reject: (error: Error) => void;
}

interface Child {
  readonly process: ChildProcess;
  /** By the places of their messages. */
  readonly waiting: Map<number, Waiting>;
}

export function startHashProcess(cost?: HashCost): HashProcess {
  let child: Child | undefined;
  let idle: NodeJS.Timeout | undefined;
  let last = 0;
  const end = (): void => {
    child?.process.kill('SIGKILL');
    child = undefined;
  };

  function start(): Child {
    const started: Child = {
      process: forkLimited({
        entry: join(import.meta.dirname, 'hash-process.ts'),
        memoryMb: MEMORY_MB,
        // It needs no setting and no secret; one thread hashes.
        env: { UV_THREADPOOL_SIZE: '1' },
      }),
      waiting: new Map(),
    };
    const { waiting } = started;
    started.process.on('message', (message) => {
      const { place, hash } = message as Hashed;
      waiting.get(place)?.resolve(hash);
      waiting.delete(place);
      if (waiting.size === 0) idle = setTimeout(end, IDLE_MS);
    });
    const gone = (): void => {
      if (child === started) child = undefined;
      for (const { reject } of waiting.values()) reject(new Error('the process that hashes died'));
      waiting.clear();
    };
    started.process.once('exit', gone).once('error', gone);
    return started;
  }

  return {
    hash(password) {
      clearTimeout(idle);
      child ??= start();
      const { process: hashing, waiting } = child;
      last += 1;
      const message: ToHash = { place: last, password, cost };
      const answered = new Promise<string>((resolve, reject) => {
        waiting.set(message.place, { resolve, reject });
      });
      hashing.send(message, () => undefined);
      return answered;
    },
    stop() {
      clearTimeout(idle);
      end();
    },
  };
}
