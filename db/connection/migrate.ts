/** Brings a database to the newest schema; safe when several processes start at once. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { defineConfig, MikroORM } from '@mikro-orm/postgresql';
import { Migration, Migrator } from '@mikro-orm/migrations';
import pg from 'pg';
import { countAsAtTheBase } from './base.ts';

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
