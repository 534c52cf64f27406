/** Stores and reads what tax providers answered, by customer and document. */
import type { IsoDate } from '../../../domain/calendar/date.ts';
import type { Tx } from '../../connection/tenancy.ts';
import { inserting } from '../context/insertion.ts';
import { TaxAnswer } from '../../entities/taxes.ts';
import type { RowOf } from '../../entities/rows.ts';

export type StoredAnswer = RowOf<typeof TaxAnswer, 'customerId' | 'documentHash' | 'answer'>;

/** Those to documents of these customers of that day and later. */
export function readTaxAnswers(
  tx: Tx,
  customerIds: readonly number[],
  from: IsoDate,
): Promise<StoredAnswer[]> {
  return tx.query<StoredAnswer & Record<string, unknown>>(
    `select customer_id, document_hash, answer
     from tax_answer where tenant_id = $1 and customer_id = any($2) and invoice_date >= $3`,
    [tx.tenantId, customerIds, from],
    'tax-answers',
  );
}

/** A later answer to the same document takes the place of an earlier one. */
export const writeTaxAnswers = inserting('write-tax-answers', {
  into: TaxAnswer,
  columns: ['customerId', 'invoiceDate', 'documentHash', 'answer'],
  // In one order, so that two processes that ask the same do not deadlock.
  ending: `order by 2, 3, 4
    on conflict (tenant_id, customer_id, invoice_date, document_hash)
      do update set answer = excluded.answer, answered_at = excluded.answered_at`,
});
