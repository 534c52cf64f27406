/** Entry of `npm run audit`: whether the books hold, over the whole database. */

import './node-version.ts';
import { parseArgs } from 'node:util';
import { ConfigError, loadConfig } from '../config.ts';
import { withRunningSystem } from '../providers/embedded/running-system.ts';
import { openDatabase } from '../db/connection/database.ts';
import type { Database, Role } from '../db/connection/database.ts';
import { audit } from '../operations/books/audit.ts';
import type { AuditReport } from '../operations/books/report.ts';
import { auditText } from './audit/text.ts';

const HELP = `npm run audit -- [--tenant LABEL] [--json] [--without-workflows]

Checks every invariant of the books over the whole database: balances and ledger, the sums and the
chain of invoices, numbers without gaps, periods billed once, orders billed when due and standing at
the right dates, invoices that pay themselves claimed on their day, payments, credits and refunds
with what they are applied to, the sandbox gateway's own log beside them, a workflow for every open
order. Changes nothing. Exits 1 with the rows at fault.

It finds the running system of DATA_DIR, else DATABASE_URL and TEMPORAL_ADDRESS.

  --tenant LABEL       looks at this tenant only
  --json               prints the report as JSON
  --without-workflows  does not ask Temporal for the orders' workflows
`;

/** A statement over the rows of a large tenant takes its time. */
const STATEMENT_TIMEOUT_MS = 600_000;

class Unusable extends Error {}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      help: { type: 'boolean', short: 'h' },
      json: { type: 'boolean', default: false },
      tenant: { type: 'string' },
      'without-workflows': { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return;
  }
  const report = await run(values['without-workflows'], values.tenant);
  const text = values.json ? `${JSON.stringify(report, null, 2)}\n` : auditText(report);
  process.stdout.write(text);
  process.exitCode = report.clean ? 0 : 1;
}

async function run(withoutWorkflows: boolean, only: string | undefined): Promise<AuditReport> {
  const { databaseUrl, temporalAddress, temporalNamespace } = withRunningSystem(loadConfig());
  if (databaseUrl === undefined) {
    throw new Unusable('No system runs here: use npm start, or set DATABASE_URL.');
  }
  if (temporalAddress === undefined && !withoutWorkflows) {
    throw new Unusable('Set TEMPORAL_ADDRESS, or leave the workflows out: --without-workflows.');
  }
  const opened: Database[] = [];
  const open = async (role: Role): Promise<Database> => {
    const statementTimeoutMs = STATEMENT_TIMEOUT_MS;
    const name = 'audit';
    const db = await openDatabase({ url: databaseUrl, role, poolMax: 1, statementTimeoutMs, name });
    opened.push(db);
    return db;
  };
  try {
    const dependencies = { db: await open('sundial_app'), realNow: () => Date.now() };
    const engine =
      withoutWorkflows || temporalAddress === undefined
        ? null
        : { address: temporalAddress, namespace: temporalNamespace };
    const report = await audit(dependencies, {
      relayDb: await open('sundial_relay'),
      engine,
      only,
    });
    if (only !== undefined && report.tenants.length === 0) {
      throw new Unusable(`There is no tenant ${only}.`);
    }
    return report;
  } finally {
    for (const db of opened) await db.close();
  }
}

try {
  await main();
} catch (error) {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const expected =
    error instanceof ConfigError || error instanceof Unusable || /^(ECONN|ERR_PARSE)/.test(code);
  process.stderr.write(
    `${expected ? (error as Error).message : String((error as Error).stack ?? error)}\n`,
  );
  process.exitCode = 1;
}
