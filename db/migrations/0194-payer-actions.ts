/** Absent payers are told of payments that wait for them, and get links to confirm them. */
import { Migration } from '@mikro-orm/migrations';

const ownTenant = `(select nullif(current_setting('app.tenant', true), '')::bigint)`;

const eventTypes = `'customer.transition', 'customer.created', 'customer.updated',
  'customer.cardExpiring', 'order.created', 'order.updated', 'order.trialEnding', 'order.renewalNotice',
  'order.priceChange', 'invoice.created', 'invoice.cancelled', 'invoice.paid', 'payment.success',
  'payment.failed', 'payment.actionRequired', 'refund.success', 'credit.created',
  'paymentPlan.installment', 'usage.billed', 'batch.finished', 'signup.processed'`;

const mailKinds = `'newInvoice', 'newCreditNote', 'newOrder', 'paymentReceived', 'paymentFailed',
  'paymentAction', 'customerOverdue', 'trialEnding', 'renewalNotice', 'priceChange', 'cardExpiring'`;

export class PayerActions extends Migration {
  override up(): void {
    this.addSql(`
      alter table event drop constraint event_type_check,
        add constraint event_type_check check (type in (${eventTypes}));
      alter table notification drop constraint notification_kind_check,
        add constraint notification_kind_check check (kind in (${mailKinds}));
      alter table mail drop constraint mail_kind_check,
        add constraint mail_kind_check check (kind in
          (${mailKinds}, 'passwordReset', 'contactChanged', 'signupConfirm'))`);
    this.addSql(`
      create table action_link (
        tenant_id bigint not null,
        -- SHA-256 of the token in its address.
        token_hash bytea not null,
        payment_id bigint not null,
        made_at timestamptz not null,
        primary key (tenant_id, token_hash),
        foreign key (tenant_id, payment_id) references payment (tenant_id, id)
      );
      create index on action_link (tenant_id, payment_id);
      create index on action_link (tenant_id, made_at);
      grant select, insert, update, delete on action_link to sundial_app;
      alter table action_link enable row level security;
      alter table action_link force row level security;
      create policy own_tenant on action_link using (tenant_id = ${ownTenant})`);
  }
}
