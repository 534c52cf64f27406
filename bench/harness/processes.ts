/** The CPU time and the memory of a system's processes, from Linux's own accounts. */
import { readFile, readdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Slice } from './turns.ts';

const parts = ['api', 'postgres', 'worker', 'temporal'] as const;
export type Pids = Readonly<Record<(typeof parts)[number], number>>;

const TICKS_PER_SECOND = 100;
const BYTES_PER_MEGABYTE = 1024 * 1024;
const LOOK_MS = 500;
/** CPU use, as a share of one core, between two readings. */
const BUSY_SHARE_MAX = 0.1;
const QUIET_LIMIT_MS = 120_000;

/**
 * Waits until the processes have finished their work, so that the next measurement does not include it.
 * Gives up after two minutes: a system that never rests is measured as it is.
 */
export async function untilQuiet(pids: Pids): Promise<void> {
  const servers = Object.values(pids);
  const giveUpAt = performance.now() + QUIET_LIMIT_MS;
  let before = await cpuSecondsOf(servers);
  while (performance.now() < giveUpAt) {
    await sleep(LOOK_MS);
    const now = await cpuSecondsOf(servers);
    if (now - before <= (BUSY_SHARE_MAX * LOOK_MS) / 1_000) return;
    before = now;
  }
}

/** The function that it returns tells the milliseconds since, of each process and of all, for one of so many calls. */
export async function startCpu(pids: Pids): Promise<(count: number) => Promise<Slice>> {
  const read = (): Promise<number[]> =>
    Promise.all(parts.map((part) => cpuSecondsOf([pids[part]])));
  const before = await read();
  return async (count) => {
    const after = await read();
    const each = after.map((seconds, at) => ((seconds - (before[at] ?? 0)) * 1_000) / count);
    return {
      'CPU ms': each.reduce((sum, ms) => sum + ms, 0),
      ...Object.fromEntries(parts.map((part, at) => [part, each[at] ?? 0])),
    };
  };
}

/** CPU time of processes and of their children, also of those that have ended. */
export async function cpuSecondsOf(pids: readonly number[]): Promise<number> {
  const roots = new Set(pids);
  let ticks = 0;
  for (const { pid, fields } of await processes()) {
    const [, parent, , , , , , , , , , ...times] = fields;
    if (!roots.has(pid) && !roots.has(Number(parent))) continue;
    // Its own in user and system mode, then those of the children that it has waited for.
    for (const each of times.slice(0, roots.has(pid) ? 4 : 2)) ticks += Number(each);
  }
  return ticks / TICKS_PER_SECOND;
}

/** Each process with the fields of its state after its name, which may contain spaces. */
async function processes(): Promise<{ readonly pid: number; readonly fields: string[] }[]> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  return Promise.all(
    names.map(async (name) => {
      const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
      return { pid: Number(name), fields: stat.slice(stat.lastIndexOf(')') + 2).split(' ') };
    }),
  );
}

/** Megabytes by process. */
export type Memory = Readonly<Record<string, number>>;

/** Of each process with its children; shared memory is counted once. */
export async function memoryOf(pids: Memory): Promise<Memory> {
  const all = await processes();
  const megabytes = async (pid: number): Promise<number> => {
    const children = all.filter(({ fields }) => Number(fields[1]) === pid);
    let kilobytes = 0;
    for (const each of [pid, ...children.map((child) => child.pid)]) {
      const rollup = await readFile(`/proc/${each}/smaps_rollup`, 'utf8').catch(() => '');
      kilobytes += Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? 0);
    }
    return Math.round((kilobytes * 1024) / BYTES_PER_MEGABYTE);
  };
  const memory: Record<string, number> = {};
  for (const [name, pid] of Object.entries(pids)) memory[name] = await megabytes(pid);
  return memory;
}

export interface Watched<Result> {
  readonly result: Result;
  readonly samples: readonly Memory[];
  /** The most of each process above what it had before. */
  readonly more: Memory;
}

interface Watching {
  /** The present processes whose memory is read. */
  readonly pids: () => Memory;
  readonly everyMs: number;
}

/** The memory of processes before and while something is done. */
export async function watchingMemory<Result>(
  { pids, everyMs }: Watching,
  work: () => Promise<Result>,
): Promise<Watched<Result>> {
  const before = await memoryOf(pids());
  const samples = [before];
  const stop = new AbortController();
  const { signal } = stop;
  const looking = (async () => {
    while (!signal.aborted) {
      await sleep(everyMs, undefined, { signal }).catch(() => undefined);
      samples.push(await memoryOf(pids()));
    }
  })();
  const result = await work().finally(() => stop.abort());
  await looking;
  const more = Object.entries(before).map(([name, megabytes]) => {
    const most = Math.max(...samples.map((sample) => sample[name] ?? 0));
    return [name, most - megabytes];
  });
  return { result, samples, more: Object.fromEntries(more) };
}
