/**
 * The greatest outliers of a rehearsal are read without the others, and what is kept of logins at the
 * operator's page is deleted after a year.
 */
import { Expanding } from '../connection/migration-kinds.ts';

export class OperatorsActs extends Expanding {
  override up(): void {
    this.addSql(`create index rehearsal_outlier_by_difference on rehearsal_outlier
      (tenant_id, rehearsal_id, (abs(amount - coalesce(last_amount, 0))) desc, customer_id, currency)`);
    // Whoever takes a process over cannot take away who has logged in this year.
    this.addSql(`
      create index operator_login_at on operator_login (at);
      create trigger operator_login_kept_a_year before delete on operator_login
        for each row when (old.at > now() - interval '365 days')
        execute function refuse_change();
      grant delete on operator_login to sundial_app`);
  }
}
