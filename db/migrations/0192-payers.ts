/** Payments that wait for their payer, and where a page's payment leads its payer back to. */
import { Migration } from '@mikro-orm/migrations';

export class Payers extends Migration {
  override up(): void {
    this.addSql(`
      alter table payment drop constraint payment_status_check,
        add constraint payment_status_check check (status in ('CarriedOver', 'Pending',
          'ActionRequired', 'Paid', 'Declined', 'Canceled', 'Voided', 'Refunded')),
        -- Real time; of an absent payer gateway_news_on is the day at whose 00:00 the wait is over.
        add column action_ends_at timestamptz,
        -- Where the payer of a page's payment comes back to; null if the payer is absent.
        add column return_sealed text,
        -- Each confirmation has its own key.
        add column confirmations int not null default 0 check (confirmations >= 0),
        add constraint payment_waits check (case status
          when 'ActionRequired' then payment_type = 'Payment' and gateway is not null
            and (action_ends_at is null) <> (gateway_news_on is null)
          else action_ends_at is null end)`);
    this.addSql(`
      create index payment_waiting on payment (tenant_id, customer_id)
        where status = 'ActionRequired'`);
  }
}
