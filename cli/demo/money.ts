/** The actions of the demo's customers: they pay, are credited, and get refunds. */
import { all, done, text, type RestTarget } from '../rest.ts';
import type { Cast } from './cast.ts';
import { upgrade } from './upgrade.ts';
import { reportLateUsage } from './usage.ts';

const methods = {
  declining: card('4000000000000341', { preference: 1 }),
  good: card('4111111111111111', { preference: 2 }),
  first: card('4111111111111111', { preference: 1 }),
  once: card('5555555555554444'),
  check:
    '<paymentMethodDTO type="Check"><checkPaymentMethod><checkNumber>100233</checkNumber>' +
    '</checkPaymentMethod></paymentMethodDTO>',
};

function card(cardNumber: string, { preference }: { readonly preference?: number } = {}): string {
  const onFile =
    preference === undefined ? '' : `<autopayPreference>${preference}</autopayPreference>`;
  return (
    `<paymentMethodDTO type="CreditCard"><creditCardPaymentMethod>${onFile}` +
    `<cardNumber>${cardNumber}</cardNumber><expiry>2099-12-31</expiry><cvv>123</cvv>` +
    '<cardholderName>Ada Field</cardholderName></creditCardPaymentMethod></paymentMethodDTO>'
  );
}

/** Before the first month. */
export async function putMethodsOnFile(
  target: RestTarget,
  { cascading, inInstallments, quoted, upgrading }: Cast,
): Promise<void> {
  const onFile = [
    [cascading, methods.declining],
    [cascading, methods.good],
    [inInstallments, methods.first],
    [quoted, methods.first],
    [upgrading, methods.first],
  ] as const;
  for (const [id, method] of onFile) {
    const path = `/rest/customer/${id}/autopay?validate=true`;
    await done(target, 'PUT', path, `<autopay>${method}</autopay>`);
  }
}

/** After a month, counted from 1; each action happens once. Returns a description of it. */
export async function act(
  target: RestTarget,
  cast: Cast,
  { month, today }: { readonly month: number; readonly today: string },
): Promise<string | undefined> {
  if (month === 1) {
    const fields = '<amount>5.00</amount><internalNotes>For the late delivery</internalNotes>';
    await book(target, '/rest/credits', cast.credited, fields);
    const change = await upgrade(target, cast.upgrading, today);
    const usage = await reportLateUsage(target, cast.credited);
    return `Bell Voice Ltd is credited 5.00 for a late delivery. ${usage} ${change}`;
  }
  if (month === 2) {
    const first = (await openInvoices(target, cast.refunded)).at(-1);
    if (first === undefined) return undefined;
    const fields =
      `<amount>${first.open}</amount><invoices><invoice id="${first.id}"/></invoices>` +
      methods.once;
    await book(target, '/rest/payments', cast.refunded, fields);
    return `Cassini Observatory pays invoice ${first.number} by card: ${first.open}.`;
  }
  if (month === 3) {
    await book(target, '/rest/refunds', cast.refunded, '<amount>10.00</amount>');
    const fields = `<amount>30.00</amount>${methods.check}`;
    await book(target, '/rest/payments', cast.credited, fields);
    return 'Cassini Observatory gets 10.00 back, and Bell Voice Ltd pays 30.00 by check.';
  }
  const late = await done(target, 'GET', `/rest/customer/${cast.late}`);
  const owed = text(late, 'customerFinancials', 'currentBalance');
  await book(target, '/rest/payments', cast.late, `<amount>${owed}</amount>${methods.once}`);
  return `Dirac Instruments, ${text(late, 'status')} by now, pays all that it owes: ${owed}.`;
}

async function book(
  target: RestTarget,
  path: string,
  customerId: string,
  fields: string,
): Promise<void> {
  const body = `<processPayment><customer id="${customerId}"/>${fields}</processPayment>`;
  await done(target, 'POST', path, body);
}

interface OpenInvoice {
  readonly id: string;
  readonly number: string;
  readonly open: string;
}

/** The latest due date first. */
async function openInvoices(target: RestTarget, customerId: string): Promise<OpenInvoice[]> {
  const path = `/rest/invoices?customerId=${customerId}&status=Outstanding`;
  const listed = await done(target, 'GET', path);
  return all(listed, 'invoice').map((invoice) => ({
    id: text(invoice, '@id'),
    number: text(invoice, 'invoiceNumber'),
    open: text(invoice, 'outstandingBalance'),
  }));
}
