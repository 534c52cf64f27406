/** Entry of `npm run commissions`: writes what the sales agents of a tenant have earned as CSV. */

import './node-version.ts';
import { parseArgs } from 'node:util';
import { ConfigError, loadConfig } from '../config.ts';
import { isDate } from '../domain/calendar/calendar.ts';
import { tenantIdOf } from '../operations/context/context.ts';
import { withRunningSystem } from '../providers/embedded/running-system.ts';
import { exportCommissions } from './commissions/export.ts';
import { open, UsageError } from './tenant/database.ts';

const HELP = `npm run commissions -- export TENANT [--agent CODE] [--from DATE] [--to DATE] [--out FILE]

Writes what the sales agents of a tenant have earned, and what was taken back, as CSV: UTF-8, with a
header, by dateEarned. Amounts that were taken back are negative, and reversalOf names the row.

  --agent CODE   of this sales agent only
  --from DATE    from this dateEarned on
  --to DATE      up to this dateEarned
  --out FILE     into this file, which appears when it is complete; else to the standard output

The command uses the system that npm start runs in DATA_DIR (.data), or the database at DATABASE_URL.
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
  const db = await open(withRunningSystem(loadConfig()), 'sundial_app');
  try {
    const tenantId = await tenantIdOf(db, tenant);
    if (tenantId === null) throw new UsageError(`There is no tenant ${tenant}.`);
    const filter = { agentCode, from, to };
    const rows = await exportCommissions(db, tenantId, { filter, out });
    if (out !== undefined) process.stdout.write(`${rows} commissions are in ${out}\n`);
  } finally {
    await db.close();
  }
}

try {
  await main();
} catch (error) {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const expected =
    error instanceof ConfigError ||
    error instanceof UsageError ||
    /^(ECONN|ENOENT|EACCES|EISDIR|ENOSPC|EPIPE|ERR_PARSE)/.test(code);
  process.stderr.write(
    `${expected ? (error as Error).message : String((error as Error).stack ?? error)}\n`,
  );
  process.exitCode = 1;
}
