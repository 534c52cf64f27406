/** Money back through the interface: credit notes with refunds, and refunds of invoices with notes. */
import test, { type ExecutionContext } from 'ava';
import type { Received } from '../support.ts';
import { refused, startTenantApi, valueOf, valuesOf, type TenantApi } from '../tenant-api.ts';
import { amount, autopay, card, cash, invoices, pay } from '../payments/bodies.ts';
import { audit } from '../../support/audit.ts';
import { invoiced, options } from './discounted.ts';

const api = await startTenantApi(options);

const withInvoice = () => invoiced(api);

async function paid(own: TenantApi, value: string, method = cash()): Promise<void> {
  const answer = await own.post('/payments?extCustomerRef=C1', pay(amount(value) + method));
  if (answer.status !== 201) throw new Error(answer.body);
}

const credit = (own: TenantApi, inner: string, query = '&refund=true') =>
  own.post(
    `/invoice/creditNote?invoiceNumber=1001${query}`,
    `<creditNote><reason>Line was down</reason>${inner}</creditNote>`,
  );

const refundOf = (value: string, invoice: string, inner = '') =>
  `<processRefund>${amount(value)}${inner}${invoices(invoice)}</processRefund>`;
const withNote = '<invoiceText>Line was down</invoiceText><creditNote>true</creditNote>';

const stateOf = async (own: TenantApi, number: string): Promise<string> => {
  const { body } = await own.get(`/invoice?invoiceNumber=${number}`);
  return ['status', 'outstandingBalance', 'currentAmountDue']
    .map((name) => valueOf(body, name))
    .join(' ');
};

const chargesOf = ({ body }: Received) =>
  valuesOf(body.replace(/<invoicePayments>.*<\/invoicePayments>/s, ''), 'amount');

async function clean(t: ExecutionContext, { db, label }: TenantApi): Promise<void> {
  const report = await audit({ db, realNow: Date.now }, { relayDb: db, engine: null, only: label });
  t.deepEqual(
    report.tenants.flatMap(({ faults }) => faults),
    [],
  );
}

test('of 50.00 paid, a note of 40.00 with refund=true gives 16.56 back in one refund', async (t) => {
  const { own, customerId, invoice } = await withInvoice();
  await paid(own, '50.00');
  const note = await own.post(
    `/invoice/${invoice}/creditNote?refund=true`,
    '<creditNote><reason>Line was down</reason><amount>40.00</amount></creditNote>',
  );
  t.is(note.status, 201, note.body);
  t.is(await stateOf(own, '1001'), 'Paid 0.00 73.44');
  const refund = await own.get(`/refund/${valueOf(note.body, 'refund@id')}`);
  t.is(valueOf(refund.body, 'amount'), '-16.56');
  t.is(valueOf(refund.body, 'status'), 'Paid');
  const credits = await own.get(`/credits?customerId=${customerId}`);
  t.deepEqual(valuesOf(credits.body, 'balance'), ['0.00']);
  const shown = await own.get('/invoice?invoiceNumber=1001&format=html');
  t.regex(
    shown.body,
    /Payment of January 15, 2027 · Cash.*33\.44.*Credit note 1002 of Jan.*40\.00/s,
  );
  await clean(t, own);
});

test('without refund=true, and where no payment paid, the note names no refund', async (t) => {
  const { own } = await withInvoice();
  const open = await credit(own, '<amount>10.00</amount>');
  t.is(valueOf(open.body, 'refund@id'), undefined);
  await paid(own, '63.44');
  const kept = await credit(own, '<amount>10.00</amount>', '');
  t.is(valueOf(kept.body, 'refund@id'), undefined);
  t.is((await own.get('/refunds')).body.includes('<payment'), false);
  refused(
    t,
    await credit(own, '<amount>1.00</amount>', '&refund=maybe'),
    400,
    'query.invalid refund',
  );
  await clean(t, own);
});

test('1001 paid, 20.00 refunded: 20.00 are open', async (t) => {
  const { own, invoice } = await withInvoice();
  await paid(own, '73.44');
  const refund = await own.post('/refunds?extCustomerRef=C1', refundOf('20.00', invoice));
  t.is(refund.status, 201, refund.body);
  t.is(await stateOf(own, '1001'), 'Outstanding 20.00 73.44');
  const more = await own.post('/refunds?extCustomerRef=C1', refundOf('53.45', invoice));
  refused(t, more, 400, 'payment.refundTooHigh processRefund/amount');
  await clean(t, own);
});

test('with creditNote it gets a note of -20.00 by the shares of its charges', async (t) => {
  const { own, invoice } = await withInvoice();
  await paid(own, '73.44');
  const body = refundOf('20.00', invoice, withNote);
  const refund = await own.post('/refunds?extCustomerRef=C1', body);
  t.is(refund.status, 201, refund.body);
  t.is(await stateOf(own, '1001'), 'Paid 0.00 73.44');
  t.is(await stateOf(own, '1002'), 'Paid 0.00 -20.00');
  const note = await own.get('/invoice?invoiceNumber=1002');
  t.deepEqual(chargesOf(note), ['-13.34', '1.33', '-8.16', '0.82', '-0.65']);
  t.is(valueOf(note.body, 'refund@id'), valueOf(refund.body, 'payment@id'));
  t.is(valueOf(note.body, 'creditNoteOf@id'), invoice);
  t.is(valueOf(note.body, 'notes'), 'Line was down');
  const most = await own.post('/refunds?extCustomerRef=C1', refundOf('53.44', invoice, withNote));
  t.is(most.status, 201, most.body);
  t.is(await stateOf(own, '1003'), 'Paid 0.00 -53.44');
  await clean(t, own);
});

test('a refund by autopay takes invoices and notes, too', async (t) => {
  const { own, customerId, invoice } = await withInvoice();
  const file = card({ more: '<autopayPreference>1</autopayPreference>' });
  t.is((await own.put(`/customer/${customerId}/autopay`, autopay(file))).status, 200);
  const paying = `<processPaymentWithAutopay>${amount('73.44')}</processPaymentWithAutopay>`;
  t.is((await own.post('/payments/autopay?extCustomerRef=C1', paying)).status, 201);
  const back = `<processPaymentWithAutopay>${amount('20.00')}${withNote}${invoices(invoice)}</processPaymentWithAutopay>`;
  const refund = await own.post('/refunds/autopay?extCustomerRef=C1', back);
  t.is(refund.status, 201, refund.body);
  t.is(valueOf(refund.body, 'status'), 'Paid');
  t.is(await stateOf(own, '1002'), 'Paid 0.00 -20.00');
  await clean(t, own);
});

test('notes of refunds are refused with the place of the mistake', async (t) => {
  const { own, invoice } = await withInvoice();
  await paid(own, '73.44');
  const post = (body: string, path = '/refunds') => own.post(`${path}?extCustomerRef=C1`, body);
  const bare = `<processRefund>${amount('1.00')}${withNote}</processRefund>`;
  refused(t, await post(bare), 400, 'field.required processRefund/invoices');
  const silent = refundOf('1.00', invoice, '<creditNote>true</creditNote>');
  refused(t, await post(silent), 400, 'field.required processRefund/invoiceText');
  const paying = pay(amount('1.00') + withNote + cash());
  refused(t, await post(paying, '/payments'), 400, 'field.invalid processPayment/creditNote');
  const crediting = `<processCredit>${amount('1.00')}${withNote}</processCredit>`;
  refused(t, await post(crediting, '/credits'), 400, 'field.invalid processCredit/creditNote');
  await credit(own, '<amount>70.00</amount>', '');
  const tooMuch = refundOf('3.45', invoice, withNote);
  refused(t, await post(tooMuch), 400, 'creditNote.tooHigh processRefund/amount');
  await credit(own, '', '');
  refused(t, await post(tooMuch), 400, 'creditNote.nothingLeft processRefund/amount');
  await clean(t, own);
});
