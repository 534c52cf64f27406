/** What the demo's customers do about their invoices: they pay, are credited, get money back. */
import { all, done, text, type RestTarget } from '../rest.ts';

/** Ids of the demo's customers, by the part that they play. */
export interface Cast {
  /** Has two cards on file: the first declines when it is charged, so that the second is tried. */
  readonly cascading: string;
  /** Is credited once, and pays by check. */
  readonly credited: string;
  /** Pays an invoice by card, and gets a part of it back. */
  readonly refunded: string;
}

const methods = {
  declining: card('4000000000000341', { preference: 1 }),
  good: card('4111111111111111', { preference: 2 }),
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
export async function putMethodsOnFile(target: RestTarget, { cascading }: Cast): Promise<void> {
  for (const method of [methods.declining, methods.good]) {
    const path = `/rest/customer/${cascading}/autopay?validate=true`;
    await done(target, 'PUT', path, `<autopay>${method}</autopay>`);
  }
}

/** After a month, counted from 1: each does something once. */
export async function act(target: RestTarget, cast: Cast, month: number): Promise<void> {
  if (month === 1) {
    const fields = '<amount>5.00</amount><internalNotes>For the late delivery</internalNotes>';
    await book(target, '/rest/credits', cast.credited, fields);
  }
  if (month === 2) {
    const first = (await openInvoices(target, cast.refunded)).at(-1);
    if (first === undefined) return;
    const fields =
      `<amount>${first.open}</amount><invoices><invoice id="${first.id}"/></invoices>` +
      methods.once;
    await book(target, '/rest/payments', cast.refunded, fields);
  }
  if (month === 3) {
    await book(target, '/rest/refunds', cast.refunded, '<amount>10.00</amount>');
    const fields = `<amount>30.00</amount>${methods.check}`;
    await book(target, '/rest/payments', cast.credited, fields);
  }
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
  readonly open: string;
}

/** The latest due first. */
async function openInvoices(target: RestTarget, customerId: string): Promise<OpenInvoice[]> {
  const path = `/rest/invoices?customerId=${customerId}&status=Outstanding`;
  const listed = await done(target, 'GET', path);
  return all(listed, 'invoice').map((invoice) => ({
    id: text(invoice, '@id'),
    open: text(invoice, 'outstandingBalance'),
  }));
}
