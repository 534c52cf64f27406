/** What the workflows that a test clock awaits have seen: a row for each, of any kind of object. */
import { Migration } from '@mikro-orm/migrations';

// No foreign key: an object of any kind may have a workflow, and no kind is deleted that has one.
const seen = `
create table workflow_seen (
  tenant_id bigint not null references tenant,
  -- The kind of the object, as in the outbox.
  kind text not null,
  object_id bigint not null,
  -- The object's version that its workflow has read; 0 has it look again.
  seen_version int not null,
  primary key (tenant_id, kind, object_id)
) with (fillfactor = 80);

alter table subscription_order no force row level security;
insert into workflow_seen (tenant_id, kind, object_id, seen_version)
select tenant_id, 'order', id, workflow_seen_version
from subscription_order where workflow_seen_version > 0;
alter table subscription_order force row level security;
alter table subscription_order drop column workflow_seen_version;

alter table workflow_seen enable row level security;
alter table workflow_seen force row level security;
create policy own_tenant on workflow_seen
  using (tenant_id = (select nullif(current_setting('app.tenant', true), '')::bigint));
grant select, insert, update, delete on workflow_seen to sundial_app;
`;

export class WorkflowsSeen extends Migration {
  override up(): void {
    this.addSql(seen);
  }
}
