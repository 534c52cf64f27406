/**
 * Logins at the operator's page. Those of a tenant's users are in the tenant's audit log; the operator of
 * the installation has no tenant, so his are kept here. A session is a signed cookie, of which nothing is
 * stored but that somebody ended it.
 */
import { Expanding } from '../connection/migration-kinds.ts';

export class OperatorLogins extends Expanding {
  override up(): void {
    this.addSql(`
      create table operator_login (
        id bigint primary key default nextval('id_seq'),
        at timestamptz not null default now(),
        outcome text not null check (outcome in ('in', 'refused', 'out')),
        -- Null of a refused one, whose name may be a password, and of a tenant's user.
        name text,
        -- SHA-256 of the id of the session that was ended.
        session bytea,
        address text,
        request_id text,
        check ((outcome = 'out') = (session is not null))
      );
      create unique index operator_login_out on operator_login (session) where session is not null;
      create index operator_login_by_name on operator_login (id) where outcome <> 'out';
      -- Nobody but the owner of the schema changes a row.
      grant select, insert on operator_login to sundial_app`);
    // What the page lists, among all that was ever held or found.
    this.addSql(`
      create index dunning_held on dunning (tenant_id, customer_id) where held_on is not null`);
  }
}
