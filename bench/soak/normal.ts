/**
 * Entry: the normal tenant's client, in a separate process. It posts orders at a steady rate,
 * whether or not the previous ones were answered, and prints the time of each from its scheduled
 * start.
 */
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Target } from '../api/http.ts';
import { scenarios, type Facts } from '../api/scenarios.ts';
import { countStatus, openLane, type Statuses } from './lane.ts';

export interface NormalAssignment {
  readonly target: Target;
  readonly facts: Facts;
  readonly forMs: number;
}

export interface NormalMeasured {
  readonly requests: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  readonly statuses: Statuses;
}

const PER_SECOND = 10;
/** Callers that take turns; this many may wait for their answers. */
const LANES = 16;
const INTERVAL_MS = 1_000 / PER_SECOND;

let count = 0;

async function measure({ target, facts, forMs }: NormalAssignment): Promise<NormalMeasured> {
  const post = scenarios['POST order'];
  if (post === undefined) throw new Error('no scenario POST order');
  const latencies: number[] = [];
  const statuses: Statuses = {};
  const began = performance.now();
  let turn = 0;
  await Promise.all(
    Array.from({ length: LANES }, async () => {
      const lane = openLane(target);
      for (;;) {
        const dueMs = began + INTERVAL_MS * turn++;
        if (dueMs > began + forMs) break;
        await sleep(Math.max(0, dueMs - performance.now()));
        countStatus(statuses, await lane.send(post(facts, (count += 1))));
        latencies.push(performance.now() - dueMs);
      }
      lane.close();
    }),
  );
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
