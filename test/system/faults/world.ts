/** What a world is: something for a worker to do, in a tenant of its own. */
import type { Database } from '../../../db/connection/database.ts';
import type { Dependencies } from '../../../operations/context/context.ts';
import type { SharedDatabase } from '../../operations/support/books.ts';
import type { Work, WorkName } from './work.ts';
import type { Ports } from './ports.ts';

export interface World {
  readonly name: string;
  /** The activities and passes that it runs; each is in a world. */
  readonly of: readonly WorkName[];
  /** Rows that are not compared: they tell people that something has failed. */
  readonly except?: readonly string[];
  /** It reads alone: what comes of it is `outside`. */
  readonly isReading?: boolean;
  /** Called anew for each run, which begins with the same rows. */
  readonly open: (place: Place) => Promise<Scene>;
}

export interface Place {
  readonly db: SharedDatabase;
  /** Whether this run is cut off somewhere. */
  readonly isFaulty: boolean;
  readonly teardown: (end: () => unknown) => void;
}

export interface Scene {
  readonly tenantId: number;
  /** Those of the test; the worker gets others, whose database fails. */
  readonly dependencies: Dependencies;
  readonly ports?: Partial<Ports>;
  /** With the role sundial_relay, and the tenant alone, for passes over all tenants. */
  readonly relayDb?: Database;
  /**
   * The next call, as a workflow or a loop makes it. Returns how long it then waits, in
   * milliseconds; null once it has nothing more to do.
   */
  readonly step: (work: Work) => Promise<number | null>;
  /** Lets time pass. */
  readonly pass?: (ms: number) => unknown;
  /** What other workflows do between two calls, such as those of payments. */
  readonly others?: () => Promise<unknown>;
  /** What arrived outside, as often as it counts; the same in every run. */
  readonly outside?: () => unknown;
}

/** A workflow that waits for longer has done what there was to do. */
const FAR_MS = 12 * 3_600_000;

export const unlessFar = (waitMs: number | null): number | null =>
  waitMs !== null && waitMs < FAR_MS ? waitMs : null;
