/** Stores and reads what tax providers answered, by customer and document. */
import type { IsoDate } from '../../../domain/calendar/date.ts';
import type { TaxAnswer } from '../../../domain/tax/documents.ts';
import type { Tx } from '../../connection/tenancy.ts';

export interface StoredAnswer {
  readonly customerId: number;
  readonly documentHash: string;
  readonly answer: TaxAnswer;
}

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
export function writeTaxAnswers(
  tx: Tx,
  answers: readonly (StoredAnswer & { readonly invoiceDate: IsoDate })[],
): void {
  tx.send(
    `insert into tax_answer (tenant_id, customer_id, invoice_date, document_hash, answer)
     select $1, r."customerId", r."invoiceDate", r."documentHash", r.answer
     from json_to_recordset($2) as r("customerId" bigint, "invoiceDate" date,
       "documentHash" text, answer jsonb)
     -- In one order, so that two processes that ask the same do not deadlock.
     order by 2, 3, 4
     on conflict (tenant_id, customer_id, invoice_date, document_hash)
       do update set answer = excluded.answer, answered_at = excluded.answered_at`,
    [tx.tenantId, JSON.stringify(answers)],
    'write-tax-answers',
  );
}
