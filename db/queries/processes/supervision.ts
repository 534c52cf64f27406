/** Which process supervises the workflows of the installation, and what it has found and done. */
import type { Pool } from 'pg';
import { endTurn, holdTurn, keepInstallation, readInstallation } from '../context/installation.ts';

const KEY = 'supervision';

export interface KindFigures {
  /** Of the last sweep: objects that needed a workflow. */
  readonly needed: number;
  /** Of the last sweep: those that had none. */
  readonly missing: number;
  /** Of the last sweep: running workflows that no row needed. */
  readonly unneeded: number;
  /** Started again, since there is supervision. */
  readonly restarted: number;
  /** Ended because no row needed them, since there is supervision. */
  readonly ended: number;
}

export interface SupervisionFigures {
  /** When the last sweep was done. */
  readonly sweptAt: string;
  readonly milliseconds: number;
  readonly tenants: number;
  /** Tenants that could not be compared. */
  readonly failed: number;
  /** Running workflows of tenants that the database does not have. */
  readonly unknown: number;
  readonly kinds: Readonly<Record<string, KindFigures>>;
}

export interface Supervision {
  /** The process that supervises, until when by the database's clock. */
  readonly holder: string;
  readonly until: string;
  /** Absent before the first sweep is done. */
  readonly figures?: SupervisionFigures | undefined;
}

/** The turn of supervising. Returns the database's time in milliseconds since 1970, or null. */
export const holdSupervision = (
  pool: Pool,
  holder: string,
  seconds: number,
): Promise<number | null> => holdTurn(pool, { key: KEY, holder, seconds });

export const endSupervision = (pool: Pool, holder: string): Promise<void> =>
  endTurn(pool, { key: KEY, holder });

export async function keepFigures(
  pool: Pool,
  holder: string,
  figures: SupervisionFigures,
): Promise<void> {
  await pool.query(
    `update installation
     set value = (value::jsonb || jsonb_build_object('figures', $3::jsonb))::text
     where key = $1 and value::jsonb ->> 'holder' = $2`,
    [KEY, holder, JSON.stringify(figures)],
  );
}

/** Undefined before any process has supervised. */
export async function readSupervision(pool: Pool): Promise<Supervision | undefined> {
  const value = await readInstallation(pool, KEY);
  return value === undefined ? undefined : (JSON.parse(value) as Supervision);
}

/* What the database knows of the engine. */

const ENGINE_KEY = 'engine_state';

export interface EngineState {
  /** The newest mark that was given to the engine. */
  readonly mark: number;
  /** How often the engine was found older than that. */
  readonly generation: number;
}

export async function readEngineState(pool: Pool): Promise<EngineState | undefined> {
  const value = await readInstallation(pool, ENGINE_KEY);
  return value === undefined ? undefined : (JSON.parse(value) as EngineState);
}

export function keepEngineState(pool: Pool, state: EngineState): Promise<void> {
  return keepInstallation(pool, ENGINE_KEY, JSON.stringify(state));
}
