/** Measures hosted sign-ups: start, page and submit, and many at once beside a billing run. */
import { startChild, target } from './api/children.ts';
import type { PagesAssignment, PagesStep } from './pages/client.ts';
import type { PagesMeasured } from './pages/figures.ts';
import { inTenant } from '../db/connection/tenancy.ts';
import { callerOf } from './support/caller.ts';
import { advance } from './support/clock.ts';
import { populate } from './support/population.ts';
import { untilQuiet } from './support/quiet.ts';
import { benchOfSystem, type Asked } from './support/run.ts';
import { makeTenant, type BenchSystem } from './support/system.ts';

interface StepRow extends PagesMeasured {
  readonly step: PagesStep;
  readonly connections: number;
}

interface PagesFigures {
  readonly steps: readonly StepRow[];
  /** So many at once, alone and beside the run. */
  readonly alone: PagesMeasured;
  readonly beside: PagesMeasured;
  readonly processed: number;
  readonly orders: number;
  /** A renewal until every workflow has woken, alone and beside the signups. */
  readonly runMs: number;
  readonly runBesideMs: number;
}

const file = 'pages/tenant.yaml';
const steps: readonly PagesStep[] = ['start', 'page', 'submit'];
const connectionCounts = [1, 8, 16];
const WARM_MS = 2_000;
const MEASURE_MS = 6_000;
const SIGNUPS = 100;
const startDate = '2027-01-01';
const days = { first: '2027-01-02', alone: '2027-02-01', beside: '2027-03-01' };

export const pages = benchOfSystem({ measure, report });

async function measure(system: BenchSystem, { orders, say }: Asked): Promise<PagesFigures> {
  const tenantId = await makeTenant(system, 'bench', { file });
  const runId = await makeTenant(system, 'running', { file });
  const client = await startChild('../pages/client.ts', []);
  const { port, authorization, host } = target(Number(new URL(system.apiUrl).port));
  const at = { port, authorization, host };
  const ask = async (assignment: PagesAssignment): Promise<PagesMeasured> => {
    client.say(assignment);
    return JSON.parse(await client.nextLine()) as PagesMeasured;
  };
  try {
    const rows: StepRow[] = [];
    for (const step of steps) {
      for (const connections of connectionCounts) {
        say(`${step}, ${connections} at once`);
        await untilQuiet(system);
        const times = { warmMs: WARM_MS, measureMs: MEASURE_MS };
        const measured = await ask({ step, target: at, connections, ...times });
        rows.push({ step, connections, ...measured });
      }
    }
    say(`${orders} orders of another tenant, and their first periods`);
    await populate(system.db, { tenantId: runId, orders, startDate, billOn: days.first });
    const caller = callerOf(system.apiUrl, 'running');
    await advance(caller, days.first);
    say('Its billing run, sign-ups, then both');
    const runMs = await advance(caller, days.alone);
    await untilQuiet(system);
    const alone = await ask({ signups: SIGNUPS, target: at });
    await untilQuiet(system);
    const [runBesideMs, beside] = await Promise.all([
      advance(caller, days.beside),
      ask({ signups: SIGNUPS, target: at }),
    ]);
    await untilQuiet(system);
    const processed = await countProcessed(system, tenantId, 2 * SIGNUPS);
    return { steps: rows, alone, beside, processed, orders, runMs, runBesideMs };
  } finally {
    client.end();
  }
}

/** Of the newest signups: figures of what was not made would be worthless. */
async function countProcessed(
  { db }: BenchSystem,
  tenantId: number,
  newest: number,
): Promise<number> {
  const [row] = await inTenant(db, tenantId, (tx) =>
    tx.query<{ processed: number }>(
      `select count(*) filter (where status = 'PROCESSED') as processed
       from (select status from signup order by id desc limit $1) s`,
      [newest],
    ),
  );
  return row?.processed ?? 0;
}

function report(figures: PagesFigures): string {
  const { steps: rows, alone, beside, processed, orders, runMs, runBesideMs } = figures;
  const lines = rows.map(({ step, connections, ...measured }) =>
    [step.padEnd(6), String(connections).padStart(9), timesOf(measured)].join(''),
  );
  const rate = (ms: number): string => `${Math.round(orders / (ms / 1_000))} per second`;
  return [
    'Hosted sign-ups: the call, the page of step 2, and its form until it is answered',
    'step    at once  p50 ms  p99 ms  failed  answers',
    ...lines,
    `${SIGNUPS} at once, start to answer; ${processed} of ${2 * SIGNUPS} PROCESSED`,
    `alone   ${alone.seconds.toFixed(1).padStart(5)} s${timesOf(alone)}`,
    `beside  ${beside.seconds.toFixed(1).padStart(5)} s${timesOf(beside)}`,
    `Renewal of ${orders} orders of another tenant: ${rate(runMs)}; beside the sign-ups ` +
      `${rate(runBesideMs)}, ${(runMs / runBesideMs).toFixed(2)} of that`,
    '',
  ].join('\n');
}

const timesOf = ({ p50Ms, p99Ms, failed, requests }: PagesMeasured): string =>
  [
    p50Ms.toFixed(1).padStart(8),
    p99Ms.toFixed(1).padStart(8),
    String(failed).padStart(8),
    String(requests).padStart(9),
  ].join('');
