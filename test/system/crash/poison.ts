/**
 * Loaded by `--import` into processes that are to die: rating an order whose invoiceNotes begin
 * with `poison:` crashes or blocks the process, which no order from the interface can do. A blocked
 * process waits, because computing for a minute would take a core from the other tests.
 */
import { registerHooks } from 'node:module';

const poisoned = `
import { appendFileSync, existsSync } from 'node:fs';

const never = new Int32Array(new SharedArrayBuffer(4));

export function rateCustomer(input: RateCustomerInput): CustomerBilling {
  for (const { invoiceNotes: notes } of input.rows) {
    const [, how, file = ''] = /^poison: (\\w+) ?(.*)$/.exec(notes ?? '') ?? [];
    if (how === 'abort') process.abort();
    if (how === 'exit') process.exit(1);
    if (how === 'heap') for (const all: unknown[] = [];;) all.push(new Array(1e6).fill(0.5));
    if (how === 'loop') Atomics.wait(never, 0, 0);
    if (how === 'gate') {
      // Says who waits, and waits until the test lets it pass.
      appendFileSync(file, process.pid + '\\n');
      while (!existsSync(file + '.open')) Atomics.wait(never, 0, 0, 20);
    }
  }
  return rateWell(input);
}
`;

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!url.endsWith('/domain/billing/rate-customer.ts')) return loaded;
    const { source: given } = loaded;
    const text = typeof given === 'string' ? given : new TextDecoder().decode(given);
    const source = text.replace('export function rateCustomer(', 'function rateWell(');
    return { ...loaded, source: source + poisoned };
  },
});
