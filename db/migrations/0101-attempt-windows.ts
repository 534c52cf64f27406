/** Attempts of the last minute (logins, forms), which all processes count together. */
import { Migration } from '@mikro-orm/migrations';

const windows = `
-- Not of a tenant: a network's attempts count at all tenants together. A crash may forget them.
create unlogged table attempt_window (
  -- SHA-256 of what is counted.
  key bytea primary key,
  ends_at timestamptz not null,
  failures int not null,
  under_way int not null
);
create index attempt_window_end on attempt_window (ends_at);
grant select, insert, update, delete on attempt_window to sundial_app;
`;

export class AttemptWindows extends Migration {
  override up(): void {
    this.addSql(windows);
  }
}
