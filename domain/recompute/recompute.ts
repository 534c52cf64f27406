/** Recomputes a sample of invoices, and the orders that they bill, from their documents alone. */
import type { Shown } from './documents.ts';
import { recomputeCredits } from './credits.ts';
import { recomputeDiscounts } from './discounts.ts';
import { recomputeFees } from './fees.ts';
import {
  recomputeByHand,
  recomputeChain,
  recomputeDueDate,
  recomputeGrouping,
  recomputeSpans,
  recomputeSums,
} from './invoices.ts';
import { recomputeOrder } from './orders.ts';
import { recomputePercents, recomputeTaxes } from './percents.ts';
import { nameOf, openReading } from './reading.ts';
import type { BilledLine, Findings, Reading } from './reading.ts';
import { recomputeUsage } from './usage.ts';

export interface RecomputedFault {
  readonly check: string;
  readonly object: string;
  readonly detail: string;
}

export interface Recomputed {
  readonly invoices: number;
  /** Charges whose amount was computed anew. */
  readonly charges: number;
  readonly faults: readonly RecomputedFault[];
  /** What was left out, by its reason. */
  readonly notRecomputed: Readonly<Record<string, number>>;
}

/**
 * @example recompute(shown).faults
 * // [{ check: 'recompute.price', object: 'invoice 1002', detail: 'charge 1 of line 1 ..' }]
 */
export function recompute(shown: Shown): Recomputed {
  const faults: RecomputedFault[] = [];
  const notRecomputed: Record<string, number> = {};
  let charges = 0;
  const findings: Findings = {
    fault: (check, object, detail) => void faults.push({ check, object, detail }),
    skip: (reason) => void (notRecomputed[reason] = (notRecomputed[reason] ?? 0) + 1),
    counted: (count) => void (charges += count),
  };
  const reading = openReading(shown);
  const orderIds = new Set<number>();
  for (const invoice of shown.sample) {
    recomputeSums(invoice, findings);
    recomputeSpans(invoice, findings);
    const billed: BilledLine[] = [];
    for (const line of invoice.lines) {
      const found = reading.lineOf(invoice, line);
      if (found) billed.push(found);
      else if (line.charges.some(({ orderLineItemId }) => orderLineItemId !== null)) {
        findings.skip('a line whose order or plan is not shown');
      } else recomputeByHand(invoice, line, findings);
    }
    for (const line of billed) {
      orderIds.add(line.order.id);
      recomputeLine(reading, line, findings);
    }
    if (billed.length < invoice.lines.length) continue;
    recomputeDueDate(shown, invoice, billed, findings);
    recomputeGrouping(invoice, billed, findings);
  }
  recomputeChain(shown, findings);
  for (const id of orderIds) {
    const order = shown.orders.get(id);
    if (order) recomputeOrder(reading, order, findings);
  }
  return { invoices: shown.sample.length, charges, faults, notRecomputed };
}

function recomputeLine(reading: Reading, line: BilledLine, findings: Findings): void {
  const unknown = line.charges.filter(({ kind }) => kind === 'unknown');
  for (const charge of unknown) {
    const isOfPlan = charge.contractChargeId !== null;
    findings.skip(isOfPlan ? 'a charge of another plan version' : `${nameOf(line, charge)}`);
  }
  recomputeFees(reading, line, findings);
  if (unknown.length > 0) return findings.skip('percentages beside such a charge');
  recomputePercents(reading, line, findings);
  recomputeDiscounts(reading, line, findings);
  recomputeTaxes(reading, line, findings);
  recomputeUsage(reading, line, findings);
  recomputeCredits(reading, line, findings);
}
