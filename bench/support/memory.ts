/** The memory of processes, from Linux's own accounts. */
import { readdir, readFile } from 'node:fs/promises';

const BYTES_PER_MEGABYTE = 1024 * 1024;

/** Megabytes of a process and its children; shared memory is counted once. */
export async function memoryOf(pid: number): Promise<number> {
  let kilobytes = 0;
  for (const each of [pid, ...(await childrenOf(pid))]) {
    const rollup = await readFile(`/proc/${each}/smaps_rollup`, 'utf8').catch(() => '');
    kilobytes += Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? 0);
  }
  return Math.round((kilobytes * 1024) / BYTES_PER_MEGABYTE);
}

async function childrenOf(parent: number): Promise<number[]> {
  const children: number[] = [];
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const stat = await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => '');
    // The name in parentheses may contain spaces; the parent is the second field after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (Number(fields[1]) === parent) children.push(Number(entry));
  }
  return children;
}
