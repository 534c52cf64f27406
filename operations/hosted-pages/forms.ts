/** Keys of forms: each form stores something once. */
import type { Tx } from '../../db/connection/tenancy.ts';
import { pruneOldest } from '../../db/queries/context/prune.ts';
import type { OperationContext } from '../context/context.ts';
import { oneRow } from '../../db/queries/context/insertion.ts';
import { UsedForm } from '../../db/entities/hosted-pages.ts';

/** A form is taken within an hour of its page; a key that is older is refused by its signature. */
const KEPT_HOURS = 2;
/** For each form that stores something. */
const PRUNED_MAX = 10;

/** False if the form has stored something before. */
const formRow = oneRow({
  into: UsedForm,
  columns: ['key', 'usedAt'],
  ending: 'on conflict do nothing returning 1',
});

export async function useForm(
  { tx, realNow }: Pick<OperationContext, 'tx' | 'realNow'>,
  key: string,
): Promise<boolean> {
  const until = new Date(realNow.getTime() - KEPT_HOURS * 3_600_000);
  pruneOldest(tx, { table: 'used_form', key: 'key', at: 'used_at', until, max: PRUNED_MAX });
  const values = formRow.values(tx.tenantId, { key, usedAt: realNow });
  const used = await tx.query(formRow.text, values, 'use-form');
  return used.length > 0;
}

/** What a form has made and leads to, in the transaction that uses it. */
export function noteFormInvoices(
  { tx }: Pick<OperationContext, 'tx'>,
  key: string,
  invoiceIds: readonly number[],
): void {
  tx.send(
    'update used_form set invoice_ids = $3 where tenant_id = $1 and key = $2',
    [tx.tenantId, key, invoiceIds],
    'note-form-invoices',
  );
}

/** Null if the form has stored nothing yet. */
export async function invoicesOfForm(tx: Tx, key: string): Promise<readonly number[] | null> {
  const [used] = await tx.query<{ ids: number[] }>(
    'select invoice_ids as ids from used_form where tenant_id = $1 and key = $2',
    [tx.tenantId, key],
    'invoices-of-form',
  );
  return used?.ids ?? null;
}

/** Whether a form has stored something; a repeat of it then leads where the first one led. */
export async function wasFormUsed(tx: Tx, key: string): Promise<boolean> {
  const used = await tx.query(
    'select from used_form where tenant_id = $1 and key = $2',
    [tx.tenantId, key],
    'was-form-used',
  );
  return used.length > 0;
}
