/**
 * The sandbox's cards that ask: a charge or validation waits for its payer, who answers on a page of
 * the sandbox.
 */
import { Migration } from '@mikro-orm/migrations';

const ownTenant = `(select nullif(current_setting('app.tenant', true), '')::bigint)`;

export class SandboxChallenges extends Migration {
  override up(): void {
    this.addSql(`
      alter table sandbox_transaction drop constraint sandbox_transaction_status_check,
        add constraint sandbox_transaction_status_check
          check (status in ('Processing', 'Asks', 'Approved', 'Declined'));
      -- When its payer confirmed that it is put on file.
      alter table sandbox_method add column authenticated_at timestamptz`);
    this.addSql(`
      create table sandbox_challenge (
        tenant_id bigint not null,
        -- SHA-256 of the token in the address of its page.
        token_hash bytea not null,
        -- The token, and the page that it leads back to, sealed.
        sealed text not null,
        transaction_id bigint not null,
        -- Of the call that made it.
        idempotency_key text not null,
        -- Confirmed, the method may be charged later without its payer.
        saves_method boolean not null,
        answer text check (answer in ('confirm', 'refuse')),
        made_at timestamptz not null default now(),
        primary key (tenant_id, token_hash),
        unique (tenant_id, idempotency_key)
      );
      create index sandbox_challenge_of on sandbox_challenge (tenant_id, transaction_id);
      grant select, insert, update, delete on sandbox_challenge to sundial_app;
      alter table sandbox_challenge enable row level security;
      alter table sandbox_challenge force row level security;
      create policy own_tenant on sandbox_challenge using (tenant_id = ${ownTenant})`);
  }
}
