/** Entry of `npm run bench -- NAME`: measures a part of Sundial against its bare cost, in one run. */
import '../cli/node-version.ts';
import { parseArgs } from 'node:util';
import { renewals } from './renewals.ts';

const help = `npm run bench -- renewals [--orders 2000] [--json]

Starts PostgreSQL and Temporal of its own in a temporary folder, measures, and removes them.

  renewals   a renewal of all orders of a tenant: until all invoices exist, and until every
             subscription workflow stands at its next period, beside the same rows written by
             set-based SQL without any engine

  --orders N   so many open orders (200, 2000, 20000)
  --json       prints the figures as JSON
`;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      orders: { type: 'string', default: '2000' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const [name] = positionals;
  if (values.help) {
    process.stdout.write(help);
    return;
  }
  const orders = Number(values.orders);
  if (name !== 'renewals' || !Number.isInteger(orders) || orders < 1) throw new Error(help);
  await renewals({ orders, json: values.json });
}

try {
  await main();
} catch (error) {
  process.stderr.write(
    `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  process.exitCode = 1;
}
