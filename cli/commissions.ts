/** Entry of `npm run commissions`: writes what the sales agents of a tenant have earned as CSV. */

import './node-version.ts';
import { runCommand, withCode } from './run-command.ts';
import { parseArgs } from 'node:util';
import { loadConfig } from '../config.ts';
import { isDate } from '../domain/calendar/calendar.ts';
import { writeCommand } from '../operations/access/audit-log.ts';
import { withRunningSystem } from '../providers/embedded/running-system.ts';
import { UsageError, open, tenantNamed } from './tenant/database.ts';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Database } from '../db/connection/database.ts';
import { inTenant } from '../db/connection/tenancy.ts';
import { BYTE_ORDER_MARK, csvLine } from '../domain/text/csv.ts';
import {
  type CommissionFilter,
  type CommissionView,
  allCommissions,
} from '../operations/commissions/statement.ts';

const HELP = `npm run commissions -- export TENANT [--agent CODE] [--from DATE] [--to DATE] [--out FILE]

Writes what the sales agents of a tenant have earned, and what was taken back, as CSV: UTF-8, with a
header, by dateEarned. Amounts that were taken back are negative, and reversalOf names the row.

  --agent CODE   of this sales agent only
  --from DATE    from this dateEarned on
  --to DATE      up to this dateEarned
  --out FILE     into this file, which appears when it is complete; else to the standard output

The command uses the system that npm start runs in DATA_DIR (.data), or the database at DATABASE_URL,
as the login that API and workers have.
`;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      help: { type: 'boolean', short: 'h' },
      agent: { type: 'string' },
      from: { type: 'string' },
      to: { type: 'string' },
      out: { type: 'string' },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return;
  }
  const [command, tenant, ...more] = positionals;
  if (command !== 'export' || tenant === undefined || more.length > 0) {
    throw new UsageError(HELP.trimEnd());
  }
  const { agent: agentCode = null, from = null, to = null, out } = values;
  for (const [name, day] of Object.entries({ from, to })) {
    if (day !== null && !isDate(day)) {
      throw new UsageError(`--${name} must be a date that exists, YYYY-MM-DD, not ${day}.`);
    }
  }
  if (from !== null && to !== null && from > to) throw new UsageError('--from is after --to.');
  const config = withRunningSystem(loadConfig());
  const db = await open(config, 'sundial_app');
  try {
    const tenantId = await tenantNamed(db, tenant);
    const filter = { agentCode, from, to };
    await inTenant(db, tenantId, async (tx) =>
      writeCommand(tx, { operator: config.operator, command: 'commissions export' }),
    );
    const rows = await exportCommissions(db, tenantId, { filter, out });
    if (out !== undefined) process.stdout.write(`${rows} commissions are in ${out}\n`);
  } finally {
    await db.close();
  }
}

/* Writes commissions as CSV, page by page, without holding all of them. */

interface Export {
  readonly filter: CommissionFilter;
  /** The standard output by default. */
  readonly out?: string | undefined;
}

/** The elements of a commission, in the order of the interface. */
const columns = [
  'id',
  'dateEarned',
  'agentCode',
  'orderNumber',
  'invoiceNumber',
  'priceCode',
  'commissionCode',
  'code',
  'baseAmount',
  'amount',
  'currency',
  'reversalOf',
] as const satisfies readonly (keyof CommissionView)[];

/** All rows are of one snapshot. Returns how many there are. */
function exportCommissions(
  db: Database,
  tenantId: number,
  { filter, out }: Export,
): Promise<number> {
  let count = 0;
  const options = { readOnly: true, snapshot: true } as const;
  return inTenant(
    db,
    tenantId,
    async (tx) => {
      async function* lines(): AsyncGenerator<string> {
        yield BYTE_ORDER_MARK + csvLine(columns);
        for await (const page of allCommissions(tx, filter)) {
          count += page.length;
          yield page.map((row) => csvLine(columns.map((name) => row[name]))).join('');
        }
      }
      if (out === undefined) await pipeline(Readable.from(lines()), process.stdout, { end: false });
      else await intoFile(Readable.from(lines()), out);
      return count;
    },
    options,
  );
}

/** What is incomplete never has the name of the file. */
async function intoFile(lines: Readable, out: string): Promise<void> {
  const part = `${out}.part`;
  const file: Writable = createWriteStream(part);
  try {
    await pipeline(lines, file);
    await rename(part, out);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

await runCommand(main, withCode(/^(ECONN|ENOENT|EACCES|EISDIR|ENOSPC|EPIPE|ERR_PARSE)/));
