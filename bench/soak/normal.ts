/**
 * Entry: the normal tenant's client, in a separate process. It posts orders at a steady rate,
 * whether or not the previous ones were answered, and measures the time of each from its scheduled
 * start, in the phase in which that lies.
 */
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Target } from '../api/http.ts';
import { scenarios, type Facts } from '../api/scenarios.ts';
import { countStatus, openLane, type Statuses } from './lane.ts';
import { durationMs, phaseAt, type Phase, type Turns } from './turns.ts';

export interface NormalAssignment {
  readonly target: Target;
  readonly facts: Facts;
  readonly turns: Turns;
}

export interface NormalMeasured {
  readonly requests: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  readonly statuses: Statuses;
}

export type NormalPhases = Readonly<Record<Phase, NormalMeasured>>;

const PER_SECOND = 10;
/** Callers that take turns; this many may wait for their answers. */
const LANES = 16;
const INTERVAL_MS = 1_000 / PER_SECOND;

let count = 0;

interface Noted {
  readonly latencies: number[];
  readonly statuses: Statuses;
}

async function measure({ target, facts, turns }: NormalAssignment): Promise<NormalPhases> {
  const post = scenarios['POST order'];
  if (post === undefined) throw new Error('no scenario POST order');
  const noted = (): Noted => ({ latencies: [], statuses: {} });
  const phases: Record<Phase, Noted> = { quiet: noted(), beside: noted(), settling: noted() };
  const forMs = durationMs(turns);
  // The clock of the turns may be set meanwhile; the times are those of a clock that is not.
  const began = performance.now() + (turns.beganAt - Date.now());
  let order = 0;
  await Promise.all(
    Array.from({ length: LANES }, async () => {
      const lane = openLane(target);
      for (;;) {
        const sinceMs = INTERVAL_MS * order++;
        if (sinceMs >= forMs) break;
        await sleep(Math.max(0, began + sinceMs - performance.now()));
        const { latencies, statuses } = phases[phaseAt(sinceMs)];
        countStatus(statuses, await lane.send(post(facts, (count += 1))));
        latencies.push(performance.now() - began - sinceMs);
      }
      lane.close();
    }),
  );
  const { quiet, beside, settling } = phases;
  return { quiet: summary(quiet), beside: summary(beside), settling: summary(settling) };
}

function summary({ latencies, statuses }: Noted): NormalMeasured {
  const sorted = latencies.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0;
  return {
    requests: sorted.length,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    maxMs: sorted.at(-1) ?? 0,
    statuses,
  };
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await measure(JSON.parse(line)))}\n`);
}
