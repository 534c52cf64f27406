/** Inserts customers and invoices as an import stores them, for tests of what happens to them later. */
import { freezeCustomers } from '../../../db/queries/parties/parties.ts';
import { negate, add, compare, type Decimal } from '../../../domain/money/money.ts';
import type { IsoDate } from '../../../domain/calendar/calendar.ts';
import { takeIds } from '../../../db/queries/billing/write.ts';
import {
  insertedRows,
  insertPaymentsText,
  newCredit,
} from '../../../db/queries/payments/new-payments.ts';
import { reviewDebts } from '../../../operations/ageing/dunning.ts';
import { allocateUnapplied } from '../../../operations/collection/carry-out.ts';
import { lockCustomer } from '../../../operations/context/locks.ts';
import type { OperationContext } from '../../../operations/context/context.ts';

export interface ImportedInvoice {
  readonly customerId: number;
  readonly number: string;
  /** The amount of its one line. */
  readonly amount: Decimal;
  /** What was paid before, 0 or less. */
  readonly paid?: Decimal;
  readonly dueDate: IsoDate;
  /** The dueDate by default. */
  readonly invoiceDate?: IsoDate;
  readonly currency?: string;
  readonly orderNumber?: string;
  readonly contractCode?: string;
}

/** Returns its id. Unapplied money meets it, and what is overdue opens a dunning. */
export async function importInvoice(
  context: OperationContext,
  given: ImportedInvoice,
): Promise<number> {
  const { tx } = context;
  const { customerId, amount } = given;
  await lockCustomer(tx, { id: customerId });
  const [id = 0, lineId = 0] = await takeIds(tx, 2);
  const total = add(amount, given.paid ?? '0');
  await insertInvoice(context, { ...given, id, total });
  await insertLine(context, { ...given, id, lineId });
  const entered = { id, customerId, currency: given.currency ?? 'USD', amount: total };
  await enter(context, { ...entered, kind: 'import' });
  await allocateUnapplied(context, [customerId]);
  await reviewDebts(context, [customerId], { isMovedIn: true });
  return id;
}

interface Stored extends ImportedInvoice {
  readonly id: number;
}

function insertInvoice(
  { tx, time }: OperationContext,
  { id, total, ...given }: Stored & { readonly total: Decimal },
): Promise<unknown> {
  freezeCustomers(tx, [given.customerId]);
  return tx.query(
    `insert into invoice (tenant_id, id, invoice_number, is_imported, status, customer_id, currency,
       invoice_date, due_date, previous_balance, payments_and_adjustments, current_amount_due,
       total_due, outstanding_balance, is_auto_pay, created_at, updated_at, customer_party_id,
       tenant_party_id)
     select $1, $2, $3, true, $4, c.id, $6, $7, $8, 0, $9, $10, $11, $11, false, $12, $12, c.party_id,
       t.party_id
     from customer c, tenant t where c.tenant_id = $1 and c.id = $5 and t.id = $1`,
    [
      tx.tenantId,
      id,
      given.number,
      compare(total, '0') > 0 ? 'Outstanding' : 'Paid',
      given.customerId,
      given.currency ?? 'USD',
      given.invoiceDate ?? given.dueDate,
      given.dueDate,
      given.paid ?? '0',
      given.amount,
      total,
      time.now,
    ],
  );
}

async function insertLine(
  { tx, time }: OperationContext,
  { id, lineId, ...given }: Stored & { readonly lineId: number },
): Promise<void> {
  await tx.query(
    `insert into invoice_line (tenant_id, id, invoice_id, position, contract_code,
       imported_order_number, invoice_text, line_amount_total)
     values ($1, $2, $3, 1, $4, $5, 'As before', $6)`,
    [tx.tenantId, lineId, id, given.contractCode ?? null, given.orderNumber ?? null, given.amount],
  );
  await tx.query(
    `insert into invoice_charge (tenant_id, invoice_line_id, position, kind, is_percent,
       charge_date, unit_price, quantity, amount)
     values ($1, $2, 1, 'manual', false, $3, $4, 1, $4)`,
    [tx.tenantId, lineId, time.today, given.amount],
  );
}

export interface ImportedCustomer {
  readonly ref?: string;
  readonly currency?: string;
  /** A debt is above 0, a credit below. */
  readonly openingBalance?: Decimal;
}

/** Returns its id. */
export async function importCustomer(
  context: OperationContext,
  { ref, currency = 'USD', openingBalance }: ImportedCustomer = {},
): Promise<number> {
  const { tx, time } = context;
  const [id = 0, batchId = 0] = await takeIds(tx, 2);
  await tx.query(
    `insert into customer (tenant_id, id, name, status, ext_customer_ref, currency, imported_by,
       created_at, updated_at)
     values ($1, $2, 'An imported customer', 'Active', $3, $4, $5, $6, $6)`,
    [tx.tenantId, id, ref ?? null, currency, batchId, time.now],
  );
  if (openingBalance !== undefined) {
    await openBalance(context, { customerId: id, currency, amount: openingBalance });
  }
  return id;
}

interface Opened {
  readonly customerId: number;
  readonly currency: string;
  readonly amount: Decimal;
}

/** A debit, or a credit that is not applied, of the day. */
async function openBalance(context: OperationContext, opened: Opened): Promise<void> {
  const { tx, time } = context;
  const row = newCredit(negate(opened.amount), {
    customerId: opened.customerId,
    currency: opened.currency,
    effectiveDate: time.today,
  });
  freezeCustomers(tx, [opened.customerId]);
  const [made] = await tx.query<{ id: number }>(`${insertPaymentsText} returning id`, [
    tx.tenantId,
    time.now,
    insertedRows([row]),
  ]);
  await enter(context, { ...opened, id: made?.id ?? 0, kind: 'openingBalance' });
}

interface Entered extends Opened {
  readonly kind: 'import' | 'openingBalance';
  /** The invoice, or the debit or credit. */
  readonly id: number;
}

async function enter({ tx, time }: OperationContext, entered: Entered): Promise<void> {
  const { customerId, currency, kind, amount, id } = entered;
  const column = kind === 'import' ? 'invoice_id' : 'payment_id';
  await tx.query(
    `with entered as (
       insert into ledger_entry (tenant_id, customer_id, currency, kind, amount, ${column},
         entered_on, entered_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8) returning customer_id, currency, amount)
     insert into customer_balance (tenant_id, customer_id, currency, balance)
     select $1, customer_id, currency, amount from entered
     on conflict (tenant_id, customer_id, currency)
     do update set balance = customer_balance.balance + excluded.balance`,
    [tx.tenantId, customerId, currency, kind, amount, id, time.today, time.now],
  );
}
