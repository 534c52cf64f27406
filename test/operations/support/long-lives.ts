/** Orders with as many lines and billed periods as a test needs, written by plain SQL. */
import type { Tx } from '../../../db/connection/tenancy.ts';

export interface LongLife {
  readonly customerId: number;
  /** An order of one line, whose plan has one charge. */
  readonly orderId: number;
  readonly lines: number;
  readonly periods: number;
}

/**
 * Copies the order's line, and bills each line for each period: one invoice a period, 2.50 a line.
 */
export async function liveLong(tx: Tx, life: LongLife): Promise<void> {
  const { customerId, orderId, lines, periods } = life;
  await tx.query(
    `insert into order_line (tenant_id, order_id, position, charge_id, quantity, is_active, next_period_index,
       created_at, updated_at)
     select tenant_id, order_id, n, charge_id, quantity, is_active, $3, created_at, updated_at
     from order_line, generate_series(2, $2::int) n where order_id = $1`,
    [orderId, lines, periods],
  );
  await tx.query(
    `with taken as (update counter set next = next + $3 where kind = 'invoice'
       returning next - $3 as first)
     insert into invoice (tenant_id, invoice_number, number_prefix, number_year, number_value, status, customer_id, currency, invoice_date,
       due_date, previous_balance, payments_and_adjustments, current_amount_due, total_due,
       outstanding_balance, created_at, updated_at)
     select $1, taken.first + k, '', 0, taken.first + k, 'Outstanding', $2, 'USD', '2027-01-01', '2027-01-01', 0, 0,
       2.5 * $4, 2.5 * $4, 2.5 * $4, now(), now()
     from taken, generate_series(0, $3 - 1) k`,
    [tx.tenantId, customerId, periods, lines],
  );
  await tx.query(
    `insert into invoice_line (tenant_id, invoice_id, position, order_id, line_amount_total)
     select tenant_id, id, 1, $2, current_amount_due from invoice where customer_id = $1`,
    [customerId, orderId],
  );
  await tx.query(
    `insert into billed_period (tenant_id, order_line_id, charge_id, period_index, segment, billed_from,
       billed_to, invoice_id)
     select l.tenant_id, l.id, l.charge_id, row_number() over (partition by l.id order by n.id) - 1,
       0, '2027-01-01', '2027-01-31', n.invoice_id
     from order_line l join invoice_line n on n.order_id = l.order_id where l.order_id = $1`,
    [orderId],
  );
  await tx.query(
    `insert into invoice_charge (tenant_id, invoice_line_id, position, kind, order_line_id,
       charge_id, billed_period_id, is_percent, charge_date, amount)
     select n.tenant_id, n.id, l.position, 'period', b.order_line_id, b.charge_id, b.id, false,
       '2027-01-01', 2.5
     from invoice_line n join billed_period b on b.invoice_id = n.invoice_id
     join order_line l on l.id = b.order_line_id where n.order_id = $1`,
    [orderId],
  );
}
