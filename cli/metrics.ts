/** Entry of `npm run metrics`: prints what each metric is, as docs/metrics.md has it. */

import './node-version.ts';
import { runCommand, withCode } from './run-command.ts';
import { parseArgs } from 'node:util';
import { installationMetrics } from '../operations/figures/metrics.ts';
import type { MetricRow } from '../providers/metrics/metric.ts';
import { processMetrics } from '../providers/metrics/table.ts';

const HELP = `npm run metrics

Prints the metrics of API and worker as Markdown: their names, types, labels, and what they mean.
`;

/** The metrics of a process, then those of the installation. */
export const metricsInWords = (): string =>
  `${tableOf(Object.values(processMetrics))}\n\n${tableOf(installationMetrics)}\n`;

function tableOf(rows: readonly MetricRow[]): string {
  const lines = rows.map(
    ({ name, type, labels, of, help }) =>
      `| \`${name}\` | ${type} | ${labels.map((label) => `\`${label}\``).join(', ')} | ${of} | ${help} |`,
  );
  return ['| Metric | Type | Labels | Of | |', '|---|---|---|---|---|', ...lines].join('\n');
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { help: { type: 'boolean', short: 'h' } } });
  process.stdout.write(values.help ? HELP : metricsInWords());
}

if (import.meta.main) await runCommand(main, withCode(/^ERR_PARSE_ARGS/));
