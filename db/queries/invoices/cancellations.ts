/** The cancellations of invoices: their numbers, and what statements know of them. */
import type { IsoDate } from '../../../domain/calendar/calendar.ts';
import { type Numbering, seriesOfCredits } from '../../../domain/invoices/number-series.ts';
import type { Tx } from '../../connection/tenancy.ts';
import { Cancellation } from '../../entities/invoices.ts';
import { insertText } from '../context/insertion.ts';
import { standingStatus } from '../context/invoices.ts';
import { numberColumns, numbersFor, numberText, placed, takenNumbers } from '../context/numbers.ts';

/** The number of an invoice's cancellation; null without one. */
export const cancellationNumberOf = (invoice: string): string =>
  `case when ${standingStatus(invoice)} = 'Cancelled' then (
     select k.cancellation_number from cancellation k
     where k.tenant_id = ${invoice}.tenant_id and k.invoice_id = ${invoice}.id) end`;

/** The day on which an invoice was cancelled, by the ledger; null of any other. */
export const cancelledOn = (invoice: string): string =>
  `case when ${standingStatus(invoice)} = 'Cancelled' then (
     select e.entered_on from ledger_entry e
     where e.tenant_id = ${invoice}.tenant_id and e.invoice_id = ${invoice}.id
       and e.kind = 'invoiceCancelled') end`;

const insertCancellations = `with ${takenNumbers('$2')}
  ${insertText({
    into: Cancellation,
    columns: ['invoiceId'],
    besides: placed,
    rows: '$3',
    values: { ...numberColumns, cancellationNumber: numberText },
  })}`;

interface Cancelling {
  readonly today: IsoDate;
  readonly numbering: Numbering;
}

/** The counter stays locked until the commit, so this comes last. */
export function numberCancellations(
  tx: Tx,
  invoiceIds: readonly number[],
  { today, numbering }: Cancelling,
): void {
  if (invoiceIds.length === 0) return;
  const series = seriesOfCredits(numbering);
  const { numbered, counters } = numbersFor(
    invoiceIds.map((invoiceId) => ({ invoiceId })),
    () => ({ series, date: today }),
  );
  const values = [tx.tenantId, counters, JSON.stringify(numbered)];
  tx.send(insertCancellations, values, 'number-cancellations');
}
