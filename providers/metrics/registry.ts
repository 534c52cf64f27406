/** Counts what a process does, and gives it to Prometheus as text. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Pool } from 'pg';
import { turnsChannel, type TurnNews } from '../../db/connection/turns.ts';
import { gatewayChannel, type GatewayNews } from '../gateway/adapters.ts';
import { listenTo } from '../listening.ts';
import { type MetricRow, type Sample, type Sampled, tenantLabels } from './metric.ts';
import { processMetrics } from './table.ts';

export interface CountedRequest {
  /** Of the route table: `GET /customer/:id`; undefined if it has none. */
  readonly route: string | undefined;
  readonly status: number;
  readonly tenant: string | undefined;
  readonly milliseconds: number;
}

/** A line of the log about a piece of work. */
export interface CountedWork {
  readonly work: string;
  readonly milliseconds?: number;
  readonly [field: string]: unknown;
}

export interface Metrics {
  readonly request: (request: CountedRequest) => void;
  readonly work: (line: CountedWork) => void;
  readonly error: () => void;
  /** Shows a pool until the result is called. */
  readonly pool: (name: string, pool: Pool) => () => void;
  /** Shows what a subject reads at each scrape until the result is called. */
  readonly sampled: (sampled: Sampled) => () => void;
  /** All of it, in Prometheus's format. */
  readonly text: () => Promise<string>;
  readonly contentType: string;
  readonly close: () => void;
}

export interface MetricsOptions {
  readonly process: 'api' | 'worker';
  readonly version: string;
  readonly build: string;
  /** The newest migration that the process knows. */
  readonly schema: string;
}

/** Node's own metrics ask for the delay of the event loop so seldom that it costs nothing. */
const LOOP_PRECISION_MS = 100;

export function createMetrics({ process: name, ...build }: MetricsOptions): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LOOP_PRECISION_MS });
  new Gauge(configOf(processMetrics.build, registers)).set({ process: name, ...build }, 1);
  const requests = new Histogram(configOf(processMetrics.requests, registers));
  const busy = new Counter(configOf(processMetrics.busy, registers));
  const errors = new Counter(configOf(processMetrics.errors, registers));
  const work = countsWork(registers);
  const labelOf = tenantLabels();
  const pools = showsPools(registers);
  const sampled = showsSampled(registers);
  const closers = [countsTurns(registers), countsGatewayCalls(registers)];
  return {
    request({ route = 'none', status, tenant, milliseconds }) {
      requests.observe({ route, status: classOf(status) }, milliseconds / 1_000);
      if (status === 503 && tenant !== undefined) busy.inc({ tenant: labelOf(tenant) });
    },
    work,
    error: () => errors.inc(),
    pool: pools,
    sampled,
    text: () => registry.metrics(),
    contentType: registry.contentType,
    close: () => {
      for (const close of closers) close();
    },
  };
}

const classes = ['none', '1xx', '2xx', '3xx', '4xx', '5xx'];

const classOf = (status: number): string => classes[Math.floor(status / 100)] ?? 'none';

function configOf<Labels extends string>(
  { name, help, labels, buckets }: MetricRow & { readonly labels: readonly Labels[] },
  registers: Registry[],
) {
  const own = buckets === undefined ? {} : { buckets: [...buckets] };
  return { name, help, labelNames: [...labels], registers, ...own };
}

function countsWork(registers: Registry[]): (line: CountedWork) => void {
  const pieces = new Counter(configOf(processMetrics.work, registers));
  const seconds = new Counter(configOf(processMetrics.workSeconds, registers));
  const billed = new Counter(configOf(processMetrics.billed, registers));
  return (line) => {
    const { work, milliseconds, of } = line;
    // The kinds of imports are few as well.
    pieces.inc({ work, of: typeof of === 'string' ? of : '' });
    if (milliseconds !== undefined) seconds.inc({ work }, milliseconds / 1_000);
    if (work !== 'billing batch') return;
    for (const what of ['customers', 'orders', 'invoices', 'held'] as const) {
      const count = line[what];
      if (typeof count === 'number') billed.inc({ what }, count);
    }
  };
}

/** What had to wait for its turn. What had it at once costs nothing here. */
function countsTurns(registers: Registry[]): () => void {
  const waits = new Histogram(configOf(processMetrics.turnWaits, registers));
  const waiting = new Gauge(configOf(processMetrics.turnsWaiting, registers));
  return listenTo(turnsChannel, (news) => {
    const { turns, outcome, milliseconds } = news as TurnNews;
    if (outcome === 'waits') return waiting.inc({ turns });
    // What finds the queue full has not waited.
    if (outcome !== 'full') waiting.dec({ turns });
    waits.observe({ turns, outcome }, milliseconds / 1_000);
  });
}

function countsGatewayCalls(registers: Registry[]): () => void {
  const calls = new Histogram(configOf(processMetrics.gatewayCalls, registers));
  return listenTo(gatewayChannel, (news) => {
    const { milliseconds, ...labels } = news as GatewayNews;
    calls.observe(labels, milliseconds / 1_000);
  });
}

function showsPools(registers: Registry[]): Metrics['pool'] {
  const shown = new Map<string, Pool>();
  new Gauge({
    ...configOf(processMetrics.connections, registers),
    collect() {
      this.reset();
      for (const [pool, { totalCount, idleCount }] of shown) {
        this.set({ pool, state: 'idle' }, idleCount);
        this.set({ pool, state: 'used' }, totalCount - idleCount);
      }
    },
  });
  return (name, pool) => {
    shown.set(name, pool);
    return () => {
      if (shown.get(name) === pool) shown.delete(name);
    };
  };
}

/** A subject that is shown again takes its own place. */
function showsSampled(registers: Registry[]): Metrics['sampled'] {
  const readers = new Map<string, Sampled['read']>();
  const [registry] = registers;
  const valuesOf = (name: string): readonly Sample[] => readers.get(name)?.() ?? [];
  return ({ rows, read }) => {
    const byName = batched(read);
    for (const row of rows) {
      readers.set(row.name, () => byName(row.name));
      if (registry?.getSingleMetric(row.name) !== undefined) continue;
      const Kind = row.type === 'counter' ? Counter : Gauge;
      new Kind<string>({
        ...configOf(row, registers),
        collect() {
          this.reset();
          for (const { labels, value } of valuesOf(row.name)) this.inc(labels, value);
        },
      });
    }
    return () => {
      for (const { name } of rows) readers.delete(name);
    };
  };
}

/** One read serves all metrics of a scrape, which are collected in one turn of the event loop. */
function batched(read: Sampled['read']): (name: string) => readonly Sample[] {
  let kept: ReadonlyMap<string, readonly Sample[]> | undefined;
  return (name) => {
    if (kept === undefined) {
      kept = Map.groupBy(read(), (sample) => sample.name);
      setImmediate(() => (kept = undefined));
    }
    return kept.get(name) ?? [];
  };
}
