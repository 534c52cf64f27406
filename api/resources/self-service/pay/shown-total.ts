/** What a form of payment signs, and what whoever sends it has seen: invoices, and what was open of each. */
import { createHash } from 'node:crypto';
import { formatAmount, sum } from '../../../../domain/money/money.ts';
import { type NamedOpen, PAYABLE_MAX } from '../../../../operations/self-service/payable.ts';
import type { SubmittedForm } from '../../../calls/page-route.ts';

/** `EUR 44.10 kQ0c..`, which is at most 100 bytes long. */
export function shownTotal(invoices: readonly NamedOpen[]): string {
  const currency = invoices[0]?.currency ?? '';
  const each = invoices.map((invoice) => `${invoice.id} ${openOf(invoice)}`).toSorted();
  const hash = createHash('sha256').update(each.join('\n')).digest('base64url');
  return `${currency} ${totalOf(invoices)} ${hash}`;
}

/** In the currency of the first, which all of them have. */
export function totalOf(invoices: readonly NamedOpen[]): string {
  const currency = invoices[0]?.currency;
  if (currency === undefined) return '0';
  const total = sum(invoices.map(({ open }) => open));
  return formatAmount(currency, total);
}

/** With the currency, of which two invoices of a form may differ. */
const openOf = ({ currency, open }: NamedOpen): string =>
  `${formatAmount(currency, open)} ${currency}`;

/** The name of an invoice's box, whose value is the amount beside it. */
export const boxName = (id: number): string => `invoice-${id}`;

/** What the page showed of each invoice whose box is ticked. */
export function tickedIn({ fields }: Pick<SubmittedForm, 'fields'>): NamedOpen[] {
  const currency = fields.get('currency') ?? '';
  const ticked = [...fields].flatMap(([name, open]) => {
    const [, id] = /^invoice-([1-9]\d{0,14})$/.exec(name) ?? [];
    return id === undefined || !isAmount(open) ? [] : [{ id: Number(id), open, currency }];
  });
  return ticked.length > PAYABLE_MAX || !/^[A-Z]{3}$/.test(currency) ? [] : ticked;
}

const isAmount = (text: string): boolean => /^\d{1,15}(\.\d{1,6})?$/.test(text);

/**
 * Whether the button showed the total of these boxes: the total that the form signs, or, after a
 * change of boxes, that which the script has put on the button and into the field `total`.
 */
export function isSeen(ticked: readonly NamedOpen[], { fields, shown }: SubmittedForm): boolean {
  return shownTotal(ticked) === shown || fields.get('total') === totalOf(ticked);
}
