/** Keys of calls at gateways have a random part, and what a gateway says of them is kept. */
import { Migration } from '@mikro-orm/migrations';

const keys = `
-- Under which the gateway is asked: stored before the call, and never used for another one.
alter table payment add column gateway_key text;
alter table refund_share add column gateway_key text;

-- The owner is fenced in as well; what was or may have been asked was asked under these keys.
alter table tenant no force row level security;
alter table payment no force row level security;
alter table refund_share no force row level security;
update payment p set gateway_key = t.label || '/' || p.id from tenant t
where t.id = p.tenant_id and p.gateway is not null and p.payment_type = 'Payment'
  and p.phase is distinct from 'Waiting';
-- Nobody was asked for these yet.
update payment p set gateway_key = t.label || '/' || p.id || '/' || gen_random_uuid() from tenant t
where t.id = p.tenant_id and p.gateway is not null and p.payment_type = 'Payment'
  and p.phase = 'Waiting';
update refund_share s set gateway_key = t.label || '/' || s.id from tenant t
where t.id = s.tenant_id and s.way <> 'none';
alter table tenant force row level security;
alter table payment force row level security;
alter table refund_share force row level security;

-- Whoever would call without a stored key, as a process of an older version, is stopped.
alter table payment add check (gateway_key is not null or phase is distinct from 'Charging'
  or payment_type <> 'Payment');
alter table refund_share add check (gateway_key is not null or way = 'none');
`;

const findings = `
-- What a gateway said that does not fit the books. It is never deleted; a person closes it.
create table gateway_finding (
  tenant_id bigint not null,
  id bigint not null default nextval('id_seq'),
  -- The payment, or the refund.
  payment_id bigint not null,
  -- Under which the gateway was asked.
  gateway_key text not null,
  -- Another call stands under the key; or an approval came after the payment was declined.
  kind text not null check (kind in ('difference', 'lateApproval')),
  detail text not null,
  transaction_id text,
  found_at timestamptz not null,
  closed_at timestamptz,
  closed_reason text,
  primary key (tenant_id, id),
  unique (tenant_id, payment_id, gateway_key, kind),
  foreign key (tenant_id, payment_id) references payment (tenant_id, id),
  check ((closed_at is null) = (closed_reason is null))
);
alter table gateway_finding enable row level security;
alter table gateway_finding force row level security;
create policy own_tenant on gateway_finding
  using (tenant_id = (select nullif(current_setting('app.tenant', true), '')::bigint));
grant select, insert, update on gateway_finding to sundial_app;
`;

export class GatewayKeys extends Migration {
  override up(): void {
    this.addSql(keys);
    this.addSql(findings);
  }
}
