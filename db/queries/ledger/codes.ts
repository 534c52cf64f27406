/** The codes of a tenant's accounts, as its file had them. */
import type { AccountingCodes as Codes } from '../../../domain/ledger/accounts.ts';
import type { Tx } from '../../connection/tenancy.ts';
import { AccountingCodes } from '../../entities/payments.ts';
import { inserting } from '../context/insertion.ts';

/** The newest ones; undefined if the tenant's file has never had any. */
export async function readCodes(tx: Tx): Promise<Codes | undefined> {
  const [row] = await tx.query<{ codes: Codes }>(
    'select codes from accounting_codes where tenant_id = $1 order by id desc limit 1',
    [tx.tenantId],
    'accounting-codes',
  );
  return row?.codes;
}

export const insertCodes = inserting('insert-accounting-codes', {
  into: AccountingCodes,
  columns: ['codes'],
});
