/** Payments that take days, what a gateway says of them later, and hard declines. */
import { Migration } from '@mikro-orm/migrations';

const processing = `
-- Processing: the gateway has accepted it and says later how it ended; others have their turn.
alter table payment drop constraint payment_phase_check;
alter table payment add constraint payment_phase_check
  check (phase in ('Waiting', 'Charging', 'Processing'));
alter table refund_share drop constraint refund_share_status_check;
alter table refund_share add constraint refund_share_status_check
  check (status in ('Pending', 'Processing', 'Paid', 'Declined'));
create index payment_processing on payment (tenant_id, customer_id) where phase = 'Processing';

-- The tenant's day on which the gateway has something to say of it; null where none is known.
alter table payment add column gateway_news_on date;
create index payment_news on payment (tenant_id, gateway_news_on)
  where gateway_news_on is not null;

-- It waits for a payment that is Processing, autopay_after_payment_id: that one would pay it.
alter table invoice add column autopay_set_aside boolean not null default false;
alter table invoice add constraint invoice_set_aside
  check (not autopay_set_aside or autopay_after_payment_id is not null);

alter table processor_result add column is_hard_decline boolean not null default false;
-- The gateway said that the method will never work again.
alter table payment_method add column hard_declined_at timestamptz;
`;

const withdrawals = `
-- Money that the gateway took out of our account again: a returned debit, a disputed charge.
create table payment_withdrawal (
  tenant_id bigint not null,
  id bigint not null default nextval('id_seq'),
  payment_id bigint not null,
  kind text not null check (kind in ('return', 'dispute')),
  -- The gateway's own id of it.
  gateway_ref text not null,
  reason text not null,
  -- As the gateway withdrew it; the part of it that had come and not gone back; what it has no
  -- payment for.
  amount numeric(20, 4) not null check (amount > 0),
  covered numeric(20, 4) not null check (covered >= 0 and covered <= amount),
  excess numeric(20, 4) not null check (excess >= 0 and excess <= amount - covered),
  -- What the books lost by it: all that is covered, or nothing where the payment was cancelled
  -- before.
  entered numeric(20, 4) not null check (entered in (0, covered)),
  withdrawn_on date not null,
  recorded_at timestamptz not null,
  -- The payment by which it came back: a dispute that was won.
  reinstated_payment_id bigint,
  primary key (tenant_id, id),
  unique (tenant_id, payment_id, gateway_ref),
  foreign key (tenant_id, payment_id) references payment (tenant_id, id),
  foreign key (tenant_id, reinstated_payment_id) references payment (tenant_id, id)
);
create unique index payment_reinstated on payment_withdrawal (tenant_id, reinstated_payment_id)
  where reinstated_payment_id is not null;

-- Of a payment, what was withdrawn and entered so.
alter table payment add column withdrawn numeric(20, 4) not null default 0 check (withdrawn >= 0);
alter table payment add constraint payment_gone
  check (payment_type <> 'Payment' or refunded + withdrawn <= amount - surcharge);

alter table ledger_entry drop constraint ledger_entry_kind_check;
alter table ledger_entry add constraint ledger_entry_kind_check check (kind in
  ('invoice', 'invoiceCancelled', 'payment', 'paymentCanceled', 'surcharge', 'surchargePaid',
   'credit', 'debit', 'refund', 'paymentReturned', 'paymentDisputed'));
alter table ledger_entry add column withdrawal_id bigint;
alter table ledger_entry add foreign key (tenant_id, withdrawal_id)
  references payment_withdrawal (tenant_id, id);
alter table ledger_entry add constraint ledger_withdrawal
  check ((withdrawal_id is not null) = (kind in ('paymentReturned', 'paymentDisputed')));
create unique index ledger_withdrawal_once on ledger_entry (tenant_id, withdrawal_id)
  where withdrawal_id is not null;
-- A payment may be withdrawn from more than once; everything else of it is entered once.
drop index ledger_payment_once;
create unique index ledger_payment_once
  on ledger_entry (tenant_id, payment_id, kind, coalesce(withdrawal_id, 0))
  where payment_id is not null;

alter table gateway_finding drop constraint gateway_finding_kind_check;
alter table gateway_finding add constraint gateway_finding_kind_check
  check (kind in ('difference', 'lateApproval', 'lateDecline', 'withdrawnExcess'));
`;

const events = `
-- What a gateway has sent us: each event once, by its id. It is only a reason to ask the gateway.
create table gateway_event (
  tenant_id bigint not null,
  id bigint not null default nextval('id_seq'),
  gateway text not null check (gateway in ('stripe')),
  event_id text not null,
  type text not null,
  -- The payment or refund that it speaks of.
  payment_id bigint not null,
  received_at timestamptz not null,
  -- When the gateway had been asked; null while it is to be.
  asked_at timestamptz,
  primary key (tenant_id, id),
  unique (tenant_id, gateway, event_id),
  foreign key (tenant_id, payment_id) references payment (tenant_id, id)
);
create index on gateway_event (tenant_id, payment_id);
create index gateway_event_unasked on gateway_event (tenant_id, payment_id)
  where asked_at is null;

-- An event names what it speaks of by the gateway's own id.
create index payment_transaction on payment (tenant_id, transaction_id)
  where gateway <> 'sandbox' and transaction_id is not null;
create index refund_share_transaction on refund_share (tenant_id, transaction_id)
  where transaction_id is not null;
`;

const sandbox = `
alter table sandbox_transaction drop constraint sandbox_transaction_operation_check;
alter table sandbox_transaction add constraint sandbox_transaction_operation_check
  check (operation in ('validate', 'charge', 'refund', 'void', 'return'));
-- Of a charge, the tenant's day on which it is approved, or returned.
alter table sandbox_transaction add column news_on date;
create index sandbox_return on sandbox_transaction (tenant_id, charge_id)
  where operation = 'return';
`;

const ownTenant = `(select nullif(current_setting('app.tenant', true), '')::bigint)`;

const fences = ['payment_withdrawal', 'gateway_event'].map(
  (table) => `
alter table ${table} enable row level security;
alter table ${table} force row level security;
create policy own_tenant on ${table} using (tenant_id = ${ownTenant});
grant select, insert, update on ${table} to sundial_app;`,
);

export class GatewayNews extends Migration {
  override up(): void {
    this.addSql(processing);
    this.addSql(withdrawals);
    this.addSql(events);
    this.addSql(sandbox);
    this.addSql(fences.join('\n'));
  }
}
