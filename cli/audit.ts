/** Entry of `npm run audit`: checks the invariants of the books over the whole database. */

import './node-version.ts';
import { runCommand, withCode } from './run-command.ts';
import { existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { OperatorError } from '../operator-error.ts';
import { loadConfig } from '../config.ts';
import { withRunningSystem } from '../providers/embedded/running-system.ts';
import { temporalOf } from '../providers/temporal/connect.ts';
import { type Database, type Role, openDatabase } from '../db/connection/database.ts';
import { replicaOf } from '../db/connection/logins.ts';
import type { ShownHead } from '../operations/access/audit-heads.ts';
import { type AuditOptions, RECOMPUTED_BY_DEFAULT, audit } from '../operations/books/audit.ts';
import type {
  AuditReport,
  HeldFromBilling,
  RecomputedSample,
  TenantAudit,
} from '../operations/books/report.ts';

const HELP = `npm run audit -- [--tenant LABEL] [--recompute N] [--json] [--without-workflows]

Checks every invariant of the books over the whole database and changes nothing. It checks:
  - balances against the ledger, and the totals of each invoice against the one before
  - numbers without gaps, and periods that are billed once
  - that due orders are billed, and that each order has the right dates
  - that usage windows were billed for what their records come to, and that no usage is left behind
  - that invoices with autopay are charged on their day
  - payments, credits and refunds, and the invoices that they are applied to
  - the sandbox gateway's own log against the payments
  - the status of each customer against the age of its debts, and the dunnings
  - retries, installments and payment plans
  - commissions of sales agents against the invoices that are paid
  - events against what happened, in both directions; callbacks and mails against the events
  - the audit log: that no row is missing or changed, also against the heads in AUDIT_HEADS_FILE
  - that everything open has a workflow, those of tenants included, and that no workflow runs that
    nothing needs
It also computes the newest invoices of each tenant anew, from the documents that GET shows, by a
second calculator, and says what it left out.
It prints each row at fault, and exits with 1 if there is one.

The audit finds the running system of DATA_DIR; else it uses DATABASE_URL, as the login that API and
workers have, and TEMPORAL_ADDRESS. With READ_DATABASE_URL the books are read there.

  --tenant LABEL       checks this tenant only
  --recompute N        recomputes the N newest invoices of each tenant (${RECOMPUTED_BY_DEFAULT})
  --json               prints the report as JSON
  --without-workflows  skips the check of workflows, which needs Temporal
`;

/** Statements over the rows of a large tenant take minutes. */
const STATEMENT_TIMEOUT_MS = 600_000;

class Unusable extends OperatorError {}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      help: { type: 'boolean', short: 'h' },
      json: { type: 'boolean', default: false },
      tenant: { type: 'string' },
      recompute: { type: 'string', default: String(RECOMPUTED_BY_DEFAULT) },
      'without-workflows': { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return;
  }
  const recompute = Number(values.recompute);
  if (!/^\d{1,5}$/.test(values.recompute)) {
    throw new Unusable('--recompute takes a number of invoices, 0 to 99999.');
  }
  const asked = { only: values.tenant, recompute };
  const report = await run(values['without-workflows'], asked);
  const text = values.json ? `${JSON.stringify(report, null, 2)}\n` : auditText(report);
  process.stdout.write(text);
  process.exitCode = report.clean ? 0 : 1;
}

async function run(
  withoutWorkflows: boolean,
  { only, recompute }: Pick<AuditOptions, 'only' | 'recompute'>,
): Promise<AuditReport> {
  const config = withRunningSystem(loadConfig());
  const { databaseUrl, readDatabaseUrl, temporalAddress, auditHeadsFile } = config;
  if (databaseUrl === undefined) {
    throw new Unusable('No running system found: run npm start, or set DATABASE_URL.');
  }
  if (temporalAddress === undefined && !withoutWorkflows) {
    throw new Unusable('Set TEMPORAL_ADDRESS, or leave the workflows out: --without-workflows.');
  }
  const opened: Database[] = [];
  const open = async (role: Role): Promise<Database> => {
    const statementTimeoutMs = STATEMENT_TIMEOUT_MS;
    const name = 'audit';
    // What the relay sees of all tenants is little.
    const readUrl = role === 'sundial_app' ? readDatabaseUrl : undefined;
    const replica = replicaOf(readUrl, { mayOwn: config.isLocal });
    const its = { url: databaseUrl, role, replica, poolMax: 1, statementTimeoutMs, name };
    const db = await openDatabase(its);
    opened.push(db);
    return db;
  };
  try {
    const dependencies = { db: await open('sundial_app'), realNow: () => Date.now() };
    const engine =
      withoutWorkflows || temporalAddress === undefined
        ? null
        : temporalOf({ ...config, temporalAddress });
    const report = await audit(dependencies, {
      relayDb: await open('sundial_relay'),
      engine,
      only,
      recompute,
      heads: readHeads(auditHeadsFile),
    });
    if (only !== undefined && report.tenants.length === 0) {
      throw new Unusable(`There is no tenant ${only}.`);
    }
    return report;
  } finally {
    for (const db of opened) await db.close();
  }
}

/** What a worker has written there each day; its last line may be under way. */
function readHeads(file: string): ShownHead[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line, index) => {
    try {
      return headSchema.parse(JSON.parse(line));
    } catch {
      throw new Unusable(`${file} has a line that is no head of an audit log: line ${index + 1}.`);
    }
  });
}

const headSchema = z.object({
  tenant: z.string(),
  sequence: z.int(),
  hash: z.string(),
  at: z.string(),
});

/* Formats an audit report for people: a table of the tenants, then every row at fault. */

/** At most this many faults of a tenant are printed; the JSON has all of them. */
const FAULTS_SHOWN_MAX = 100;
const WAITING_SHOWN_MAX = 20;

const columns = ['tenant', 'today', 'customers', 'orders', 'invoices', 'held', 'faults'] as const;

function auditText(report: AuditReport): string {
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

await runCommand(main, withCode(/^(ECONN|ERR_PARSE)/));
