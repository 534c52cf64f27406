/** How servers share the processors. */

import test from 'ava';
import { readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { startServer } from '../../../providers/embedded/process.ts';

test('a server in the background comes after the others, also among sessions', async (t) => {
  const own = getPriority();
  for (const isBackground of [true, false]) {
    const args = ['-e', 'setInterval(() => {}, 1000)'];
    const server = await startServer({
      name: 'idle',
      command: process.execPath,
      args,
      isBackground,
    });
    const { pid } = server.identity;
    t.teardown(() => void server.child.kill('SIGKILL'));
    const nice = isBackground ? 5 : own;
    t.is(getPriority(pid), nice);
    const ofSession = sessionNice(pid);
    if (ofSession !== undefined && isBackground) t.is(ofSession, nice);
    await server.stop({ signal: 'SIGTERM', limitSeconds: 10 });
  }
});

/** Undefined where the kernel does not group by session. */
function sessionNice(pid: number): number | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    const words = /nice (-?\d+)/.exec(readFileSync(`/proc/${pid}/autogroup`, 'utf8'));
    return words === null ? undefined : Number(words[1]);
  } catch {
    return undefined;
  }
}
