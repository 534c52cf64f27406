/** Wrong passwords of a user name in a row, over days, and the networks from which contacts came in. */
import { Migration } from '@mikro-orm/migrations';

const ownTenant = `(select nullif(current_setting('app.tenant', true), '')::bigint)`;

const tables = `
create table login_guess (
  tenant_id bigint not null references tenant,
  -- A contact that logs in, by its id, or a name that nobody has, as an HMAC: it may be a password.
  key text not null,
  failures int not null check (failures > 0),
  -- Real time.
  failed_at timestamptz not null,
  primary key (tenant_id, key)
);
create index login_guess_at on login_guess (tenant_id, failed_at);

create table login_network (
  tenant_id bigint not null,
  contact_id bigint not null,
  -- An HMAC of the network.
  network bytea not null,
  -- The newest login, in real time.
  used_at timestamptz not null,
  primary key (tenant_id, contact_id, network),
  foreign key (tenant_id, contact_id) references contact (tenant_id, id) on delete cascade
);
`;

const fences = ['login_guess', 'login_network'].map(
  (table) => `
alter table ${table} enable row level security;
alter table ${table} force row level security;
create policy own_tenant on ${table} using (tenant_id = ${ownTenant});
grant select, insert, update, delete on ${table} to sundial_app;`,
);

export class LoginGuesses extends Migration {
  override up(): void {
    this.addSql(tables);
    for (const each of fences) this.addSql(each);
  }
}
