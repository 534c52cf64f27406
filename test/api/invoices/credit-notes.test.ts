/** Credit notes through the interface: what goes back of an invoice, of its taxes, and of its money. */
import test, { type ExecutionContext } from 'ava';
import type { Received } from '../support.ts';
import {
  golden,
  refused,
  startTenantApi,
  valueOf,
  valuesOf,
  type TenantApi,
} from '../tenant-api.ts';
import { audit } from '../../support/audit.ts';
import { invoiced, options } from './discounted.ts';

const api = await startTenantApi(options);

const withInvoice = () => invoiced(api);

const noteOf = (inner: string) => `<creditNote><reason>Line was down</reason>${inner}</creditNote>`;
const charge = (id: string | undefined, inner = '') =>
  `<invoiceLineItemCharges><invoiceLineItemCharge id="${id}">${inner}</invoiceLineItemCharge></invoiceLineItemCharges>`;
const credit = (own: TenantApi, inner = '', number = '1001') =>
  own.post(`/invoice/creditNote?invoiceNumber=${number}`, noteOf(inner));

const amountsOf = ({ body }: Received) => valuesOf(body, 'amount');

async function openOf(own: TenantApi, number: string): Promise<string> {
  const { body } = await own.get(`/invoice?invoiceNumber=${number}`);
  return `${valueOf(body, 'status')} ${valueOf(body, 'outstandingBalance')}`;
}

async function clean(t: ExecutionContext, { db, label }: TenantApi): Promise<void> {
  const report = await audit({ db, realNow: Date.now }, { relayDb: db, engine: null, only: label });
  t.deepEqual(
    report.tenants.flatMap(({ faults }) => faults),
    [],
  );
}

test('a part of a charge goes back with its discount and tax, a reason alone with the rest', async (t) => {
  const { own, charges } = await withInvoice();
  const [, , fee] = charges;
  const first = await credit(own, charge(fee, '<amount>10.00</amount>'));
  golden(t, 'credit-note', first);
  t.deepEqual(amountsOf(first), ['-10.00', '1.00', '-0.80']);
  t.is(valueOf(first.body, 'currentAmountDue'), '-9.80');
  t.is(await openOf(own, '1001'), 'Outstanding 63.64');
  const rest = await credit(own);
  t.deepEqual(amountsOf(rest), ['-49.00', '4.90', '-19.95', '2.00', '-1.59']);
  t.is(valueOf(rest.body, 'currentAmountDue'), '-63.64');
  t.is(await openOf(own, '1001'), 'Paid 0.00');
  refused(t, await credit(own), 400, 'creditNote.nothingLeft');
  const shown = await own.get('/invoice?invoiceNumber=1002&format=html');
  t.regex(shown.body, /For invoice.*1001 of Jan.*Discount WELCOME10.*Line was down/s);
  const original = await own.get('/invoice?invoiceNumber=1001&format=html');
  t.regex(original.body, /Credit note 1002 of Jan.*Credit note 1003 of Jan/s);
  await clean(t, own);
});

test('an amount is shared out among all charges, and what is too much is refused', async (t) => {
  const { own, customerId } = await withInvoice();
  refused(
    t,
    await credit(own, '<amount>73.45</amount>'),
    400,
    'creditNote.tooHigh creditNote/amount',
  );
  const note = await credit(own, '<amount>20.00</amount>');
  t.deepEqual(amountsOf(note), ['-13.34', '1.33', '-8.16', '0.82', '-0.65']);
  t.is(await openOf(own, '1001'), 'Outstanding 53.44');
  refused(
    t,
    await credit(own, '<amount>53.45</amount>'),
    400,
    'creditNote.tooHigh creditNote/amount',
  );
  const original = valueOf((await own.get('/invoice?invoiceNumber=1001')).body, 'invoice@id');
  t.is(valueOf(note.body, 'creditNoteOf@id'), original);
  const list = await own.get(`/invoices?creditNoteOf=${original}`);
  t.deepEqual(valuesOf(list.body, 'invoiceNumber'), ['1002']);
  const notes = await own.get(`/invoices?customerId=${customerId}&isCreditNote=true`);
  t.deepEqual(valuesOf(notes.body, 'invoiceNumber'), ['1002']);
  const others = await own.get(`/invoices?customerId=${customerId}&isCreditNote=false`);
  t.deepEqual(valuesOf(others.body, 'invoiceNumber'), ['1001']);
  await clean(t, own);
});

test('money that is left of a note stays unapplied', async (t) => {
  const { own, customerId } = await withInvoice();
  const cash = '<paymentMethodDTO type="Cash"><cashPaymentMethod/></paymentMethodDTO>';
  const paid = await own.post(
    '/payments?extCustomerRef=C1',
    `<processPayment><amount>50.00</amount>${cash}</processPayment>`,
  );
  t.is(paid.status, 201, paid.body);
  t.is(await openOf(own, '1001'), 'Outstanding 23.44');
  await credit(own, '<amount>40.00</amount>');
  t.is(await openOf(own, '1001'), 'Paid 0.00');
  const credits = await own.get(`/credits?customerId=${customerId}`);
  t.deepEqual(valuesOf(credits.body, 'balance'), ['16.56']);
  await clean(t, own);
});

test('an invoice with a note cannot be cancelled, and a note has no note', async (t) => {
  const { own } = await withInvoice();
  await credit(own, '<amount>1.00</amount>');
  refused(t, await own.remove('/invoice?invoiceNumber=1001'), 400, 'invoice.credited');
  refused(t, await own.remove('/invoice?invoiceNumber=1002'), 400, 'invoice.notCancellable');
  refused(t, await credit(own, '', '1002'), 400, 'invoice.notCreditable');
  refused(t, await credit(own, '', '1003'), 404, 'invoice.unknown');
});

test('a cancelled invoice has no note', async (t) => {
  const { own } = await withInvoice();
  await own.remove('/invoice?invoiceNumber=1001');
  refused(t, await credit(own), 400, 'invoice.notCreditable');
});

test('the input is refused with the place of the mistake', async (t) => {
  const { own, charges } = await withInvoice();
  const [, discount, fee] = charges;
  const at = 'creditNote/invoiceLineItemCharges/invoiceLineItemCharge[1]';
  const post = (body: string) => own.post('/invoice/creditNote?invoiceNumber=1001', body);
  refused(t, await post('<creditNote/>'), 400, 'field.required creditNote/reason');
  for (const [inner, error] of [
    ['<amount>0</amount>', 'field.invalid creditNote/amount'],
    ['<amount>1.005</amount>', 'field.invalid creditNote/amount'],
    [`<amount>1</amount>${charge(fee)}`, 'field.invalid creditNote/amount'],
    [charge('1'), `field.invalid ${at}`],
    [charge(discount), `field.invalid ${at}`],
    [charge(fee, '<quantity>0</quantity>'), `field.invalid ${at}/quantity`],
    [charge(fee, '<quantity>1</quantity><amount>1</amount>'), `field.invalid ${at}/amount`],
    [charge(fee, '<quantity>2</quantity>'), `creditNote.tooHigh ${at}/quantity`],
    [charge(fee, '<amount>29.96</amount>'), `creditNote.tooHigh ${at}/amount`],
  ] as const) {
    refused(t, await credit(own, inner), 400, error);
  }
  t.is((await own.get('/invoice?invoiceNumber=1002')).status, 404);
  await clean(t, own);
});

test('of two notes at once that give back all, one is refused', async (t) => {
  const { own } = await withInvoice();
  const answers = await Promise.all([credit(own), credit(own)]);
  t.deepEqual(
    answers.map(({ status }) => status).toSorted((one, other) => one - other),
    [201, 400],
  );
  t.is(await openOf(own, '1001'), 'Paid 0.00');
  await clean(t, own);
});
