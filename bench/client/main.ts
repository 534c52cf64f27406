/**
 * Entry: the client, in a separate process. Reads measurements as JSON lines from its input, and
 * prints the result of each.
 */
import { setPriority } from 'node:os';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { calls, type Facts } from './calls.ts';
import { openLane, type Answer, type Target } from './http.ts';
import { visits } from './pages.ts';

export interface Assignment {
  /** The name of a call or of a step at pages. */
  readonly what: string;
  /** The tenants, which the connections call in turn. */
  readonly targets: readonly Target[];
  readonly facts?: Facts;
  readonly connections: number;
  /** Before the measurement. */
  readonly warmMs?: number;
  readonly measureMs: number;
  /** So many in all, however long they take. */
  readonly times?: number;
  /**
   * Begins them at a steady rate, whether or not the ones before were answered. The time of each counts
   * from its scheduled start.
   */
  readonly perSecond?: number;
  /** Of each connection, after an answer. */
  readonly pauseMs?: number;
}

export interface Measured {
  readonly latencies: readonly number[];
  /** Those of the warm-up. */
  readonly warmLatencies: readonly number[];
  /** How often each status was answered, in all. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly seconds: number;
}

/** An assignment and its result have a number in common. */
export type Numbered<Message> = Message & { readonly id: number };

let count = 0;

async function measure(assignment: Assignment): Promise<Measured> {
  const { targets, connections, warmMs = 0, measureMs, times = Infinity } = assignment;
  const { perSecond, pauseMs = 0 } = assignment;
  const lanes = await Promise.all(
    Array.from({ length: connections }, (_, at) =>
      stepOf(assignment, targets[at % targets.length] as Target),
    ),
  );
  const latencies: number[] = [];
  const warmLatencies: number[] = [];
  const statuses: Record<string, number> = {};
  let begun = 0;
  const began = performance.now();
  const forMs = times === Infinity ? warmMs + measureMs : Infinity;
  await Promise.all(
    lanes.map(async ({ step, close }) => {
      for (;;) {
        const nth = begun;
        begun += 1;
        const dueMs =
          perSecond === undefined ? performance.now() - began : (nth * 1_000) / perSecond;
        if (nth >= times || (dueMs >= forMs && latencies.length > 0)) break;
        if (perSecond !== undefined) await sleep(Math.max(0, began + dueMs - performance.now()));
        const { status, ms } = await step();
        const latency = perSecond === undefined ? ms : performance.now() - began - dueMs;
        (dueMs < warmMs ? warmLatencies : latencies).push(latency);
        statuses[status] = (statuses[status] ?? 0) + 1;
        if (pauseMs > 0) await sleep(pauseMs);
      }
      close();
    }),
  );
  const seconds = (performance.now() - began - warmMs) / 1_000;
  return { latencies, warmLatencies, statuses, seconds };
}

interface Step {
  readonly step: () => Promise<Answer>;
  readonly close: () => void;
}

async function stepOf({ what, facts = {} }: Assignment, target: Target): Promise<Step> {
  const visit = visits[what];
  if (visit) return { step: await visit(target, facts), close: () => undefined };
  const make = calls[what];
  if (!make) throw new Error(`nothing is called ${what}`);
  const { send, close } = openLane(target);
  return { step: () => send(make(facts, (count += 1))), close };
}

const [priority] = process.argv.slice(2);
if (priority !== undefined) setPriority(Number(priority));
for await (const line of createInterface({ input: process.stdin })) {
  const assignment = JSON.parse(line) as Numbered<Assignment>;
  void measure(assignment).then((measured) => {
    process.stdout.write(`${JSON.stringify({ id: assignment.id, ...measured })}\n`);
  });
}
