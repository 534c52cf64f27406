/** Brings a database to the newest schema; safe when several processes start at once. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Migration, Migrator } from '@mikro-orm/migrations';
import { defineConfig, MikroORM } from '@mikro-orm/postgresql';
import pg, { type Client } from 'pg';
import { OperatorError } from '../../operator-error.ts';
import { releaseVersion } from '../../release.ts';
import { isCollision, sqlStateOf } from './faults.ts';
import type { Contracting } from './migration-kinds.ts';
import {
  BASE,
  FIRST_COMPARED,
  LAST_REPLACED,
  MIGRATIONS,
  SCHEMA_KEY,
  migrationsIn,
  readSchema,
  refuseANewerSchema,
  type SchemaState,
} from './schema-version.ts';

/** An arbitrary constant: the lock of the migrating process. */
const MIGRATION_LOCK = 727_001;

/**
 * A change of a table waits for the transactions that use it, and all later ones wait for the change.
 * So it gives up soon, and is tried again as a whole.
 */
const LOCK_TIMEOUT_MS = 2_000;
const TRIES = 30;
const TRY_AGAIN_MS = 1_000;
export interface MigrateOptions {
  /** The last one that runs: tests see what each of the later ones changes. */
  readonly upTo?: string;
}

/**
 * Returns what the schema is afterwards.
 *
 * @param ownerUrl address of the schema's owner
 * @param folder of the migrations: each file exports one, and they run in the order of the names
 */
export async function migrate(
  ownerUrl: string,
  folder: string = MIGRATIONS,
  { upTo }: MigrateOptions = {},
): Promise<SchemaState> {
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  try {
    await owner.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const { state, names } = await readSchema(owner);
    refuseANewerSchema(state, names, migrationsIn(folder));
    await countAsAtTheBase(owner);
    const migrations = (await migrationsOf(folder)).filter(
      ({ name }) => upTo === undefined || name <= upTo,
    );
    for (let tries = 1; ; tries += 1) {
      try {
        return await runAll(ownerUrl, migrations);
      } catch (error) {
        if (tries >= TRIES || !isContended(error)) throw error;
      }
      await sleep(TRY_AGAIN_MS);
    }
  } finally {
    await owner.end();
  }
}

/** What has not run, and the note of what the schema is then, in one transaction. */
async function runAll(ownerUrl: string, migrationsList: readonly Named[]): Promise<SchemaState> {
  const orm = new MikroORM(
    defineConfig({
      clientUrl: ownerUrl,
      entities: [],
      driverOptions: { options: `-c lock_timeout=${LOCK_TIMEOUT_MS}` },
      ensureDatabase: false,
      discovery: { warnWhenNoEntities: false },
      extensions: [Migrator],
      migrations: {
        migrationsList: [...migrationsList],
        tableName: 'migration',
        snapshot: false,
        silent: true,
      },
    }),
  );
  try {
    return await orm.em.fork().transactional(async (em) => {
      const transaction = em.getTransactionContext();
      await orm.migrator.up({ transaction });
      return await noteSchema(migrationsList, (sql, values = []) =>
        em.getConnection().execute(sql, [...values], 'all', transaction),
      );
    });
  } finally {
    await orm.close(true);
  }
}

type Execute = <Row>(sql: string, values?: readonly unknown[]) => Promise<Row[]>;

/** A release that runs on a newer schema leaves what that one says. */
async function noteSchema(
  migrationsList: readonly Named[],
  execute: Execute,
): Promise<SchemaState> {
  const [last] = await execute<{ version: string }>(
    `select max(name collate "C") as version from migration`,
  );
  assert(last);
  const [row] = await execute<{ value: string }>('select value from installation where key = ?', [
    SCHEMA_KEY,
  ]);
  const noted = row === undefined ? undefined : (JSON.parse(row.value) as SchemaState);
  const state: SchemaState = {
    version: last.version,
    servesFrom:
      [FIRST_COMPARED, noted?.servesFrom ?? '', ...migrationsList.map(servesFromOf)]
        .toSorted()
        .at(-1) ?? FIRST_COMPARED,
    release: noted?.version === last.version ? noted.release : releaseVersion,
  };
  await execute(
    `insert into installation (key, value) values (?, ?)
     on conflict (key) do update set value = excluded.value`,
    [SCHEMA_KEY, JSON.stringify(state)],
  );
  return state;
}

const servesFromOf = ({ class: { servesFrom } }: Named): string => servesFrom ?? '';

function isContended(error: unknown): boolean {
  for (let each = error; each instanceof Error; each = each.cause) {
    const state = sqlStateOf(each);
    if (state !== null && isCollision(state)) return true;
  }
  return false;
}

type Up = (new (...of: ConstructorParameters<typeof Migration>) => Migration) &
  Partial<Pick<typeof Contracting, 'servesFrom'>>;

interface Named {
  readonly name: string;
  readonly class: Up;
}

// MikroORM itself finds files by a pattern, and none below a folder whose name has brackets.
async function migrationsOf(folder: string): Promise<Named[]> {
  return Promise.all(
    migrationsIn(folder).map(async (name) => {
      const path = join(folder, `${name}.ts`);
      const exported = Object.values(await import(pathToFileURL(path).href));
      const migration = exported.find(isMigration);
      assert(migration, `${path} exports no migration`);
      return { name, class: migration };
    }),
  );
}

const isMigration = (value: unknown): value is Up =>
  typeof value === 'function' && value.prototype instanceof Migration;

/* What a database has of the schema: one of before the base counts as at the base, or is refused. */

/** How many migrations the base replaced, and who has them. */
const REPLACED = 57;
const COMMIT = 'dd665133d0d7f212b15bead350f19598e00f46c6';

/** The message says what to do. */
export class OldSchemaError extends OperatorError {
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
async function countAsAtTheBase(owner: Client): Promise<void> {
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
