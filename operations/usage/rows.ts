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
  return rows.toSorted((a, b) => byText(a.extRefId, b.extRefId));
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
    customerId: line.order.customerId,
    orderLineId: line.id,
    windowId,
    extRefId: record.extRefId,
    quantity: placed.quantity,
    amount: placed.amount,
    unitPrice: placed.unitPrice,
    chargeDate: placed.chargeDate,
    chargeEndDate: record.chargeEndDate,
    invoiceText: record.invoiceText,
    correctsId: correctedId,
    amountIsShare: placed.amountIsShare,
    correctsBilled: placed.correctsBilled,
    correctedPercent: placed.correctedPercent,
  };
}

function byText(left: string | null, right: string | null): number {
  if (left === right) return 0;
  if (left === null || right === null) return left === null ? 1 : -1;
  return left < right ? -1 : 1;
}
