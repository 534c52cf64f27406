/** Notices that the engine was restored from an older backup of its own: a new generation of it. */
import {
  keepEngineState,
  readEngineState,
  type EngineState,
} from '../../db/queries/processes/supervision.ts';
import type { Dependencies } from '../context/context.ts';
import type { Engine } from '../outbox/engine.ts';
import { readMark, writeMark } from '../outbox/engine-mark.ts';

/**
 * The next mark. The database has it first, so the engine is behind by one at most, unless it was
 * turned back. Returns whether it was, which begins a new generation.
 */
export async function raiseMark(
  { db, onAlert }: Pick<Dependencies, 'db' | 'onAlert'>,
  engine: Engine,
): Promise<boolean> {
  const mark = await readMark(engine);
  const known = (await readEngineState(db.pool)) ?? { mark, generation: 0 };
  if (mark > known.mark) {
    onAlert?.(
      `the database knows less than Temporal: mark ${known.mark}, there ${mark}. ` +
        'It was restored from an older backup, or is that of another installation.',
    );
    return false;
  }
  const isOlder = mark < known.mark - 1;
  const next: EngineState = {
    // A write that the engine has not heard of is repeated.
    mark: mark === known.mark ? mark + 1 : known.mark,
    generation: known.generation + (isOlder ? 1 : 0),
  };
  await keepEngineState(db.pool, next);
  await writeMark(engine, next.mark);
  if (isOlder) {
    onAlert?.(
      `Temporal is older than it was: mark ${mark}, known ${known.mark}. It was restored, or is a new one. ` +
        'All workflows are compared with the rows.',
    );
  }
  return isOlder;
}

/** Rises with each restore of the engine: a worker whose cache is of an earlier one begins anew. */
export async function engineGeneration({ db }: Pick<Dependencies, 'db'>): Promise<number> {
  return (await readEngineState(db.pool))?.generation ?? 0;
}
