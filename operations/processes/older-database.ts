/**
 * Refuses to work with a database that knows less than Temporal: one that was restored from an older backup
 * would give out ids, numbers and events again.
 */
import { OperatorError } from '../../operator-error.ts';
import type { Database } from '../../db/connection/database.ts';
import { readPlan } from '../../db/queries/processes/restoration.ts';
import { readEngineState } from '../../db/queries/processes/supervision.ts';
import type { Loop } from '../context/loop.ts';
import { engineFaultOf } from '../../providers/temporal/connect.ts';
import type { Engine } from '../outbox/engine.ts';
import { readMark } from '../outbox/engine-mark.ts';

export class OlderDatabaseError extends OperatorError {
  override readonly name = 'OlderDatabaseError';

  constructor(why: string) {
    super(
      `${why}. Nothing was started. Run \`npm run restored\`, which raises what the database gives out ` +
        'and lists what is lost; docs/recovery.md says how.',
    );
  }
}

export interface Standing {
  /** The newest mark in Temporal, and the newest that the database has given to it. */
  readonly mark: number;
  readonly known: number;
  /** A restoration that has not been finished. */
  readonly isUnderWay: boolean;
}

/** A start waits no longer for Temporal. */
const ANSWER_MS_MAX = 2_000;

/** A database that has never given a mark is a new one, whatever Temporal has. */
export async function standingOf({ pool }: Pick<Database, 'pool'>, engine: Engine) {
  // In this order: the database has each mark before Temporal has it.
  const mark = await readMark(engine, ANSWER_MS_MAX);
  const known = (await readEngineState(pool))?.mark ?? mark;
  const plan = await readPlan(pool);
  const isUnderWay = plan !== undefined && plan.finishedAt === null;
  return { mark, known, isUnderWay } satisfies Standing;
}

/**
 * Throws an OlderDatabaseError. False if Temporal has not told its mark: it is away, or keeps none for
 * its callers.
 */
export async function refuseOlderDatabase(
  db: Pick<Database, 'pool'>,
  engine: Engine,
): Promise<boolean> {
  const standing = await standingOf(db, engine).catch((error: unknown) => {
    if (engineFaultOf(error) === null) throw error;
    return undefined;
  });
  if (standing === undefined) return false;
  const { mark, known, isUnderWay } = standing;
  if (isUnderWay) throw new OlderDatabaseError('A restoration of this database is not finished');
  if (mark <= known) return true;
  throw new OlderDatabaseError(
    `The database knows less than Temporal (mark ${known}, there ${mark}): it was restored from ` +
      'an older backup, or is that of another installation',
  );
}

const LOOK_MS = 10_000;

/**
 * The same while a process runs: its database may be restored beneath it, and Temporal may not have
 * answered at its start. Calls back once.
 */
export function watchForOlderDatabase(
  db: Pick<Database, 'pool'>,
  engine: Engine,
  onFound: (error: OlderDatabaseError) => void,
): Pick<Loop, 'stop'> {
  let underWay: Promise<unknown> | undefined;
  const look = async (): Promise<void> => {
    try {
      await refuseOlderDatabase(db, engine);
    } catch (error) {
      // The database may be away; the next look may have an answer.
      if (!(error instanceof OlderDatabaseError)) return;
      clearInterval(timer);
      onFound(error);
    }
  };
  const timer = setInterval(() => {
    underWay ??= look().finally(() => (underWay = undefined));
  }, LOOK_MS);
  return {
    async stop() {
      clearInterval(timer);
      await underWay;
    },
  };
}
