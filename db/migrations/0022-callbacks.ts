/** Callbacks: the endpoints of tenant files, what they subscribe to, and how far each one is. */
import { Migration } from '@mikro-orm/migrations';

const tables = `
-- A row for each url that a tenant's file has ever named: its id is the same when it comes back.
create table callback_endpoint (
  tenant_id bigint not null references tenant,
  id bigint not null default nextval('id_seq'),
  url text not null,
  events text[] not null,
  -- Sealed; null where the environment did not have it, and once the file names the url no more.
  secret text,
  -- The file names it, and its secret is known.
  is_on boolean not null,
  -- The sequence of the last event that was looked at: a subscribed one up to here has a delivery.
  cursor bigint not null default 0,
  -- The most posts at once: 1 after an outage, then twice as many after each batch.
  at_once int not null default 32 check (at_once > 0),
  -- The outages in a row without a delivery in between, since when, and until when nothing is sent.
  outages int not null default 0 check (outages >= 0),
  failing_since timestamptz,
  paused_until timestamptz,
  last_error text,
  primary key (tenant_id, id),
  unique (tenant_id, url),
  check (not is_on or secret is not null),
  check ((outages > 0) = (failing_since is not null)),
  check (paused_until is null or outages > 0)
);

-- From when to when an endpoint subscribed to a type, by ids of the sequence of events' own ids: an
-- event within is owed to the endpoint, one outside is not.
create table callback_subscription (
  tenant_id bigint not null,
  endpoint_id bigint not null,
  event_type text not null,
  after_event_id bigint not null,
  until_event_id bigint check (until_event_id > after_event_id),
  primary key (tenant_id, endpoint_id, event_type, after_event_id),
  foreign key (tenant_id, endpoint_id) references callback_endpoint (tenant_id, id)
);
create unique index callback_subscription_open on callback_subscription
  (tenant_id, endpoint_id, event_type) where until_event_id is null;

create table callback_delivery (
  tenant_id bigint not null,
  event_id bigint not null,
  endpoint_id bigint not null,
  -- Deliveries of one lane go out one after the other, in the order of their events: the lane of
  -- new events is the customer's id (0 without one), that of events sent again is its negative.
  lane bigint not null,
  state text not null check (state in ('Waiting', 'Delivered', 'GivenUp')),
  attempts int not null default 0 check (attempts >= 0),
  -- Of the first one that waits in its lane; the others wait for it.
  retry_at timestamptz,
  give_up_at timestamptz not null,
  settled_at timestamptz,
  last_error text,
  -- The document that was sent last: kept with the event, or read today.
  document text check (document in ('kept', 'today')),
  primary key (tenant_id, event_id, endpoint_id),
  foreign key (tenant_id, event_id) references event (tenant_id, id),
  foreign key (tenant_id, endpoint_id) references callback_endpoint (tenant_id, id),
  check ((state = 'Waiting') = (settled_at is null)),
  check (retry_at is null or state = 'Waiting')
);
create index callback_delivery_waiting on callback_delivery
  (tenant_id, endpoint_id, lane, event_id) where state = 'Waiting';
create index callback_delivery_due on callback_delivery
  (tenant_id, endpoint_id, retry_at) where retry_at is not null;
create index callback_delivery_given_up on callback_delivery
  (tenant_id, endpoint_id, event_id) where state = 'GivenUp';

-- A person had what was given up sent again, and said why.
create table callback_resumption (
  tenant_id bigint not null,
  id bigint not null default nextval('id_seq'),
  endpoint_id bigint not null,
  reason text not null,
  events int not null,
  resumed_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, endpoint_id) references callback_endpoint (tenant_id, id)
);
`;

/** Of this migration; the policy test reads the catalogue and must find the same. */
const tenanted = [
  'callback_endpoint',
  'callback_subscription',
  'callback_delivery',
  'callback_resumption',
];

const ownTenant = `(select nullif(current_setting('app.tenant', true), '')::bigint)`;

const fences = tenanted
  .map(
    (table) => `
alter table ${table} enable row level security;
alter table ${table} force row level security;
create policy own_tenant on ${table} using (tenant_id = ${ownTenant});
grant select, insert, update on ${table} to sundial_app;`,
  )
  .join('\n');

// Row-level security is forced for the owner, too.
const ofAppliedFiles = `
alter table tenant no force row level security;
insert into callback_endpoint (tenant_id, url, events, secret, is_on)
select t.id, c->>'url', array(select jsonb_array_elements_text(c->'events')),
       c->'secret'->>'sealed', c->'secret'->>'sealed' is not null
from tenant t, jsonb_array_elements(coalesce(t.file->'callbacks', '[]')) c;
insert into callback_subscription (tenant_id, endpoint_id, event_type, after_event_id)
select tenant_id, id, unnest(events), id from callback_endpoint where is_on;
alter table tenant force row level security;
`;

// Both lists are extended as they stand, so that other kinds may be added before and after this one.
const kind = `
do $$
declare checked text; looked text;
begin
  select pg_get_constraintdef(oid) into checked from pg_constraint where conname = 'outbox_kind_check';
  alter table outbox drop constraint outbox_kind_check;
  execute format('alter table outbox add constraint outbox_kind_check %s',
    replace(checked, 'ARRAY[', 'ARRAY[''callbacks''::text, '));

  execute format('create policy owner_reads on callback_endpoint for select to %I using (true)',
    current_user);
  looked := pg_get_functiondef('id_is_foreign'::regproc);
  execute replace(looked, 'WHEN ''any''::text THEN (', 'WHEN ''any''::text THEN (exists '
    '(select from callback_endpoint where id = wanted and tenant_id <> own)) or (');
end $$;
`;

export class Callbacks extends Migration {
  override up(): void {
    this.addSql(tables);
    this.addSql(ofAppliedFiles);
    this.addSql(fences);
    this.addSql(kind);
  }
}
