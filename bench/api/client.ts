/**
 * Entry: the client, in a separate process. Reads measurements to run as JSON lines from its input,
 * and prints the result of each.
 */
import { createInterface } from 'node:readline';
import { openConnection, type Connection, type Target } from './http.ts';
import { scenarios, type Facts } from './scenarios.ts';

export interface Assignment {
  readonly scenario: string;
  readonly target: Target;
  readonly connections: number;
  readonly warmMs: number;
  readonly measureMs: number;
}

export interface Measured {
  readonly requests: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Answers that were not 200 or 201. */
  readonly failed: number;
}

let facts: Facts = { customers: [], contractCode: '' };
let count = 0;

async function measure(assignment: Assignment): Promise<Measured> {
  const { target, connections, warmMs, measureMs } = assignment;
  const open = await Promise.all(Array.from({ length: connections }, () => openConnection(target)));
  await run(assignment.scenario, open, warmMs);
  const began = performance.now();
  const { latencies, failed } = await run(assignment.scenario, open, measureMs);
  const seconds = (performance.now() - began) / 1000;
  for (const each of open) each.close();
  const sorted = Float64Array.from(latencies).toSorted();
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0;
  return {
    requests: sorted.length,
    perSecond: sorted.length / seconds,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    failed,
  };
}

async function run(name: string, open: readonly Connection[], forMs: number) {
  const make = scenarios[name];
  if (make === undefined) throw new Error(`no scenario ${name}`);
  const latencies: number[] = [];
  let failed = 0;
  const until = performance.now() + forMs;
  await Promise.all(
    open.map(async (connection) => {
      while (performance.now() < until) {
        count += 1;
        const outgoing = make(facts, count);
        const began = performance.now();
        const status = await connection.send(outgoing);
        latencies.push(performance.now() - began);
        if (status !== 200 && status !== 201) failed += 1;
      }
    }),
  );
  return { latencies, failed };
}

for await (const line of createInterface({ input: process.stdin })) {
  const said = JSON.parse(line) as Assignment | { readonly facts: Facts };
  if ('facts' in said) facts = said.facts;
  else process.stdout.write(`${JSON.stringify(await measure(said))}\n`);
}
