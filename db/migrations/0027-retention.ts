/** Deliveries, resends, mails and gateway events are deleted some days after they are done with. */
import { Migration } from '@mikro-orm/migrations';

const doneMails = `
-- On the tenant's clock, as all instants by which rows are deleted: in a state that stays.
alter table mail add column done_at timestamptz;
alter table mail no force row level security;
update mail set done_at = coalesce(sent_at, attempted_at, created_at)
where state not in ('queued', 'sending');
`;

/** What was done in real time is not older on a test clock than its present time. */
const onTestClocks = `
alter table test_clock no force row level security;
alter table callback_delivery no force row level security;
alter table event_resend no force row level security;
update mail m set done_at = k.now from test_clock k
where m.tenant_id = k.tenant_id and m.done_at is not null;
update callback_delivery d set settled_at = k.now from test_clock k
where d.tenant_id = k.tenant_id and d.settled_at is not null;
update event_resend r set taken_at = k.now from test_clock k
where r.tenant_id = k.tenant_id and r.taken_at is not null;
alter table test_clock force row level security;
alter table callback_delivery force row level security;
alter table event_resend force row level security;
alter table mail force row level security;
alter table mail add constraint mail_done
  check ((done_at is null) = (state in ('queued', 'sending')));
`;

const indexes = `
create index mail_done on mail (tenant_id, done_at) where done_at is not null;
create index callback_delivery_settled on callback_delivery (tenant_id, settled_at)
  where settled_at is not null;
create index event_resend_taken on event_resend (tenant_id, taken_at) where taken_at is not null;
create index gateway_event_asked on gateway_event (tenant_id, asked_at) where asked_at is not null;
`;

const ownTenant = `(select nullif(current_setting('app.tenant', true), '')::bigint)`;

const marks = `
-- What was deleted of a kind: rows that were done with up to this instant may be gone. So the audit
-- knows what it may expect, also after the tenant's retention has changed.
create table retention_mark (
  tenant_id bigint not null references tenant,
  kind text not null check (kind in ('deliveries', 'resends', 'mails', 'gatewayEvents', 'documents')),
  deleted_to timestamptz not null,
  primary key (tenant_id, kind)
);
alter table retention_mark enable row level security;
alter table retention_mark force row level security;
create policy own_tenant on retention_mark using (tenant_id = ${ownTenant});
grant select, insert, update on retention_mark to sundial_app;
-- A row is locked before it is deleted, which needs the right to update it.
grant update (kept_at) on event_document to sundial_app;
grant delete on mail, callback_delivery, event_resend, gateway_event to sundial_app;
`;

const files = `
alter table tenant no force row level security;
update tenant set file = jsonb_set(file, '{retention}',
  '{"deliveries": 90, "resends": 90, "mails": 90, "gatewayEvents": 90}');
alter table tenant force row level security;
`;

export class Retention extends Migration {
  override up(): void {
    this.addSql(doneMails);
    this.addSql(onTestClocks);
    this.addSql(indexes);
    this.addSql(marks);
    this.addSql(files);
  }
}
