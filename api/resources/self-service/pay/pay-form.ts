/** Reads and checks what a form of payment takes; it calls nobody. */
import type { IsoDate } from '../../../../domain/calendar/calendar.ts';
import { isExpired } from '../../../../domain/payments/cards.ts';
import type { FiledMethod } from '../../../../operations/payment-methods/methods-on-file.ts';
import { type NamedOpen, PAYABLE_MAX } from '../../../../operations/self-service/payable.ts';
import type { FormFields } from '../../../calls/route-types.ts';
import { enteredIn } from '../../../../domain/payments/debits.ts';
import type { TenantInfo } from '../../../../operations/context/context.ts';
import type { EnteredMethod } from '../../../../domain/payments/gateway-settings.ts';
import { type NewMethod, readNewMethod } from '../../../pages/new-method.ts';
import { noting } from '../../../pages/form.ts';
import type { PageProblem } from '../../../pages/view.ts';
import { fill } from '../../../../domain/text/fill.ts';
import type { Messages, PayWords } from '../../../../domain/text/messages.ts';
import { createHash } from 'node:crypto';
import { formatAmount, sum } from '../../../../domain/money/money.ts';
import type { SubmittedForm } from '../../../calls/page-route.ts';

/** What chooses a card that is typed in. */
export const NEW_CARD = 'new';

/** By what is paid. */
export type PaidBy =
  | { readonly by: 'new'; readonly method: NewMethod; readonly isSaved: boolean }
  | { readonly by: 'filed'; readonly method: FiledMethod };

export interface ReadPay {
  /** Undefined if something is at fault. */
  readonly paidBy: PaidBy | undefined;
  readonly problems: readonly PageProblem[];
}

export interface Offered {
  readonly methods: readonly FiledMethod[];
  readonly today: IsoDate;
  readonly tenant: TenantInfo;
  /** What can be entered instead. */
  readonly taken: readonly EnteredMethod[];
}

export function readPay(fields: FormFields, { methods, ...taking }: Offered): ReadPay {
  const { today } = taking;
  const { problems, refuse } = noting();
  const chosen = fields.get('method') ?? '';
  if (chosen === NEW_CARD) {
    const method = readNewMethod(fields, taking, refuse);
    const isSaved = fields.has('savePaymentMethod');
    return { paidBy: problems.length > 0 ? undefined : { by: 'new', method, isSaved }, problems };
  }
  const method = methods.find(({ id }) => String(id) === chosen);
  if (method !== undefined && isUsable(method, today)) {
    return { paidBy: { by: 'filed', method }, problems };
  }
  refuse('method', chosen === '' ? 'choose' : 'method.gone');
  return { paidBy: undefined, problems };
}

/** What can be entered to pay in a currency; where none is said, that of the tenant. */
export function takenIn(
  { call: { tenant } }: TakingPage,
  currency: string | null | undefined,
): readonly EnteredMethod[] {
  return enteredIn(currency ?? tenant.currency, tenant.gatewaySettings.methods);
}

interface TakingPage {
  readonly call: { readonly tenant: Pick<TenantInfo, 'currency' | 'gatewaySettings'> };
}

export const isUsable = ({ expiry }: FiledMethod, today: IsoDate): boolean =>
  expiry === null || !isExpired(expiry, today);

/** Ids with commas between, as the page writes them; none of anything else. */
export function readIds(text: string): number[] {
  if (!/^[1-9]\d{0,14}(,[1-9]\d{0,14})*$/.test(text)) return [];
  const ids = [...new Set(text.split(',').map(Number))];
  return ids.length > PAYABLE_MAX ? [] : ids;
}

/* How a payment method on file is named: never by more of its number than the end. */

/** `Visa ending in 1111` */
export function methodName(
  { type, brand, lastFour, debit, country }: FiledMethod,
  { pay, method, page }: Pick<Messages, 'pay' | 'method' | 'page'>,
): string {
  const kind = debit === null ? method[type] : page.method.kinds[debit];
  const name = brand ?? (country === null ? kind : `${kind} ${country}`);
  return lastFour === null ? name : fill(pay.masked, { name, end: lastFour });
}

/** `expires 12/2029`, as it stands on the card; null where nothing expires. */
export function expiryText(method: FiledMethod, own: PayWords, today: IsoDate): string | null {
  const { expiry } = method;
  if (expiry === null) return null;
  const [year = '', month = ''] = expiry.split('-');
  return fill(isUsable(method, today) ? own.expires : own.expired, { date: `${month}/${year}` });
}

/* What a form of payment signs, and what whoever sends it has seen: invoices, and what was open of each. */

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
