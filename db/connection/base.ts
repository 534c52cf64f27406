/** What a database has of the schema: one of before the base counts as at the base, or is refused. */
import type { Client } from 'pg';

/** Its rows are those of db/schema. */
const BASE = '0000-base';
/** The last of the migrations that the base replaced, how many they were, and who has them. */
const LAST_REPLACED = '0092-signup-terms';
const REPLACED = 57;
const COMMIT = 'dd665133d0d7f212b15bead350f19598e00f46c6';

/** The message says what to do. */
export class OldSchemaError extends Error {
  override readonly name = 'OldSchemaError';
}

interface Noted {
  readonly has_base: boolean;
  readonly replaced: number;
}

/**
 * To be called before migrations run, by whoever alone may run them.
 *
 * @param owner a session of the schema's owner
 */
export async function countAsAtTheBase(owner: Client): Promise<void> {
  const { rows: tables } = await owner.query<{ name: string | null }>(
    `select to_regclass('migration')::text as name`,
  );
  if (tables[0]?.name === null) return;
  const { rows } = await owner.query<Noted>(
    `select coalesce(bool_or(name = $1), false) as has_base,
            count(*) filter (where name > $1 and name <= $2)::int as replaced
     from migration`,
    [BASE, LAST_REPLACED],
  );
  const { has_base: hasBase = false, replaced = 0 } = rows[0] ?? {};
  // Without any, a first start ended before it had made a table.
  if (hasBase || replaced === 0) return;
  if (replaced !== REPLACED) {
    throw new OldSchemaError(
      `the database has ${replaced} of the ${REPLACED} migrations up to ${LAST_REPLACED}, which ` +
        `this version no longer has: start the version of commit ${COMMIT} with it once, and then ` +
        `this one`,
    );
  }
  await owner.query('insert into migration (name) values ($1)', [BASE]);
}
