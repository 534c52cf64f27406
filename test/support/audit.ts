/** The audit for tests: a file that fails after its audit found a fault is not run again. */
import { audit as auditBooks } from '../../operations/books/audit.ts';
import type { AuditReport } from '../../operations/books/report.ts';
import { noteFinding } from './records.ts';

export async function audit(...asked: Parameters<typeof auditBooks>): Promise<AuditReport> {
  const report = await auditBooks(...asked);
  if (report.tenants.some(({ faults }) => faults.length > 0)) noteFinding('audit fault');
  return report;
}
