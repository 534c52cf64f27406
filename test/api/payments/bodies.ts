/** Bodies of payments, their customer, and the rows that they must not change. */
import type { ExecutionContext } from 'ava';
import { maskCardNumbers } from '../../../domain/payments/card-masking.ts';
import { type TenantApi, valueOf } from '../tenant-api.ts';
import type { Received } from '../support.ts';

export const VISA = '4111111111111111';

export interface CardOptions {
  readonly number?: string;
  readonly expiry?: string;
  /** Further elements of the container. */
  readonly more?: string;
}

export function card({
  number = VISA,
  expiry = '2029-12-31',
  more = '',
}: CardOptions = {}): string {
  return dto(
    'CreditCard',
    `<creditCardPaymentMethod><cardNumber>${number}</cardNumber><expiry>${expiry}</expiry>` +
      `<cvv>123</cvv>${more}</creditCardPaymentMethod>`,
  );
}

export function account(number = '000123456789', aba = '021000021', more = ''): string {
  return dto(
    'ACH',
    `<achPaymentMethod><abaRoutingNumber>${aba}</abaRoutingNumber>` +
      `<accountNumber>${number}</accountNumber>${more}</achPaymentMethod>`,
  );
}

export const token = (name = 'tok_ok', more = ''): string =>
  dto('Token', `<tokenPaymentMethod><token>${name}</token>${more}</tokenPaymentMethod>`);

export const check = (more = ''): string =>
  dto('Check', `<checkPaymentMethod><checkNumber>10077</checkNumber>${more}</checkPaymentMethod>`);

export const cash = (more = ''): string =>
  dto('Cash', `<cashPaymentMethod>${more}</cashPaymentMethod>`);

export const dto = (type: string, inner: string): string =>
  `<paymentMethodDTO type="${type}">${inner}</paymentMethodDTO>`;

export const amount = (value: string): string => `<amount>${value}</amount>`;

export const pay = (inner: string): string => `<processPayment>${inner}</processPayment>`;

export const payWithAutopay = (inner: string): string =>
  `<processPaymentWithAutopay>${inner}</processPaymentWithAutopay>`;

export const invoices = (...ids: readonly string[]): string =>
  `<invoices>${ids.map((id) => `<invoice id="${id}"/>`).join('')}</invoices>`;

export const autopay = (method: string): string => `<autopay>${method}</autopay>`;

/** Returns the id. */
export async function makeCustomer(own: TenantApi, reference = 'C1'): Promise<string> {
  const body =
    `<customer><extCustomerRef>${reference}</extCustomerRef>` +
    `<billingContact><firstName>Ada</firstName></billingContact></customer>`;
  return idOf(await own.post('/customers', body));
}

export interface InvoiceOptions {
  readonly of?: string;
  readonly due?: string;
  readonly currency?: string;
}

/** By hand; returns the id. */
export async function makeInvoice(
  own: TenantApi,
  value: string,
  { of = 'C1', due = '2027-01-31', currency = 'USD' }: InvoiceOptions = {},
): Promise<string> {
  const charge = `<invoiceLineItemCharge><amount>${value}</amount></invoiceLineItemCharge>`;
  const body =
    `<invoice><dueDate>${due}</dueDate><currency id="${currency}"/><invoiceLineItems>` +
    `<invoiceLineItem><invoiceLineItemCharges>${charge}</invoiceLineItemCharges>` +
    '</invoiceLineItem></invoiceLineItems></invoice>';
  return idOf(await own.post(`/invoices?extCustomerRef=${of}`, body));
}

/** The fields of the root element. */
export function idOf(answer: Received): string {
  const id = /^<\?[^>]*>\s*<\w+ id="(\d+)"/.exec(answer.body)?.[1];
  if (id === undefined) throw new Error(answer.body);
  return id;
}

/** Paid at once, by its answer. */
export async function paid(own: TenantApi, body: string, path = '/payments'): Promise<Received> {
  const answer = await own.post(`${path}?extCustomerRef=C1`, body);
  if (answer.status !== 201 || valueOf(answer.body, 'status') !== 'Paid') {
    throw new Error(answer.body);
  }
  return answer;
}

/** The number of rows that payments create in the tenant. */
export async function traces(own: TenantApi): Promise<Readonly<Record<string, number>>> {
  const tables = ['payment', 'payment_method', 'sandbox_method', 'sandbox_transaction'];
  const counts = tables.map(
    (table) => `(select count(*)::int from ${table} where tenant_id = ${own.tenantId}) as ${table}`,
  );
  const [row] = await own.asOwner<Record<string, number>>(`select ${counts.join(', ')}`);
  return row ?? {};
}

/** No answer contains a number of a card or an account. */
export function holdsNoNumber(t: ExecutionContext, text: string): void {
  t.is(maskCardNumbers(text), text);
  t.notRegex(text, /4111111111111112|000123456789|02100002|12AB/);
}
