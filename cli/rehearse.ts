/** Entry of `npm run rehearse`: what the billing run of a day will make, and who has to be looked at first. */

import './node-version.ts';
import { runCommand, withCode } from './run-command.ts';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { finished } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { loadConfig } from '../config.ts';
import type { IsoDate } from '../domain/calendar/calendar.ts';
import { DomainError } from '../domain/errors.ts';
import {
  type Compared,
  type OutlierLimits,
  type RehearsalFigures,
  type RunFigures,
  differenceOf,
} from '../domain/billing/rehearsed.ts';
import { amountTexts } from '../domain/money/amounts.ts';
import { compare, formatAmount, isCurrency, isDecimal, signOf } from '../domain/money/money.ts';
import { BYTE_ORDER_MARK, csvLine } from '../domain/text/csv.ts';
import type { Dependencies } from '../operations/context/context.ts';
import { dayAsked, limitsByDefault, ranWords } from '../operations/rehearsals/asked.ts';
import {
  type KeptRehearsal,
  greatestOutliers,
  holdOutliers,
  keepRehearsal,
} from '../operations/rehearsals/keep.ts';
import { withRunningSystem } from '../providers/embedded/running-system.ts';
import { openSpool } from '../providers/spool.ts';
import { UsageError, open, tenantNamed } from './tenant/database.ts';

const OUTLIERS_SHOWN = 20;
/** As JSON. */
const OUTLIERS_MAX = 1_000;

const HELP = `npm run rehearse -- TENANT DATE [--hold] [--ratio N] [--amount N ..] [--csv FILE] [--json]

Rehearses the billing run of a day: it reads and rates what is due by then as the run does, and
writes no invoice, takes no number, sends nothing, and asks no gateway and no tax provider. DATE is a
day up to 31 days ahead, or today, or tomorrow, in the tenant's time zone; a day that is over stands
for today, whose run catches up. It stores what it found, prints it, and exits with 1 if there is an
outlier, or a customer that the run would hold.

An outlier is billed at least --ratio times as much, or as little, as in the last period, and the
difference is at least --amount; or it is billed for the first time, and at least 10 times --amount.

  --hold         holds the outliers from billing until somebody releases them
  --ratio N      how many times as much or as little (${limitsByDefault.ratio})
  --amount N     the difference (${limitsByDefault.amount}); for one currency EUR=N, any number of times
  --csv FILE     writes the comparison of all customers into a file
  --json         prints what was found as JSON, of the outliers the ${OUTLIERS_MAX} greatest

The command uses the system that npm start runs in DATA_DIR (.data), or the database at DATABASE_URL,
as the login that API and workers have. It uses one connection, and gives way to other processes.
`;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      help: { type: 'boolean', short: 'h' },
      hold: { type: 'boolean', default: false },
      ratio: { type: 'string', default: limitsByDefault.ratio },
      amount: { type: 'string', multiple: true, default: [] },
      csv: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return;
  }
  const [label, day, ...more] = positionals;
  if (label === undefined || day === undefined || more.length > 0) {
    throw new UsageError(HELP.trimEnd());
  }
  const limits = limitsOf(values);
  setPriority(constants.priority.PRIORITY_LOW);
  const config = withRunningSystem(loadConfig());
  const db = await open(config, 'sundial_app');
  try {
    const dependencies = { db, realNow: Date.now };
    const tenantId = await tenantNamed(db, label);
    const { csv, hold, json } = values;
    const { operator } = config;
    const asked = { label, day: await dayOf(dependencies, tenantId, day), limits };
    const found = await rehearseInto(dependencies, tenantId, { ...asked, operator, csv });
    const held = hold ? await holdOutliers(dependencies, tenantId, found, operator) : null;
    const limit = json ? OUTLIERS_MAX : OUTLIERS_SHOWN;
    const greatest = await greatestOutliers(dependencies, tenantId, { id: found.id, limit });
    const outliers = greatest.map(comparedOf);
    const { figures, failing, runOn } = found;
    process.stdout.write(
      json
        ? `${JSON.stringify({ tenant: label, runOn, figures, outliers, failing, held }, null, 2)}\n`
        : textOf({ ...asked, found, outliers, held }),
    );
    process.exitCode = figures.outliers + failing.length > 0 ? 1 : 0;
  } finally {
    await db.close();
  }
}

const comparedOf = ({ customerId, currency, total, amount, lastAmount }: Compared): Compared => ({
  customerId,
  currency,
  total,
  amount,
  lastAmount,
});

function limitsOf({
  ratio,
  amount,
}: {
  readonly ratio: string;
  readonly amount: readonly string[];
}): OutlierLimits {
  if (!isDecimal(ratio) || compare(ratio, '1') <= 0) {
    throw new UsageError(`--ratio takes a number above 1, not ${ratio}.`);
  }
  const amounts: Record<string, string> = {};
  let general = limitsByDefault.amount;
  for (const text of amount) {
    const [first = '', second] = text.split('=');
    const [currency, limit] = second === undefined ? [null, first] : [first, second];
    const isKnown = currency === null || isCurrency(currency);
    if (!isKnown || !isDecimal(limit) || signOf(limit) < 0) {
      throw new UsageError(`--amount takes an amount, or EUR=amount, not ${text}.`);
    }
    if (currency === null) general = limit;
    else amounts[currency] = limit;
  }
  return { ratio, amount: general, amounts };
}

async function dayOf(dependencies: Dependencies, tenantId: number, day: string): Promise<IsoDate> {
  try {
    return await dayAsked(dependencies, tenantId, day);
  } catch (error) {
    throw usageOf(error);
  }
}

function usageOf(error: unknown): unknown {
  return error instanceof DomainError
    ? new UsageError(`${error.message}.`, { cause: error })
    : error;
}

interface Asked {
  readonly label: string;
  readonly day: IsoDate;
  readonly limits: OutlierLimits;
}

interface Rehearsing extends Asked {
  readonly operator: string;
  readonly csv: string | undefined;
}

async function rehearseInto(
  dependencies: Dependencies,
  tenantId: number,
  { day, limits, operator, csv }: Rehearsing,
): Promise<KeptRehearsal> {
  const outliers = await openSpool<Compared>();
  const file = csv === undefined ? null : createWriteStream(csv);
  const written = file === null ? undefined : finished(file);
  // It is awaited below; a file that cannot be written ends the rehearsal with the next batch.
  written?.catch(() => undefined);
  file?.write(BYTE_ORDER_MARK + csvLine(csvColumns));
  const onCompared = async (some: readonly Compared[]): Promise<void> => {
    if (file === null || some.length === 0) return;
    const text = some.map((each) => csvLine(cellsOf(each))).join('');
    if (!file.write(text)) await Promise.race([once(file, 'drain'), written]);
  };
  try {
    const keeping = { day, limits, operator, outliers, onCompared };
    const kept = await keepRehearsal(dependencies, tenantId, keeping);
    file?.end();
    await written;
    return kept;
  } catch (error) {
    file?.destroy();
    throw usageOf(error);
  } finally {
    await outliers.close();
  }
}

const csvColumns = ['customerId', 'currency', 'total', 'amount', 'lastAmount', 'difference'];

function cellsOf(each: Compared): readonly string[] {
  const { customerId, currency, total, amount, lastAmount } = each;
  const last = lastAmount === null ? '' : formatAmount(currency, lastAmount);
  const amounts = [total, amount].map((value) => formatAmount(currency, value));
  return [String(customerId), currency, ...amounts, last, signedDifference(each)];
}

/* What was found, for people. */

interface Printed extends Asked {
  readonly found: KeptRehearsal;
  /** The greatest ones. */
  readonly outliers: readonly Compared[];
  readonly held: number | null;
}

function textOf({ label, day, limits, found, outliers, held }: Printed): string {
  const { runOn, figures, failing } = found;
  const { run, before, compared } = figures;
  const over = runOn === day ? '' : ` (${day} is over)`;
  const lines = [
    `The run of ${runOn} of ${label}${over}:`,
    `  ${ranWords(figures)}`,
    ...table([['kind', 'currency', 'charges', 'amount'], ...kindsOf(run)]),
    ...(run.untaxed === 0 ? [] : [`  tax not asked: ${run.untaxed} invoices lack it`]),
    ...(before.invoices === 0
      ? []
      : [`  the runs before it: ${before.invoices} invoices${sumsOf(before)}`]),
    ...passedOver(figures),
    `Without taxes, ${amountTexts(compared.amounts).join(', ') || 'nothing'}; in the last period ${
      amountTexts(compared.lastAmounts).join(', ') || 'nothing'
    }; ${compared.first} are billed for the first time.`,
    `${figures.outliers} outliers, from ${limits.ratio} times and ${amountOf(limits)} on.`,
    ...table([
      ['customer', 'currency', 'amount', 'last period', 'difference'],
      ...outliers.map((each) => outlierCells(each)),
    ]),
    ...(figures.outliers > OUTLIERS_SHOWN
      ? [`  and ${figures.outliers - OUTLIERS_SHOWN} more`]
      : []),
    ...failing
      .slice(0, OUTLIERS_SHOWN)
      .map(({ customerId, code }) => `  the run would hold customer ${customerId}: ${code}`),
    ...(held === null ? [] : [`${held} customers are held from billing until they are released.`]),
  ];
  return `${lines.join('\n')}\n`;
}

const sumsOf = ({ amounts }: RunFigures): string => {
  const texts = amountTexts(amounts);
  return texts.length === 0 ? '' : ` of ${texts.join(', ')}`;
};

const amountOf = ({ amount, amounts }: OutlierLimits): string =>
  [amount, ...Object.entries(amounts).map(([currency, each]) => `${each} ${currency}`)].join(', ');

function kindsOf({ charges }: RunFigures): readonly (readonly string[])[] {
  return charges.map(({ kind, currency, count, amount }) => [
    kind,
    currency,
    String(count),
    formatAmount(currency, amount),
  ]);
}

function passedOver({ passedOver: { held, suspects, tooLarge, failing } }: RehearsalFigures) {
  const codes = Object.entries(failing).map(([code, count]) => `${count} fail with ${code}`);
  const counts = [
    ...(held === 0 ? [] : [`${held} are held`]),
    ...(suspects === 0 ? [] : [`${suspects} are suspects`]),
    ...(tooLarge === 0 ? [] : [`${tooLarge} have too much due`]),
    ...codes,
  ];
  return counts.length === 0 ? [] : [`  customers passed over: ${counts.join(', ')}`];
}

function outlierCells(each: Compared): readonly string[] {
  const { customerId, currency, amount, lastAmount } = each;
  const last = lastAmount === null ? 'none' : formatAmount(currency, lastAmount);
  return [
    String(customerId),
    currency,
    formatAmount(currency, amount),
    last,
    signedDifference(each),
  ];
}

function signedDifference(each: Compared): string {
  const { currency, amount, lastAmount } = each;
  const sign = compare(amount, lastAmount ?? '0') < 0 ? '-' : '';
  return sign + formatAmount(currency, differenceOf(each));
}

/** Aligns two columns left and the figures right; nothing without rows. */
function table([head = [], ...rows]: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return [];
  const all = [head, ...rows];
  const widths = head.map((_, index) => Math.max(...all.map((row) => (row[index] ?? '').length)));
  return all.map((row) => {
    const cells = row.map((cell, index) => {
      const width = widths[index] ?? 0;
      return index < 2 ? cell.padEnd(width) : cell.padStart(width);
    });
    return `  ${cells.join('  ').trimEnd()}`;
  });
}

await runCommand(main, withCode(/^(ECONN|ERR_PARSE|ENOENT|EACCES|EISDIR)/));
