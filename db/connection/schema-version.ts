/** Which schema a database has, and whether a process of this release runs on it. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ClientBase, Pool } from 'pg';
import { OperatorError } from '../../operator-error.ts';

export const MIGRATIONS = join(import.meta.dirname, '../migrations');

/** Its rows are those of db/schema. */
export const BASE = '0000-base';
/** The last of the migrations that the base replaced; databases of then still note them. */
export const LAST_REPLACED = '0092-signup-terms';
/** Releases before it did not compare schemas, so none is named that an older one could serve. */
export const FIRST_COMPARED = '0280-schema-version';

/** The row of `installation`, which `migrate` alone writes. */
export const SCHEMA_KEY = 'schema';

export interface SchemaState {
  /** The last migration, by the order of the names. */
  readonly version: string;
  /** A release runs on this schema if its own last migration is this one or a later one. */
  readonly servesFrom: string;
  /** The release that brought the schema to its version. */
  readonly release: string;
}

export class SchemaError extends OperatorError {
  override readonly name = 'SchemaError';
}

/** The names of the migrations in a folder, in the order in which they run. */
export function migrationsIn(folder: string): readonly string[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.ts'));
  return files.map((file) => file.slice(0, -'.ts'.length)).toSorted();
}

/** The last migration of this release. */
export const newestMigration = (): string => migrationsIn(MIGRATIONS).at(-1) ?? BASE;

let ofThisRelease: readonly string[] | undefined;

/** Throws a SchemaError unless this release runs on the schema of the database. */
export async function refuseAnUnknownSchema(pool: Pick<Pool, 'query'>): Promise<void> {
  const known = (ofThisRelease ??= migrationsIn(MIGRATIONS));
  const { state, names } = await readSchema(pool);
  const noted = new Set(names);
  refuseANewerSchema(state, names, known);
  const missing = known.filter((name) => !noted.has(name));
  if (state !== null && missing.length === 0) return;
  throw new SchemaError(
    names.length === 0
      ? 'The database has no schema yet: run npm run migrate.'
      : `The schema of the database is older than this release: it lacks ${lastOf(missing)}. Run npm run migrate ` +
          'with this release, then start again.',
  );
}

/**
 * Throws a SchemaError if the database was brought to a schema on which this release cannot run.
 *
 * @param known the migrations of this release
 */
export function refuseANewerSchema(
  state: SchemaState | null,
  names: readonly string[],
  known: readonly string[],
): void {
  const own = new Set(known);
  const unknown = names.filter((name) => !own.has(name) && !isReplaced(name));
  if (state === null || unknown.length === 0 || lastOf(known) >= state.servesFrom) return;
  throw new SchemaError(
    `The database is at ${state.version}, to which release ${state.release} has brought it, and this release ` +
      `knows up to ${lastOf(known)}: it needs a release that knows ${state.servesFrom} or later. Start release ` +
      `${state.release} or a newer one; docs/upgrade.md says how to go back.`,
  );
}

const isReplaced = (name: string): boolean => name > BASE && name <= LAST_REPLACED;

function lastOf(names: readonly string[]): string {
  const last = names.reduce((latest, name) => (name > latest ? name : latest), '');
  assert(last !== '', 'there are no migrations');
  return last;
}

interface Schema {
  /** Null before a `migrate` that notes it. */
  readonly state: SchemaState | null;
  /** Those that have run; empty without a schema. */
  readonly names: readonly string[];
}

/** As any role; one that may not read the names yet is told the base alone. */
export async function readSchema(client: Pick<ClientBase, 'query'>): Promise<Schema> {
  const { rows: tables } = await client.query<{ migrated: boolean; readable: boolean }>(
    `select to_regclass('installation') is not null as migrated,
       coalesce(has_column_privilege(to_regclass('migration'), 'name', 'select'), false) as readable`,
  );
  if (tables[0]?.migrated !== true) return { state: null, names: [] };
  if (!tables[0].readable) return { state: null, names: [BASE] };
  const { rows } = await client.query<{ schema: string }>(
    `select json_build_object(
       'state', (select value::json from installation where key = $1),
       'names', (select coalesce(json_agg(name), '[]') from migration))::text as schema`,
    [SCHEMA_KEY],
  );
  return JSON.parse(rows[0]?.schema ?? '') as Schema;
}
