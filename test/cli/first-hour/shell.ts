/** A shell like the reader's: what is pasted into it stays in force for what is pasted next. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { ExecutionContext } from 'ava';

export interface Pasted {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Shell {
  /** Resolves when the commands have ended. */
  readonly paste: (commands: string) => Promise<Pasted>;
}

export function openShell(
  t: Pick<ExecutionContext, 'teardown'>,
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Shell {
  const child = spawn('bash', { ...options, stdio: 'pipe' });
  const ended = once(child, 'close');
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (chunk: string) => {
      said[name] += chunk;
      child.emit('said');
    });
  }
  t.teardown(async () => {
    child.stdin.end();
    await ended;
  });
  return {
    async paste(commands) {
      const mark = randomUUID();
      said.stdout = '';
      said.stderr = '';
      // A group, as a program that read the shell's input would swallow what is pasted next.
      child.stdin.write(`{\n${commands}\n} </dev/null\nprintf '%s %s\\n' ${mark} $?\n`);
      for (;;) {
        const [stdout = '', rest] = said.stdout.split(mark);
        const code = /^ (\d+)\n/.exec(rest ?? '')?.[1];
        if (code !== undefined) return { code: Number(code), stdout, stderr: said.stderr };
        await Promise.race([once(child, 'said'), ended.then(endedTooSoon)]);
      }
    },
  };

  function endedTooSoon(): never {
    throw new Error(`the shell has ended: ${said.stdout}${said.stderr}`);
  }
}
