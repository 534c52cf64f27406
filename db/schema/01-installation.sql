-- The roles, the sequence of ids, what protects rows that are only added, and what belongs to the
-- installation rather than to a tenant.

do $$
begin
  if not exists (select from pg_roles where rolname = 'sundial_app') then
    create role sundial_app nologin nosuperuser nobypassrls;
  end if;
  if not exists (select from pg_roles where rolname = 'sundial_relay') then
    create role sundial_relay nologin nosuperuser nobypassrls;
  end if;
exception when duplicate_object or unique_violation then
  null; -- another database of this cluster made them at the same moment
end $$;
grant sundial_app, sundial_relay to current_user;
grant usage on schema public to sundial_app, sundial_relay;

create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- One sequence for all tables: an id names one object, whatever its kind. JSON numbers hold it.
create sequence id_seq as bigint maxvalue 9007199254740991 cache 1;
grant usage on sequence id_seq to sundial_app;

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'table % is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;

create function void_only() returns trigger language plpgsql as $$
begin
  if old.voided_at is null and to_jsonb(new) - 'voided_at' = to_jsonb(old) - 'voided_at' then
    return new;
  end if;
  raise exception '% is append only, except for voided_at', tg_table_name;
end $$;

create table installation (
  key text primary key,
  value text not null
);
grant select, insert, update on installation to sundial_app;

-- Of the installation, not of a tenant.
create table worker_heartbeat (
  identity text primary key,
  beat_at timestamptz not null
);
grant select, insert, update, delete on worker_heartbeat to sundial_app;
grant select, insert, update, delete on worker_heartbeat to sundial_relay;

-- The audit expects no event for a fact with a lower id: it is from before events were raised.
insert into installation (key, value) values ('events_since_id', nextval('id_seq')::text);
