/** Imported invoices through the interface: addressed by the text that is their number. */
import test from 'ava';
import { inOperation } from '../../../operations/context/context.ts';
import {
  importCustomer,
  importInvoice,
  type ImportedInvoice,
} from '../../operations/support/imported.ts';
import { refused, startTenantApi, valueOf, valuesOf, type TenantApi } from '../tenant-api.ts';

const api = await startTenantApi();

interface Imported {
  readonly own: TenantApi;
  readonly customerId: number;
}

/** A tenant of its own on 1 January 2027, whose customer C1 has invoices of 100.00 by these numbers. */
async function withImported(
  numbers: readonly string[],
  more: Partial<ImportedInvoice> = {},
): Promise<Imported> {
  const own = await api.another();
  const dependencies = { db: own.db, realNow: Date.now };
  const customerId = await inOperation(dependencies, own.tenantId, async (its) => {
    const customer = await importCustomer(its, { ref: 'C1' });
    const given = { customerId: customer, amount: '100', dueDate: '2027-02-14', ...more };
    for (const number of numbers) await importInvoice(its, { ...given, number });
    return customer;
  });
  return { own, customerId };
}

const at = (number: string): string => `/invoice?invoiceNumber=${encodeURIComponent(number)}`;

test('an imported invoice is read, listed and cancelled by its number', async (t) => {
  const { own } = await withImported(['OLD-1', '17'], { paid: '-40', orderNumber: 'A-7' });
  const { body } = await own.get(at('OLD-1'));
  t.is(valueOf(body, 'invoiceNumber'), 'OLD-1');
  t.is(valueOf(body, 'orderNumber'), 'A-7');
  t.is(valueOf(body, 'paymentsAndAdjustments'), '-40.00');
  t.is(valueOf(body, 'totalDue'), '60.00');
  t.is((await own.get(`/invoice/${valueOf(body, 'invoice@id')}`)).body, body);
  t.deepEqual(valuesOf((await own.get('/invoices')).body, 'invoiceNumber'), ['17', 'OLD-1']);
  t.is((await own.remove(at('17'))).status, 200);
  t.is(valueOf((await own.get(at('17'))).body, 'status'), 'Cancelled');
  const customer = await own.get('/customer?extCustomerRef=C1');
  t.is(valueOf(customer.body, 'currentBalance'), '60.00');
});

test('text that no invoice has is unknown: of made ones, of imported ones, of none', async (t) => {
  const { own } = await withImported(['OLD-1']);
  for (const number of ['1001', 'OLD-2', 'old-1', 'OLD-1-and-more', '9'.repeat(40), '%']) {
    refused(t, await own.get(at(number)), 404, 'invoice.unknown');
    const answer = await own.remove(at(number));
    refused(t, answer, 404, 'invoice.unknown');
    t.true(answer.body.includes(`value="${number}"`), answer.body);
  }
  refused(t, await own.get('/invoice?invoiceNumber='), 400, 'query.required invoiceNumber');
});

test('a change of an imported invoice may name the version that its caller read', async (t) => {
  const { own } = await withImported(['OLD-1']);
  const { headers } = await own.get(at('OLD-1'));
  const stale = await own.call('DELETE', at('OLD-1'), { headers: { 'If-Match': '"7"' } });
  refused(t, stale, 412, 'object.changed');
  const tag = { 'If-Match': String(headers.etag) };
  t.is((await own.call('DELETE', at('OLD-1'), { headers: tag })).status, 200);
});

test('a document of an imported invoice is drawn and named, whatever its number contains', async (t) => {
  const numbers = ['OLD/1', '"<&>"\r\nX:1', 'Ä €'];
  const { own } = await withImported(numbers);
  const names = ['invoice-OLD-1.pdf', 'invoice--X-1.pdf', 'invoice--.pdf'];
  for (const [index, number] of numbers.entries()) {
    const pdf = await own.get(`${at(number)}&format=pdf`);
    t.is(pdf.status, 200, pdf.body.slice(0, 500));
    t.is(pdf.headers['content-disposition'], `inline; filename="${names[index]}"`);
    t.is((await own.get(`${at(number)}&format=html`)).status, 200);
  }
  const { body } = await own.get(`${at('"<&>"\r\nX:1')}&format=html`);
  t.true(body.includes('&lt;&amp;&gt;'));
  t.false(body.includes('"<&>"'));
});

test('a mail is asked for by the number of an imported invoice', async (t) => {
  const { own, customerId } = await withImported(['OLD-1']);
  const sending = (ref: string) =>
    own.post(
      '/customers/notification',
      `<sendEmail><eventType>newInvoice</eventType><objectRef>${ref}</objectRef>
       <customerId>${customerId}</customerId></sendEmail>`,
    );
  // The tenant enables no mail, which is asked after the invoice was found.
  t.is((await sending('OLD-1')).status, 200);
  refused(t, await sending('OLD-2'), 404, 'invoice.unknown sendEmail/objectRef');
});
