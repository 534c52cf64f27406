/**
 * A customer that is served nothing any more is erased: what is personal is emptied, and ids, figures and
 * documents stay. Kept answers name their customers, so that an erasure finds them. Methods stay until
 * their gateway has removed them; the worker sees which those are.
 */
import { Migration } from '@mikro-orm/migrations';

const eventTypes = `'customer.transition', 'customer.created', 'customer.updated',
  'customer.cardExpiring', 'customer.erased', 'order.created', 'order.updated', 'order.trialEnding',
  'order.renewalNotice', 'order.priceChange', 'invoice.created', 'invoice.cancelled', 'invoice.paid',
  'payment.success', 'payment.failed', 'payment.actionRequired', 'refund.success', 'credit.created',
  'paymentPlan.installment', 'usage.billed', 'batch.finished', 'signup.processed'`;

export class ErasedCustomers extends Migration {
  override up(): void {
    this.addSql(`
      -- The tenant's day on which everything personal was emptied.
      alter table customer add column erased_on date;
      create index customer_erased on customer (tenant_id, id) where erased_on is not null;
      -- Those that the request has locked or made; null of an answer of before, and of one without any.
      alter table idempotency_key add column customer_ids bigint[];
      -- In real time: when the gateway is asked next to remove it.
      alter table payment_method add column remove_at timestamptz;
      create index payment_method_to_remove on payment_method (tenant_id, remove_at)
        where remove_at is not null;
      create policy relay on payment_method for select to sundial_relay using (remove_at is not null);
      grant select (tenant_id, remove_at) on payment_method to sundial_relay;
      alter table event drop constraint event_type_check,
        add constraint event_type_check check (type in (${eventTypes}))`);
    // What was only inserted is emptied from now on; its figures still never change.
    this.addSql(`
      grant update (network) on self_service_payment to sundial_app;
      grant update (error_message, status_message) on processor_result to sundial_app;
      grant update (reason) on dunning_note to sundial_app;
      grant update (ext_ref_id, invoice_text) on activity to sundial_app`);
  }
}
