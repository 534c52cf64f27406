/** E-mail addresses that customers change on a page: the old one is told, and a reset knows it. */
import { Migration } from '@mikro-orm/migrations';

const columns = `
-- Where links for a new password go instead of email_primary, which was changed on a page without a
-- password; empty: nowhere.
alter table contact add column reset_address text;
-- Where the mail goes, if not to the address that the contact has when it is sent.
alter table mail add column address text;
`;

// Other migrations add kinds, too.
const kindOfMail = `
do $$ declare kinds text;
begin
  select pg_get_constraintdef(oid) into kinds from pg_constraint where conname = 'mail_kind_check';
  alter table mail drop constraint mail_kind_check;
  execute 'alter table mail add constraint mail_kind_check '
    || replace(kinds, 'ARRAY[', 'ARRAY[''contactChanged''::text, ');
end $$;
`;

export class ContactChanges extends Migration {
  override up(): void {
    this.addSql(columns);
    this.addSql(kindOfMail);
  }
}
