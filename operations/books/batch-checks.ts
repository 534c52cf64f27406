/** Invariants of batch jobs: their counts, and what they may leave behind. */
import type { Check } from './check.ts';

export const batchChecks: readonly Check[] = [
  {
    name: 'import.rows',
    rule: 'The counts of an import are those of its rows, until its result is deleted.',
    sql: `
      select 'batch ' || b.job_id as object,
             b.success_count || ' succeeded and ' || b.fail_count || ' failed, its rows say '
               || r.successes || ' and ' || r.failures as detail
      from batch b
      cross join lateral (
        select count(*) filter (where w.status = 'Success') as successes,
               count(*) filter (where w.status = 'Failure') as failures
        from import_row w where w.tenant_id = $1 and w.batch_id = b.id) r
      where b.tenant_id = $1 and b.kind in ('customers', 'invoices', 'lines')
        and b.result_deleted_at is null
        and (b.success_count <> r.successes or b.fail_count <> r.failures)
      order by b.id`,
  },
  {
    name: 'import.ended',
    rule: 'An import that has ended has done all of its rows, or says why not, and nothing waits.',
    sql: `
      select 'batch ' || b.job_id as object,
             b.status || ' after ' || b.success_count + b.fail_count || ' of '
               || coalesce(b.row_count::text, 'unknown') || ' rows, ' || s.staged || ' staged' as detail
      from batch b
      cross join lateral (
        select count(*) as staged from import_line l
        where l.tenant_id = $1 and l.batch_id = b.id) s
      where b.tenant_id = $1 and b.kind in ('customers', 'invoices', 'lines')
        and b.finished_at is not null
        and (s.staged > 0 or b.error_message is null
          and b.success_count + b.fail_count is distinct from b.row_count)
      order by b.id`,
  },
];
