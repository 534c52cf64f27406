/** Brings a database to the newest schema, and lets the login of the service in. */
import { grantLogin, mayMigrate } from './logins.ts';
import { migrate } from './migrate.ts';
import type { SchemaState } from './schema-version.ts';

export interface ToPrepare {
  readonly databaseUrl: string | undefined;
  /** Of the owner; without it the login of `databaseUrl` migrates, if it may. */
  readonly migrateUrl: string | undefined;
  /** The login gets the password of its address, whatever it had. */
  readonly setsPassword?: boolean;
}

export interface Prepared {
  readonly schema: SchemaState;
  /** The login that was let in; undefined if it is the owner itself. */
  readonly login: string | undefined;
}

/** Undefined if nobody here may migrate. */
export async function prepareDatabase({
  databaseUrl,
  migrateUrl,
  setsPassword = false,
}: ToPrepare): Promise<Prepared | undefined> {
  if (migrateUrl === undefined) {
    if (databaseUrl === undefined || !(await mayMigrate(databaseUrl))) return undefined;
    return { schema: await migrate(databaseUrl), login: undefined };
  }
  const schema = await migrate(migrateUrl);
  const login =
    databaseUrl === undefined
      ? undefined
      : await grantLogin(migrateUrl, { databaseUrl, setsPassword });
  return { schema, login };
}
