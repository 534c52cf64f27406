-- The endpoints of tenant files, what they subscribe to, and how far each one is.

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
grant select, insert, update on callback_endpoint to sundial_app;

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
grant select, insert, update on callback_subscription to sundial_app;

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
  -- When it failed first: what failed before an outage keeps its own pause over it.
  failed_at timestamptz,
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
create index callback_delivery_settled on callback_delivery (tenant_id, settled_at)
  where settled_at is not null;
create index callback_delivery_oldest on callback_delivery (tenant_id, endpoint_id, event_id)
  where state = 'Waiting';
create index callback_delivery_overdue on callback_delivery (tenant_id, endpoint_id, give_up_at)
  where state = 'Waiting';
grant select, insert, update, delete on callback_delivery to sundial_app;

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
grant select, insert, update on callback_resumption to sundial_app;
