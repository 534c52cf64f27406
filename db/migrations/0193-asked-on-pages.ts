/** Cards of pages whose payer is asked for before they are saved. */
import { Migration } from '@mikro-orm/migrations';

const ownTenant = `(select nullif(current_setting('app.tenant', true), '')::bigint)`;

export class AskedOnPages extends Migration {
  override up(): void {
    this.addSql(`
      alter table signup_try
        -- Sealed: the address of its page, to which its payer comes back.
        add column return_sealed text,
        -- What the gateway asks its payer to authenticate before the card is saved, and until when.
        add column validation_id text,
        add column asks_until timestamptz`);
    this.addSql(`
      create table asked_card (
        tenant_id bigint not null,
        -- The key of the form that took the card.
        form_key text not null,
        session_id bigint not null,
        preference smallint not null check (preference between 1 and 3),
        type text not null check (type in ('CreditCard', 'ACH', 'Token')),
        gateway text not null check (gateway in ('sandbox', 'stripe')),
        token text not null,
        brand text,
        last_four text check (last_four ~ '^[0-9A-Za-z]{1,4}$'),
        expiry date,
        -- The gateway's own id of what waits there for the payer, until then in real time.
        validation_id text not null,
        asks_until timestamptz not null,
        outcome text check (outcome in ('filed', 'declined')),
        primary key (tenant_id, form_key),
        foreign key (tenant_id, session_id) references self_service_session (tenant_id, id)
          on delete cascade
      );
      create index on asked_card (tenant_id, session_id);
      grant select, insert, update, delete on asked_card to sundial_app;
      alter table asked_card enable row level security;
      alter table asked_card force row level security;
      create policy own_tenant on asked_card using (tenant_id = ${ownTenant})`);
  }
}
