/** Undoes what a job that only validates has stored. */
import type { ImportJob } from '../../db/queries/imports/jobs.ts';
import type { ImportRowInsert } from '../../db/queries/imports/rows.ts';
import type { OperationContext } from '../context/context.ts';

/** Of a job that only validates, undoes what the work has stored, and its outcomes name nothing. */
export async function undone(
  { tx, nudges }: OperationContext,
  { isValidateOnly }: ImportJob,
  work: () => Promise<readonly ImportRowInsert[]>,
): Promise<readonly ImportRowInsert[]> {
  if (!isValidateOnly) return work();
  try {
    return await tx.attempt(async () => {
      throw new Undone(await work());
    });
  } catch (error) {
    if (!(error instanceof Undone)) throw error;
    nudges.length = 0;
    return error.outcomes.map((each) => ({ ...each, objectId: null }));
  }
}

/** Carries the outcomes of a dry run out of what is undone. */
class Undone extends Error {
  readonly outcomes: readonly ImportRowInsert[];

  constructor(outcomes: readonly ImportRowInsert[]) {
    super('a dry run stores nothing');
    this.outcomes = outcomes;
  }
}
