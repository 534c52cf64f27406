/** Brings a database to the newest schema; safe when several processes start at once. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Migration, Migrator } from '@mikro-orm/migrations';
import { defineConfig, MikroORM } from '@mikro-orm/postgresql';
import pg, { type Client } from 'pg';

/** An arbitrary constant: the lock of the migrating process. */
const MIGRATION_LOCK = 727_001;

const FOLDER = join(import.meta.dirname, '../migrations');

/**
 * @param ownerUrl address of the schema's owner
 * @param folder of the migrations: each file exports one, and they run in the order of the names
 */
export async function migrate(ownerUrl: string, folder: string = FOLDER): Promise<void> {
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  try {
    await owner.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await countAsAtTheBase(owner);
    const migrationsList = await migrationsOf(folder);
    const orm = new MikroORM(
      defineConfig({
        clientUrl: ownerUrl,
        entities: [],
        ensureDatabase: false,
        discovery: { warnWhenNoEntities: false },
        extensions: [Migrator],
        migrations: { migrationsList, tableName: 'migration', snapshot: false, silent: true },
      }),
    );
    try {
      await orm.migrator.up();
    } finally {
      await orm.close(true);
    }
  } finally {
    await owner.end();
  }
}

type Up = new (...of: ConstructorParameters<typeof Migration>) => Migration;

interface Named {
  readonly name: string;
  readonly class: Up;
}

// MikroORM itself finds files by a pattern, and none below a folder whose name has brackets.
async function migrationsOf(folder: string): Promise<Named[]> {
  const files = readdirSync(folder).filter((file) => file.endsWith('.ts'));
  return Promise.all(
    files.toSorted().map(async (file) => {
      const exported = Object.values(await import(pathToFileURL(join(folder, file)).href));
      const migration = exported.find(isMigration);
      assert(migration, `${file} exports no migration`);
      return { name: file.slice(0, -'.ts'.length), class: migration };
    }),
  );
}

const isMigration = (value: unknown): value is Up =>
  typeof value === 'function' && value.prototype instanceof Migration;

/* What a database has of the schema: one of before the base counts as at the base, or is refused. */

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
