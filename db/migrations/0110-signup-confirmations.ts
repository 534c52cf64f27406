/**
 * Sign-ups that charge nothing today wait for the button of a mailed page: their tries know until
 * when, what the page showed, and the mail that leads there has no customer yet.
 */
import { Migration } from '@mikro-orm/migrations';

/** The checks of a table that speak of a column, whatever PostgreSQL has named them. */
const dropChecks = (table: string, column: string): string => `
do $$
declare name text;
begin
  for name in select conname from pg_constraint
    where conrelid = '${table}'::regclass and contype = 'c'
      and pg_get_constraintdef(oid) like '%${column}%'
  loop
    execute format('alter table ${table} drop constraint %I', name);
  end loop;
end $$;`;

const tries = `
alter table signup_try
  -- When it began to wait for the button of the mailed page; null for tries that need none. Real time.
  add column confirm_asked_at timestamptz,
  -- Until when the button counts: 30 minutes after the mail was made.
  add column confirm_until timestamptz,
  -- SHA-256 of the token in the mailed address; null until the mail is made.
  add column confirm_hash bytea,
  -- The button was pressed.
  add column confirmed_at timestamptz,
  -- What decides about the taxes that the page showed, hashed; null for tries of before.
  add column tax_basis text,
  add constraint signup_try_status check (status in
    ('storing', 'submitted', 'charging', 'confirming', 'paid', 'declined', 'returned')),
  add constraint signup_try_ended
    check ((status in ('storing', 'submitted', 'charging', 'confirming')) = (ended_at is null)),
  add constraint signup_try_code check ((status in ('declined', 'returned')) = (code is not null)),
  add constraint signup_try_confirms
    check ((confirm_asked_at is null) = (confirm_until is null)
      and (status <> 'confirming' or confirm_asked_at is not null)
      and (confirmed_at is null or confirm_asked_at is not null));
create unique index signup_try_confirm on signup_try (tenant_id, confirm_hash)
  where confirm_hash is not null;
-- Those of the last hour, which limit the mails to an address.
create index signup_try_asked on signup_try (tenant_id, confirm_asked_at)
  where confirm_asked_at is not null;
-- Whether a sign-up is priced as its customer is billed follows from what proves that customer.
alter table signup drop column is_priced_by_customer,
  -- It was made for an address that has neither paid nor confirmed.
  add column is_unproven boolean not null default false;
`;

const mails = `
alter table mail alter column customer_id drop not null,
  add constraint mail_kind_check check (kind in
    ('newInvoice', 'newOrder', 'paymentReceived', 'paymentFailed', 'customerOverdue',
     'passwordReset', 'contactChanged', 'signupConfirm')),
  add constraint mail_customer check ((kind = 'signupConfirm') = (customer_id is null));
`;

export class SignupConfirmations extends Migration {
  override up(): void {
    this.addSql(dropChecks('signup_try', 'status'));
    this.addSql(tries);
    this.addSql('alter table mail drop constraint mail_kind_check');
    this.addSql(mails);
  }
}
