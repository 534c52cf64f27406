/** What a form of payment signs: the invoices that its page showed, and what was open of each. */
import { createHash } from 'node:crypto';
import { formatAmount, sum } from '../../../../domain/money/money.ts';
import type { NamedOpen } from '../../../../operations/self-service/payable.ts';

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
