/** Reports that are written to a file: jobs among the batches, which wait for no other job. */
import { Migration } from '@mikro-orm/migrations';

export class ReportJobs extends Migration {
  override up(): void {
    this.addSql(`alter table batch
      add column report_name text,
      add column report_from date,
      add column report_to date`);
    this.addSql(`alter table batch drop constraint batch_kind_check,
      add constraint batch_kind_check check (kind in ('customers', 'invoices', 'lines', 'init',
        'carriedInvoices', 'carriedCredits', 'carriedDebits', 'report')),
      add constraint batch_report check (
        (kind = 'report') = (num_nonnulls(report_name, report_from, report_to) = 3))`);
    this.addSql(`alter table outbox drop constraint outbox_kind_check,
      add constraint outbox_kind_check check (kind in ('batch', 'billing', 'callbacks', 'clock',
        'dunning', 'mail', 'order', 'passwords', 'payment', 'paymentPlan', 'report', 'taxes', 'signup'))`);
  }
}
