/** Drawing in a thread: the same file, and nobody waits for it. */
import test from 'ava';
import { invoicePage } from '../../domain/invoice-page.ts';
import type { InvoicePage } from '../../domain/invoice-page.ts';
import { drawInvoice } from '../../providers/documents/pdf/drawing.ts';
import { invoicePdf } from '../../providers/documents/pdf/invoice-pdf.ts';
import { sourceOf, turnsDuring, twoThousandCharges } from './samples.ts';

const small = invoicePage(sourceOf());

test('an invoice drawn in the thread is the one that is drawn here', async (t) => {
  const [first, second] = await Promise.all([drawInvoice(small), drawInvoice(small)]);
  const here = await invoicePdf(small);
  t.true(Buffer.isBuffer(first) && first.equals(here));
  t.true(second.equals(here));
});

test('three invoices of 2,000 charges at once leave the other calls their turns', async (t) => {
  const page = invoicePage(sourceOf({ invoice: { lines: twoThousandCharges() } }));
  await drawInvoice(small);
  const { turns } = await turnsDuring(Promise.all([page, page, page].map(drawInvoice)));
  // Drawn here, they would leave a turn for each page and every 20 charges: some hundreds.
  t.true(turns > 10_000, `${turns} turns`);
});

test('what cannot be drawn fails its own call only', async (t) => {
  const broken = { ...small, lines: null } as unknown as InvoicePage;
  const [failed, drawn] = await Promise.allSettled([drawInvoice(broken), drawInvoice(small)]);
  t.is(failed.status, 'rejected');
  t.is(drawn.status, 'fulfilled');
});
