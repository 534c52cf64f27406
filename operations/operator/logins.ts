/** What is kept of logins at the operator's page that no tenant's audit log has, and of ended sessions. */
import type { Database } from '../../db/connection/database.ts';
import type { OperatorLogin } from '../../db/entities/access.ts';
import type { RowOf } from '../../db/entities/rows.ts';

type Asking = Pick<Database, 'ask'>;

/** Of no tenant: it waits for no tenant's turn. */
const LANE = 'operator';

export type NotedLogin = RowOf<
  typeof OperatorLogin,
  'outcome' | 'name' | 'session' | 'address' | 'requestId'
>;

/** A session that is ended twice has ended once. */
export async function noteOperatorLogin(db: Asking, noted: NotedLogin): Promise<void> {
  const { outcome, name, session, address, requestId } = noted;
  await db.ask(
    {
      name: 'note-operator-login',
      text: `insert into operator_login (outcome, name, session, address, request_id)
        values ($1, $2, $3, $4, $5) on conflict do nothing`,
      values: [outcome, name, session, address, requestId],
    },
    LANE,
  );
}

/** @param session the hash of its id */
export async function isSessionEnded(db: Asking, session: Buffer): Promise<boolean> {
  const rows = await db.ask(
    {
      name: 'is-session-ended',
      text: 'select from operator_login where session = $1',
      values: [session],
    },
    LANE,
  );
  return rows.length > 0;
}

export interface ShownLogin extends RowOf<typeof OperatorLogin, 'outcome' | 'name' | 'address'> {
  /** In UTC: `2027-01-15 12:00`. */
  readonly at: string;
}

const SHOWN_MAX = 20;

/** The newest logins of operators, and those that were refused. */
export function recentLogins(db: Asking): Promise<readonly ShownLogin[]> {
  return db.ask<ShownLogin>(
    {
      name: 'recent-operator-logins',
      text: `select to_char(at at time zone 'UTC', 'YYYY-MM-DD HH24:MI') as at, outcome, name, address
        from operator_login
        where outcome <> 'out' order by id desc limit $1`,
      values: [SHOWN_MAX],
    },
    LANE,
  );
}
