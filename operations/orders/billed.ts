/** Whether an order has billed anything, which fixes most of its fields. */
import { standsOf } from '../../db/queries/context/billed.ts';
import type { OperationContext } from '../context/context.ts';

/** An order of free one-time charges also counts as billed, although it has no invoice. Windows that closed empty do not. */
export async function wasBilled(
  { tx }: Pick<OperationContext, 'tx'>,
  orderId: number,
): Promise<boolean> {
  const [row] = await tx.query<{ billed: boolean }>(
    `select exists (select from invoice_line where order_id = $1) or exists (
       select from order_line l join billed b on ${standsOf('l')} where l.order_id = $1) as billed`,
    [orderId],
    'order-was-billed',
  );
  return row?.billed ?? false;
}
