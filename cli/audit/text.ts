/** Formats an audit report for people: a table of the tenants, then every row at fault. */
import type {
  AuditReport,
  HeldFromBilling,
  TenantAudit,
  RecomputedSample,
} from '../../operations/books/report.ts';

/** At most this many faults of a tenant are printed; the JSON has all of them. */
const FAULTS_SHOWN_MAX = 100;
const WAITING_SHOWN_MAX = 20;

const columns = ['tenant', 'today', 'customers', 'orders', 'invoices', 'held', 'faults'] as const;

export function auditText(report: AuditReport): string {
  const rows = report.tenants.map((tenant) => [
    tenant.tenant,
    tenant.today,
    ...[tenant.customers, tenant.orders, tenant.invoices].map(String),
    String(tenant.held.length),
    String(tenant.faults.length),
  ]);
  const lines = [
    ...table([[...columns], ...rows]),
    ...report.tenants.flatMap(detailsOf),
    '',
    workflowsLine(report),
    report.clean ? 'No inconsistencies found.' : 'Inconsistencies found.',
  ];
  return `${lines.join('\n')}\n`;
}

function detailsOf(tenant: TenantAudit): string[] {
  const { underWay, held, waiting, faults } = tenant;
  const lines: string[] = [];
  if (underWay > 0) lines.push(`  ${underWay} orders are due and being billed now`);
  for (const { code, text, since, ...customer } of held) {
    const why = text === null ? code : `${code} (${text})`;
    lines.push(`  held from billing: ${nameOf(customer)}: ${why}, since ${since}`);
  }
  for (const { code, since, nextTryAt, ...customer } of waiting.slice(0, WAITING_SHOWN_MAX)) {
    const when = `since ${since}, again at ${nextTryAt}`;
    lines.push(`  waits for the tax provider: ${nameOf(customer)}: ${code}, ${when}`);
  }
  const others = waiting.length - WAITING_SHOWN_MAX;
  if (others > 0) lines.push(`  and ${others} more wait for the tax provider`);
  lines.push(...recomputedLines(tenant.recomputed));
  const shown = faults.slice(0, FAULTS_SHOWN_MAX);
  for (const { check, object, detail } of shown) lines.push(`  ${check}: ${object}: ${detail}`);
  if (faults.length > shown.length) lines.push(`  and ${faults.length - shown.length} more`);
  return lines.length === 0 ? [] : ['', `${tenant.tenant}:`, ...lines];
}

function recomputedLines({ invoices, charges, notRecomputed }: RecomputedSample): string[] {
  if (invoices === 0) return [];
  return [
    `  recomputed: ${charges} charges of the newest ${invoices} invoices`,
    ...Object.entries(notRecomputed).map(
      ([reason, count]) => `  not recomputed: ${reason}, ${count}`,
    ),
  ];
}

function nameOf({ customerId, extCustomerRef }: Named): string {
  return `customer ${customerId}${extCustomerRef === null ? '' : ` (${extCustomerRef})`}`;
}

type Named = Pick<HeldFromBilling, 'customerId' | 'extCustomerRef'>;

function workflowsLine({ workflows }: AuditReport): string {
  switch (workflows) {
    case 'checked':
      return 'The workflows were checked in Temporal.';
    case 'skipped':
      return 'The workflows were not checked.';
    case 'unreachable':
      return 'Temporal does not answer, so the workflows were not checked.';
  }
}

/** Aligns text columns left and figures right. */
function table(rows: readonly (readonly string[])[]): string[] {
  const widths = columns.map((_, index) =>
    Math.max(...rows.map((row) => (row[index] ?? '').length)),
  );
  return rows.map((row) =>
    row
      .map((cell, index) => {
        const width = widths[index] ?? 0;
        return index < 2 ? cell.padEnd(width) : cell.padStart(width);
      })
      .join('  ')
      .trimEnd(),
  );
}
