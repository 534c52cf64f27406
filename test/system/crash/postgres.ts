/** A PostgreSQL server of a test's own, whose commits survive that it is killed. */
import { readFileSync, readdirSync } from 'node:fs';
import { startPostgres, type EmbeddedPostgres } from '../../../providers/embedded/postgres.ts';

export function startDurable(folder: string, port?: number): Promise<EmbeddedPostgres> {
  return startPostgres({
    folder,
    cacheDir: folder,
    port,
    // With durable commits, like a real one.
    settings: { shared_buffers: '16MB' },
    signal: new AbortController().signal,
    onProgress: () => undefined,
  });
}

/** SIGKILL to the server and to every process that it has started, at the same moment. */
export async function killAll({ server }: EmbeddedPostgres): Promise<void> {
  const { pid } = server.identity;
  for (const each of [pid, ...childrenOf(pid)]) {
    try {
      process.kill(each, 'SIGKILL');
    } catch {
      // The process has ended by itself meanwhile.
    }
  }
  await server.exited;
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => parentOf(name) === parent)
    .map(Number);
}

function parentOf(pid: string): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return 0;
  }
}
