/** What has to be looked up for an upload of usage: each line, order and customer once. */
import type { OrderName } from '../../domain/usage/lines.ts';
import type { UsageRecord } from '../../domain/usage/records.ts';
import type { CustomerAsked, OrderAsked } from '../../db/queries/usage/lines.ts';

export interface Asked {
  readonly lines: readonly number[];
  /** By `orderKey`. */
  readonly orders: ReadonlyMap<string, OrderAsked>;
  /** By `customerKey`. */
  readonly customers: ReadonlyMap<string, CustomerAsked>;
  /** The references of the corrected records. */
  readonly corrected: readonly string[];
}

export const orderKey = (name: OrderName): string =>
  'id' in name ? `id ${name.id}` : `number ${name.number}`;

export function customerKey({ customerId, extCustomerRef, priceCode }: UsageRecord): string {
  return `${customerId ?? `ref ${extCustomerRef}`}\n${priceCode}`;
}

export function askedOf(records: readonly UsageRecord[], ofCall: OrderName | null): Asked {
  const lines = new Set<number>();
  const corrected = new Set<string>();
  const orders = new Map<string, OrderDraft>();
  const customers = new Map<string, CustomerAsked>();
  const orderAsked = (name: OrderName) => {
    const key = orderKey(name);
    let asked = orders.get(key);
    if (!asked) orders.set(key, (asked = { ...numbered(name), place: orders.size, ...noLines() }));
    return asked;
  };
  if (ofCall !== null) orderAsked(ofCall);
  for (const record of records) {
    const { lineId, orderId, orderNumber, priceCode, correctsExtRefId } = record;
    if (correctsExtRefId !== null) corrected.add(correctsExtRefId);
    if (lineId !== null) {
      lines.add(lineId);
      continue;
    }
    const own = orderId === null ? orderNumber : null;
    const name = orderId !== null ? { id: orderId } : own === null ? ofCall : { number: own };
    if (name !== null) {
      const asked = orderAsked(name);
      if (priceCode === null) asked.alone = true;
      else asked.codes.add(priceCode);
    } else if (priceCode !== null && namesCustomer(record)) {
      const key = customerKey(record);
      if (!customers.has(key)) {
        customers.set(key, customerAsked(record, { place: customers.size, code: priceCode }));
      }
    }
  }
  return { lines: [...lines], orders: plain(orders), customers, corrected: [...corrected] };
}

interface OrderDraft extends Omit<OrderAsked, 'codes' | 'alone'> {
  readonly codes: Set<string>;
  alone: boolean;
}

function namesCustomer({ customerId, extCustomerRef }: UsageRecord): boolean {
  return customerId !== null || extCustomerRef !== null;
}

const noLines = () => ({ codes: new Set<string>(), alone: false });

/** Other text than a number is the number of no order. */
function numbered(name: OrderName): { readonly id: number | null; readonly number: number | null } {
  if ('id' in name) return { id: name.id, number: null };
  return { id: null, number: /^[1-9]\d{0,14}$/.test(name.number) ? Number(name.number) : null };
}

function customerAsked(
  { customerId, extCustomerRef }: UsageRecord,
  asked: Omit<CustomerAsked, 'id' | 'ref'>,
): CustomerAsked {
  return { ...asked, id: customerId, ref: customerId === null ? extCustomerRef : null };
}

function plain(orders: ReadonlyMap<string, OrderDraft>): ReadonlyMap<string, OrderAsked> {
  return new Map([...orders].map(([key, asked]) => [key, { ...asked, codes: [...asked.codes] }]));
}
