/** Notes each new version of what a test clock awaits, so that nobody compares all versions. */
import { Migration } from '@mikro-orm/migrations';

const unseen = `
-- The versions on a test clock that a workflow has not read yet, by the objects that have them. A
-- row may outlive its reason: whether an object is behind is said by its version in workflow_seen.
create table workflow_unseen (
  tenant_id bigint not null references tenant,
  -- The kind of the object, as in the outbox.
  kind text not null,
  object_id bigint not null,
  -- Each write adds a row of its own, so no writer waits for another or for a workflow.
  id bigint not null default nextval('id_seq'),
  primary key (tenant_id, kind, object_id, id)
);
alter table workflow_unseen enable row level security;
alter table workflow_unseen force row level security;
create policy own_tenant on workflow_unseen
  using (tenant_id = (select nullif(current_setting('app.tenant', true), '')::bigint));
grant select, insert, delete on workflow_unseen to sundial_app;

-- Once a statement: a tenant in real time pays for one look at an empty table.
create function note_unseen() returns trigger language plpgsql as $$
begin
  if exists (select from test_clock) then
    insert into workflow_unseen (tenant_id, kind, object_id)
    select w.tenant_id, tg_argv[0], w.id
    from written w
    join test_clock c on c.tenant_id = w.tenant_id
    left join workflow_seen s
      on s.tenant_id = w.tenant_id and s.kind = tg_argv[0] and s.object_id = w.id
    where w.version > coalesce(s.seen_version, 0);
  end if;
  return null;
end $$;

-- The triggers are to find the rows that workflows look for by their id.
create unique index dunning_id on dunning (tenant_id, id);
`;

/** The kinds that a test clock awaits: a test compares them with operations/context/kinds.ts. */
const awaited = [
  ['order', 'subscription_order'],
  ['dunning', 'dunning'],
  ['paymentPlan', 'payment_plan'],
] as const;

const noted = awaited.map(
  ([kind, table]) => `
create trigger note_unseen_insert after insert on ${table} referencing new table as written
  for each statement execute function note_unseen('${kind}');
create trigger note_unseen_update after update on ${table} referencing new table as written
  for each statement execute function note_unseen('${kind}');

alter table ${table} no force row level security;
insert into workflow_unseen (tenant_id, kind, object_id)
select o.tenant_id, '${kind}', o.id
from ${table} o
join test_clock c on c.tenant_id = o.tenant_id
left join workflow_seen s
  on s.tenant_id = o.tenant_id and s.kind = '${kind}' and s.object_id = o.id
where o.version > coalesce(s.seen_version, 0);
alter table ${table} force row level security;`,
);

const unforced = ['workflow_unseen', 'workflow_seen', 'test_clock'];

export class WorkflowsUnseen extends Migration {
  override up(): void {
    this.addSql(unseen);
    for (const table of unforced) this.addSql(`alter table ${table} no force row level security`);
    for (const each of noted) this.addSql(each);
    for (const table of unforced) this.addSql(`alter table ${table} force row level security`);
  }
}
