/** Hosted self-service: the sessions in which customers look after their own account. */
import { Migration } from '@mikro-orm/migrations';

const ownTenant = `(select nullif(current_setting('app.tenant', true), '')::bigint)`;

const sessions = `
-- All its instants are real time.
create table self_service_session (
  tenant_id bigint not null,
  id bigint not null default nextval('id_seq'),
  -- SHA-256 of the token in the page's address.
  token_hash bytea not null,
  customer_id bigint not null,
  css_url text not null,
  login_url text not null,
  -- What the pages show and allow, once the profile and the defaults have filled it in.
  show_navigation_bar boolean not null,
  show_statements boolean not null,
  show_payments boolean not null,
  allow_payments boolean not null,
  allow_profile_edit boolean not null,
  edit_order_options text[] not null
    check (edit_order_options <@ array['Cancel', 'Upgrade', 'Downgrade', 'New']),
  pdf_mode boolean not null,
  started_at timestamptz not null,
  -- Each click moves it: 30 minutes after the last one, and at most 8 hours after the start.
  expires_at timestamptz not null,
  -- It was ended before that.
  ended_at timestamptz,
  primary key (tenant_id, id),
  unique (tenant_id, token_hash),
  foreign key (tenant_id, customer_id) references customer (tenant_id, id) on delete cascade,
  check (expires_at > started_at and expires_at <= started_at + interval '8 hours')
);
create index self_service_session_customer on self_service_session (tenant_id, customer_id);
create index self_service_session_end on self_service_session (tenant_id, expires_at);
`;

// Sessions that are pruned are locked first, which needs the right to update.
const fences = `
alter table self_service_session enable row level security;
alter table self_service_session force row level security;
create policy own_tenant on self_service_session using (tenant_id = ${ownTenant});
grant select, insert, update, delete on self_service_session to sundial_app;
`;

export class SelfService extends Migration {
  override up(): void {
    this.addSql(sessions);
    this.addSql(fences);
  }
}
