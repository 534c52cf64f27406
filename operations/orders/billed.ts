/** Whether an order has billed anything, which fixes most of its fields. */
import type { OperationContext } from '../context/context.ts';

/** An order of free one-time charges also counts as billed, although it has no invoice. */
export async function wasBilled(
  { tx }: Pick<OperationContext, 'tx'>,
  orderId: number,
): Promise<boolean> {
  const [row] = await tx.query<{ billed: boolean }>(
    `select exists (select from invoice_line where order_id = $1) or exists (
       select from billed_period b
       join order_line l on l.tenant_id = b.tenant_id and l.id = b.order_line_id
       where l.order_id = $1) as billed`,
    [orderId],
    'order-was-billed',
  );
  return row?.billed ?? false;
}
