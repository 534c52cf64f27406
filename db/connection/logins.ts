/** The login of API, workers and commands: what it may not be, and what makes it and lets it in. */
import pg, { type Client, type Pool } from 'pg';
import { OperatorError } from '../../operator-error.ts';
import { sqlStateOf } from './faults.ts';
import type { ReplicaSettings } from './replica.ts';

export class LoginError extends OperatorError {
  override readonly name = 'LoginError';
}

/** What processes become; a login has their rights in no other way. */
const ROLES = 'sundial_app, sundial_relay';

interface Reachable {
  readonly login: string;
  /** The roles that the login is, or may become, and what they may do that it may not. */
  readonly powers: readonly string[];
  /** Whose functions see since when transactions of the login are under way. */
  readonly owner: string;
  readonly isSeen: boolean;
}

// What owns nothing has no row in pg_shdepend, where the owner of every kind of object stands.
const POWERS = `
  select s.rolname as login,
    array(
      select case
          when r.rolsuper then 'is a superuser'
          when r.owns then 'owns objects of the database'
          when r.rolbypassrls then 'passes row-level security'
          when r.rolcreaterole then 'makes roles'
          when r.rolreplication then 'replicates'
          else 'reads or writes everything' end
        || case when r.oid = s.oid then '' else ', as the role ' || r.rolname || ', which it may become' end
      from (
        select r.*, exists (
            select from pg_shdepend d where d.refclassid = 'pg_authid'::regclass
              and d.refobjid = r.oid and d.deptype = 'o'
              and (d.dbid = b.oid or (d.classid = 'pg_database'::regclass and d.objid = b.oid))) as owns
        from pg_roles r) r
      where pg_has_role(s.oid, r.oid, 'member') and (not s.rolsuper or r.oid = s.oid)
        and (r.rolsuper or r.owns or r.rolbypassrls or r.rolcreaterole or r.rolreplication
          or r.rolname in ('pg_read_all_data', 'pg_write_all_data', 'pg_read_server_files',
            'pg_write_server_files', 'pg_execute_server_program'))
      order by r.oid <> s.oid, r.rolname) as powers,
    o.rolname as owner, pg_has_role(o.oid, s.oid, 'usage') as "isSeen"
  from pg_roles s, pg_database b, pg_class t join pg_roles o on o.oid = t.relowner
  where s.rolname = session_user and b.datname = current_database()
    and t.oid = 'public.installation'::regclass`;

/**
 * Throws a LoginError if whoever takes over a process, or slips a statement into one, could take off
 * the fences of the tenants, or if the books would not wait for transactions of this login.
 *
 * @param mayOwn on a machine of one's own
 */
export async function refuseAPowerfulLogin(
  pool: Pool,
  { mayOwn, of = 'DATABASE_URL' }: { readonly mayOwn: boolean; readonly of?: string },
): Promise<void> {
  const { rows } = await pool.query<Reachable>(POWERS);
  const [its] = rows;
  if (its === undefined) throw new Error('the database does not know its own login');
  const { login, powers, owner, isSeen } = its;
  if (powers.length > 0 && !mayOwn) {
    throw new LoginError(
      `The login ${login} of ${of} is refused off loopback: it ${powers.join('; it ')}. ` +
        `Name a login of the service's own in ${of}, for example sundial_service, and ` +
        `${owner} in MIGRATE_URL, then run npm run migrate, which makes the login ` +
        `(docs/operations.md, "Logins of the database").`,
    );
  }
  if (!isSeen) {
    throw new LoginError(
      `${owner} does not see how old the transactions of ${login} are, so figures of the ledger ` +
        `could miss some: run npm run migrate, or as an administrator: grant ${quoted(login)} to ` +
        `${quoted(owner)}`,
    );
  }
}

/** What opens the replica of an address, if there is one. */
export function replicaOf(
  url: string | undefined,
  { mayOwn, tell }: { readonly mayOwn: boolean; readonly tell?: ReplicaSettings['tell'] },
): ReplicaSettings | undefined {
  if (url === undefined) return undefined;
  const of = 'READ_DATABASE_URL';
  return { url, tell, check: (pool) => refuseAPowerfulLogin(pool, { mayOwn, of }) };
}

/** Whether the login of this address is the schema's owner, or may make a schema where there is none. */
export async function mayMigrate(url: string): Promise<boolean> {
  return asked(url, async (client) => {
    const { rows } = await client.query<{ may: boolean }>(`
      select coalesce(
        (select pg_has_role(c.relowner, 'usage') from pg_class c
         join pg_namespace n on n.oid = c.relnamespace
         where n.nspname = 'public' and c.relname = 'migration'),
        has_schema_privilege('public', 'create')) as may`);
    return rows[0]?.may === true;
  });
}

interface Granted {
  /** Of the login that the processes use. */
  readonly databaseUrl: string;
  /** The login gets the password of the address, whatever it had. */
  readonly setsPassword?: boolean;
}

/**
 * Makes the login of `databaseUrl` if there is none, and grants what it needs: it may become the roles
 * of the service, to which each migration grants what they need of its tables.
 *
 * @returns the login; undefined if it is the owner itself
 */
export async function grantLogin(
  ownerUrl: string,
  { databaseUrl, setsPassword = false }: Granted,
): Promise<string | undefined> {
  const { username, password } = new URL(databaseUrl);
  const [login, secret] = [decodeURIComponent(username), decodeURIComponent(password)];
  if (login === '')
    throw new LoginError('DATABASE_URL names no login: postgres://LOGIN:PASSWORD@…');
  return asked(ownerUrl, async (owner) => {
    const name = quoted(login);
    const lacks = await lackedBy(owner, login);
    if (lacks === undefined) return undefined;
    if (lacks.has('login')) {
      await granting(owner, `create role ${name} ${ATTRIBUTES}`, /^(42710|23505)$/);
    }
    // A statement that may fail is not the one with the password: the server would log it.
    if (secret !== '' && (lacks.has('login') || setsPassword)) {
      await owner.query(`alter role ${name} password ${pg.escapeLiteral(secret)}`);
    }
    const database = quoted(decodeURIComponent(new URL(ownerUrl).pathname.slice(1)));
    if (lacks.has('connect')) {
      await granting(owner, `grant connect on database ${database} to ${name}`);
    }
    if (lacks.has('roles')) await granting(owner, `grant ${ROLES} to ${name}`);
    if (lacks.has('sight')) {
      const { rows } = await owner.query<{ owner: string }>('select current_user as owner');
      await granting(owner, `grant ${name} to ${quoted(rows[0]?.owner ?? '')}`);
    }
    return login;
  });
}

const ATTRIBUTES = 'login noinherit nosuperuser nocreatedb nocreaterole noreplication nobypassrls';

type Lack = 'login' | 'connect' | 'roles' | 'sight';

/** Undefined of the owner itself. */
async function lackedBy(owner: Client, login: string): Promise<ReadonlySet<Lack> | undefined> {
  const { rows } = await owner.query<Record<Lack | 'isOwner', boolean>>(
    `select current_user = $1 as "isOwner", s.oid is null as login,
       s.oid is null or not has_database_privilege(s.oid, current_database(), 'connect') as connect,
       s.oid is null or not (pg_has_role(s.oid, 'sundial_app', 'member')
         and pg_has_role(s.oid, 'sundial_relay', 'member')) as roles,
       s.oid is null or not pg_has_role(s.oid, 'usage') as sight
     from (select) one left join pg_roles s on s.rolname = $1`,
    [login],
  );
  const [row] = rows;
  if (row === undefined || row.isOwner) return undefined;
  const lacks: readonly Lack[] = ['login', 'connect', 'roles', 'sight'];
  return new Set(lacks.filter((lack) => row[lack]));
}

const INSUFFICIENT_PRIVILEGE = '42501';

/** @param unless the state of what another process did meanwhile */
async function granting(owner: Client, statement: string, unless?: RegExp): Promise<void> {
  try {
    await owner.query(statement);
  } catch (error) {
    const state = sqlStateOf(error);
    if (state !== null && unless?.test(state) === true) return;
    if (state !== INSUFFICIENT_PRIVILEGE) throw error;
    throw new LoginError(
      `The owner of MIGRATE_URL may not do this (${(error as Error).message}). Let an ` +
        `administrator do it, and run npm run migrate again: ${statement}`,
      { cause: error },
    );
  }
}

async function asked<Result>(
  url: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const quoted = (name: string): string => pg.escapeIdentifier(name);
