/** Reads the figures of the installation again and again, in one process at a time. */
import { randomUUID } from 'node:crypto';
import { endTurn, holdTurn, type Turn } from '../../db/queries/context/installation.ts';
import { readSupervision } from '../../db/queries/processes/supervision.ts';
import type { Sampled } from '../../providers/metrics/metric.ts';
import { startLoop, type Loop } from '../context/loop.ts';
import { livingBuilds } from '../processes/heartbeat.ts';
import { installationMetrics, type Reading, samplesOf } from './metrics.ts';
import { figuresOfInstallation, type FiguresOptions } from './read.ts';

const KEY = 'figures';
const PASS_MS = 30_000;
/** A process that dies is replaced after so many of its rests. */
const LEASE_RESTS = 3;
/** Reading takes a twentieth of the time of one connection at most, however many tenants there are. */
const REST_FACTOR = 19;
/** What is older is not shown: the figures of a process that cannot read them are those of nobody. */
const SHOWN_MS_MAX = 4 * PASS_MS;

export interface FiguresLoopOptions extends FiguresOptions {
  readonly onError: (error: unknown) => void;
}

export interface FiguresLoop extends Loop, Sampled {}

/** What it shows is empty while another process has the turn. */
export function startFigures(options: FiguresLoopOptions): FiguresLoop {
  const holder = randomUUID();
  let shown: { readonly reading: Reading; readonly at: number } | undefined;
  let restMs = PASS_MS;
  const loop = startLoop(async (signal) => {
    try {
      const turn = { key: KEY, holder, seconds: (restMs * LEASE_RESTS) / 1_000 };
      const reading = await figuresPass(options, turn, signal);
      shown = reading && { reading, at: performance.now() };
      restMs = Math.max(PASS_MS, (reading?.figures.milliseconds ?? 0) * REST_FACTOR);
    } catch (error) {
      options.onError(error);
    }
    return restMs;
  });
  return {
    rows: installationMetrics,
    read() {
      if (shown === undefined || performance.now() - shown.at > restMs + SHOWN_MS_MAX) return [];
      return samplesOf(shown.reading);
    },
    async stop() {
      await loop.stop();
      shown = undefined;
      await endTurn(options.dependencies.db.pool, { key: KEY, holder }).catch(options.onError);
    },
  };
}

/** Undefined while another process has the turn. */
export async function figuresPass(
  options: FiguresLoopOptions,
  turn: Turn & { readonly seconds: number },
  signal?: AbortSignal,
): Promise<Reading | undefined> {
  const { db } = options.dependencies;
  const held = await holdTurn(db.pool, turn);
  if (held === null) return undefined;
  const figures = await figuresOfInstallation(options, signal);
  for (const { error } of figures.failed) options.onError(error);
  const supervision = (await readSupervision(db.pool))?.figures;
  return { figures, supervision, builds: await livingBuilds(db.pool) };
}
