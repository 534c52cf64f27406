/** The rows of uploaded usage records. */
import type { RecordInsert } from '../../db/queries/usage/records.ts';
import type { PlacedRecord } from '../../domain/usage/placing.ts';

/**
 * Ordered by reference, those without one last.
 *
 * @param ids one for each record, in their order
 */
export function rowsOf(
  placed: readonly PlacedRecord[],
  ids: readonly number[],
  windowOf: (record: PlacedRecord) => number | null,
): RecordInsert[] {
  const idAt = new Map(placed.map(({ index }, nth) => [index, ids[nth] ?? 0]));
  const rows = placed.map((each) => rowOf(each, idAt, windowOf(each)));
  return rows.toSorted((a, b) => byText(a.ext_ref_id, b.ext_ref_id));
}

function rowOf(
  placed: PlacedRecord,
  idAt: ReadonlyMap<number, number>,
  windowId: number | null,
): RecordInsert {
  const { record, line, corrects } = placed;
  const correctedId =
    corrects === null ? null : 'id' in corrects ? corrects.id : (idAt.get(corrects.index) ?? null);
  return {
    id: idAt.get(placed.index) ?? 0,
    customer_id: line.order.customerId,
    order_line_id: line.id,
    window_id: windowId,
    ext_ref_id: record.extRefId,
    quantity: placed.quantity,
    amount: placed.amount,
    unit_price: placed.unitPrice,
    charge_date: placed.chargeDate,
    charge_end_date: record.chargeEndDate,
    invoice_text: record.invoiceText,
    corrects_id: correctedId,
    amount_is_share: placed.amountIsShare,
    corrects_billed: placed.correctsBilled,
    corrected_percent: placed.correctedPercent,
  };
}

function byText(left: string | null, right: string | null): number {
  if (left === right) return 0;
  if (left === null || right === null) return left === null ? 1 : -1;
  return left < right ? -1 : 1;
}
