/** What a file of customers meets, and what it brings besides them: passwords and old balances. */
import type { Tx } from '../../connection/tenancy.ts';
import { PasswordToHash } from '../../entities/imports.ts';
import { CustomerBalance, LedgerEntry } from '../../entities/payments.ts';
import { inserting } from '../context/insertion.ts';

/** The ids of customers by their reference. */
export async function readByReference(
  tx: Tx,
  references: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await tx.query<{ id: number; reference: string }>(
    `select id, ext_customer_ref as reference from customer
     where tenant_id = $1 and ext_customer_ref = any($2)`,
    [tx.tenantId, references],
    'customers-by-reference',
  );
  return new Map(rows.map(({ id, reference }) => [reference, id]));
}

/** The customers by whose billing contacts these user names are taken. */
export async function readLoginOwners(
  tx: Tx,
  logins: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (logins.length === 0) return new Map();
  const rows = await tx.query<{ login: string; customerId: number }>(
    'select login, customer_id from contact where tenant_id = $1 and login = any($2)',
    [tx.tenantId, logins],
    'login-owners',
  );
  return new Map(rows.map(({ login, customerId }) => [login, customerId]));
}

/** Replaces what waits for the same contact. */
export const insertSealed = inserting('insert-sealed-passwords', {
  into: PasswordToHash,
  columns: ['contactId', 'batchId', 'sealed'],
  ending: `on conflict (tenant_id, contact_id)
    do update set sealed = excluded.sealed, batch_id = excluded.batch_id`,
});

export const insertOpenings = inserting('insert-opening-balances', {
  into: LedgerEntry,
  columns: ['customerId', 'currency', 'amount', 'paymentId'],
  values: { kind: `'openingBalance'` },
  at: { enteredOn: 'today', enteredAt: 'now' },
});

/** Adds to balances, and makes those that a customer lacks. */
export const addToBalances = inserting('add-to-balances', {
  into: CustomerBalance,
  columns: ['customerId', 'currency', 'balance'],
  ending: `on conflict (tenant_id, customer_id, currency)
    do update set balance = customer_balance.balance + excluded.balance`,
});
