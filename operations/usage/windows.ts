/** Holds the windows that uploaded records need, and counts the unit prices in them. */
import type { Tx } from '../../db/connection/tenancy.ts';
import { holdWindows, inOrderOfLocks, pricesOfWindows } from '../../db/queries/usage/windows.ts';
import type { PricesOfWindow, WindowKey } from '../../db/queries/usage/windows.ts';
import type { CorrectableRow } from '../../db/queries/usage/records.ts';
import type { Decimal } from '../../domain/money/decimal.ts';
import { windowsOfLine } from '../../domain/usage/line-windows.ts';
import type { FaultOfRecord, PlacedRecord } from '../../domain/usage/placing.ts';
import { fault } from '../../domain/usage/records.ts';

/** Each unit price of a window becomes a charge of an invoice. */
const UNIT_PRICES_MAX = 500;

const textOf = ({ line, period }: WindowKey): string => `${line} ${period}`;

/** Names the window of a record. */
export const keyOf = ({ line, periodIndex }: PlacedRecord): string => `${line.id} ${periodIndex}`;

/**
 * The windows of the records, and the first open one of each line: while an upload holds that one,
 * billing closes no later window of the line, so not the line's last one either. With those that
 * billed what is corrected, which no rollback opens meanwhile.
 */
export function neededWindows(
  placed: readonly PlacedRecord[],
  correctable: readonly CorrectableRow[],
  graceDays: number,
): NeededWindow[] {
  const needed = new Map<string, NeededWindow>();
  const lines = new Set<PlacedRecord['line']>();
  const add = (key: NeededWindow): void => void needed.set(textOf(key), key);
  for (const { line, periodIndex } of placed) {
    if (periodIndex === null) continue;
    add({ line: line.id, period: periodIndex });
    if (lines.has(line)) continue;
    lines.add(line);
    add({ line: line.id, period: windowsOfLine(line, graceDays).firstOpen });
  }
  for (const { lineId: line, periodIndex, isBilled } of correctable) {
    if (isBilled && periodIndex !== null) add({ line, period: periodIndex, isBilled });
  }
  return inOrderOfLocks(needed.values());
}

interface NeededWindow extends WindowKey {
  /** It takes no record: it billed some that are corrected. */
  readonly isBilled?: boolean;
}

export interface HeldWindows {
  /** By `keyOf`. */
  readonly ids: ReadonlyMap<string, number>;
  readonly prices: readonly PricesOfWindow[];
}

/** Null if one of them was billed meanwhile. */
export async function windowsOf(
  tx: Tx,
  needed: readonly NeededWindow[],
  placed: readonly PlacedRecord[],
): Promise<HeldWindows | null> {
  const priced = new Set(placed.filter(hasOwnPrice).map(keyOf));
  const [windows, prices] = await Promise.all([
    holdWindows(tx, needed),
    pricesOfWindows(
      tx,
      needed.filter((key) => priced.has(textOf(key))),
      UNIT_PRICES_MAX,
    ),
  ]);
  const billed = new Set(needed.filter(({ isBilled = false }) => isBilled).map(textOf));
  const isLate = windows.some((window) => window.isClosed && !billed.has(textOf(window)));
  if (windows.length < needed.length || isLate) return null;
  return { ids: new Map(windows.map((window) => [textOf(window), window.id])), prices };
}

const hasOwnPrice = ({ unitPrice, amount }: PlacedRecord): boolean =>
  unitPrice !== null && amount === null;

/** The records whose unit price would be one too many in their window. */
export function refusePrices(
  placed: readonly PlacedRecord[],
  stored: readonly PricesOfWindow[],
): FaultOfRecord[] {
  const prices = new Map<string, Set<Decimal>>(
    stored.map((window) => [textOf(window), new Set(window.prices)]),
  );
  return placed.filter(hasOwnPrice).flatMap((each) => {
    const { index, unitPrice } = each;
    const ofWindow = prices.get(keyOf(each));
    if (unitPrice === null || !ofWindow || ofWindow.has(unitPrice)) return [];
    if (ofWindow.size < UNIT_PRICES_MAX) {
      ofWindow.add(unitPrice);
      return [];
    }
    const message = `a window has at most ${UNIT_PRICES_MAX} unit prices; ${unitPrice} is one more`;
    return [{ index, ...fault('field.invalid', 'unitPrice', message, unitPrice) }];
  });
}
