/** Uploads of 1,000 records each, of one tenant and of several, beside COPY of the same rows. */
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { startChild, target, type Child } from '../api/children.ts';
import { cpuOf, cpuPer, type CpuFigures } from '../support/cpu.ts';
import { median } from '../support/median.ts';
import { untilQuiet } from '../support/quiet.ts';
import type { BenchSystem } from '../support/system.ts';
import type { UploadAssignment, Uploaded } from './client.ts';
import { openCopyBaseline, type Copied, type CopyBaseline } from './copy.ts';
import { usageTenant } from './fill.ts';

const CUSTOMERS = 1_000;
const TENANTS = 8;
const ROUNDS = 5;
const SLICE_MS = 2_000;
/** Longer than the API keeps lines of its log back. */
const LOG_MS = 400;
const cases = [
  { connections: 1, tenants: 1 },
  { connections: 4, tenants: 1 },
  { connections: 8, tenants: 1 },
  { connections: 4, tenants: 4 },
  { connections: 8, tenants: 8 },
];

export interface UploadRow {
  readonly connections: number;
  readonly tenants: number;
  readonly recordsPerSecond: number;
  readonly p50Ms: number;
  /** Of these, the wait for the turn of a heavy call. */
  readonly waitedMs: number;
  /** Of 1,000 records, in milliseconds. */
  readonly cpuMs: CpuFigures;
  readonly copiedPerSecond: number;
  /** Of PostgreSQL for 1,000 rows of one COPY, in milliseconds. */
  readonly copyCpuMs: number;
  /** Of the rate of one COPY, and of as many at once as connections; medians of the rounds. */
  readonly ofCopy: number;
  readonly ofCopies: number;
}

export interface Uploader {
  readonly upload: (given: Pick<UploadAssignment, 'hosts' | 'forMs'>) => Promise<Uploaded>;
  readonly end: () => void;
}

/** @param customers of each tenant */
export async function startUploader(system: BenchSystem, customers: number): Promise<Uploader> {
  const child: Child = await startChild('../usage/client.ts', []);
  const { port, authorization } = target(Number(new URL(system.apiUrl).port));
  return {
    async upload(given) {
      child.say({ port, authorization, customers, ...given } satisfies UploadAssignment);
      return JSON.parse(await child.nextLine()) as Uploaded;
    },
    end: child.end,
  };
}

export async function uploads(
  system: BenchSystem,
  say: (line: string) => void,
): Promise<UploadRow[]> {
  const labels = Array.from({ length: TENANTS }, (_, nth) => `usage${nth}`);
  const made = { orders: CUSTOMERS, contractCode: 'YEARLY' } as const;
  for (const label of labels) await usageTenant(system, { ...made, label });
  const copyIds = [
    await usageTenant(system, { ...made, label: 'copied' }),
    await usageTenant(system, { ...made, label: 'copied-at-once' }),
  ] as const;
  const uploader = await startUploader(system, CUSTOMERS);
  const baseline = await openCopyBaseline(system);
  const hostsOf = ({ connections, tenants }: (typeof cases)[number]): string[] =>
    Array.from({ length: connections }, (_, nth) => `usage${nth % tenants}.localhost`);
  try {
    // This makes the windows and the statements' plans, and starts the thread of heavy calls.
    await uploader.upload({ hosts: labels.map((label) => `${label}.localhost`), forMs: SLICE_MS });
    const rows: UploadRow[] = [];
    for (const each of cases) {
      say(`Uploads at ${each.connections} connections of ${each.tenants} tenants`);
      const rounds: Round[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        rounds.push(await roundOf({ system, uploader, baseline, copyIds }, hostsOf(each)));
      }
      rows.push({ ...each, ...summed(rounds) });
    }
    return rows;
  } finally {
    uploader.end();
    await baseline.close();
  }
}

interface Measuring {
  readonly system: BenchSystem;
  readonly uploader: Uploader;
  readonly baseline: CopyBaseline;
  readonly copyIds: readonly [number, number];
}

interface Round {
  readonly uploaded: Uploaded;
  readonly waitedMs: readonly number[];
  readonly cpuMs: CpuFigures;
  readonly copied: Copied;
  readonly copiedAtOnce: Copied;
}

async function roundOf(
  { system, uploader, baseline, copyIds }: Measuring,
  hosts: readonly string[],
): Promise<Round> {
  await untilQuiet(system);
  const afterId = await baseline.lastId();
  const logged = (await readFile(system.apiLog)).length;
  const before = await cpuOf(system.pids);
  const uploaded = await uploader.upload({ hosts, forMs: SLICE_MS });
  const cpuMs = cpuPer(before, await cpuOf(system.pids), uploaded.records / 1_000 / 1_000);
  await sleep(LOG_MS);
  const waitedMs = waitsIn((await readFile(system.apiLog)).subarray(logged).toString());
  const lastId = await baseline.lastId();
  await untilQuiet(system);
  const [toTenant, atOnce] = copyIds;
  const copied = await baseline.copy({ afterId, lastId, toTenant, connections: 1 });
  const connections = hosts.length;
  const copiedAtOnce =
    connections === 1
      ? copied
      : await baseline.copy({ afterId, lastId, toTenant: atOnce, connections });
  return { uploaded, waitedMs, cpuMs, copied, copiedAtOnce };
}

function waitsIn(log: string): number[] {
  return log.split('\n').flatMap((line) => {
    if (!line.includes('/rest/activities')) return [];
    const { waited } = JSON.parse(line) as { readonly waited?: number };
    return waited === undefined ? [] : [waited];
  });
}

function summed(rounds: readonly Round[]): Omit<UploadRow, 'connections' | 'tenants'> {
  const of = (figure: (round: Round) => number): number => median(rounds.map(figure));
  const rate = ({ uploaded: { records, seconds } }: Round): number => records / seconds;
  const part = (name: keyof CpuFigures): number => of(({ cpuMs }) => cpuMs[name]);
  return {
    recordsPerSecond: of(rate),
    p50Ms: median(rounds.flatMap(({ uploaded }) => uploaded.latenciesMs)),
    waitedMs: median(rounds.flatMap(({ waitedMs }) => waitedMs)),
    cpuMs: {
      api: part('api'),
      postgres: part('postgres'),
      worker: part('worker'),
      temporal: part('temporal'),
    },
    copiedPerSecond: of(({ uploaded, copied }) => uploaded.records / copied.seconds),
    copyCpuMs: of(({ uploaded, copied }) => (copied.cpuSeconds * 1_000_000) / uploaded.records),
    ofCopy: of((round) => (rate(round) * round.copied.seconds) / round.uploaded.records),
    ofCopies: of((round) => (rate(round) * round.copiedAtOnce.seconds) / round.uploaded.records),
  };
}
