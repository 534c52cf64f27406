/** Drawing in a thread makes the same file, and other work does not wait for it. */
import { setImmediate } from 'node:timers/promises';
import test from 'ava';
import { UnavailableError } from '../../../db/connection/faults.ts';
import { invoicePage, type InvoicePage } from '../../../domain/invoices/page.ts';
import { messages } from '../../../messages/messages.ts';
import { LANE_WAITING_MAX, drawInvoice } from '../../../providers/invoice-documents/pdf/drawing.ts';
import { invoicePdf } from '../../../providers/invoice-documents/pdf/invoice-pdf.ts';
import { sourceOf, turnsDuring, twoThousandCharges } from './samples.ts';

const small = invoicePage(sourceOf(), messages);
const LANE = 'a tenant';

test('the thread draws an invoice exactly as the main thread does', async (t) => {
  const [first, second] = await Promise.all([drawInvoice(small, LANE), drawInvoice(small, LANE)]);
  const here = await invoicePdf(small);
  t.true(Buffer.isBuffer(first) && first.equals(here));
  t.true(second.equals(here));
});

test('three simultaneous invoices of 2,000 charges let other calls run', async (t) => {
  const page = invoicePage(sourceOf({ invoice: { lines: twoThousandCharges() } }), messages);
  await drawInvoice(small, LANE);
  const { turns } = await turnsDuring(
    Promise.all(['one', 'one', 'another'].map((lane) => drawInvoice(page, lane))),
  );
  // On the main thread, other calls would run after each page and every 20 charges: some hundreds
  // of times.
  t.true(turns > 10_000, `${turns} turns`);
});

test('a PDF that cannot be drawn fails only its own call', async (t) => {
  const broken = { ...small, lines: null } as unknown as InvoicePage;
  const [failed, drawn] = await Promise.allSettled([
    drawInvoice(broken, LANE),
    drawInvoice(small, LANE),
  ]);
  t.is(failed.status, 'rejected');
  t.is(drawn.status, 'fulfilled');
});

test.serial(
  'if too many drawings of a tenant wait, further ones are refused, and those of others are drawn',
  async (t) => {
    const all = Array.from({ length: LANE_WAITING_MAX + 10 }, () => drawInvoice(small, 'greedy'));
    const other = drawInvoice(small, 'another');
    const refused: unknown[] = [];
    for (const each of all) each.catch((reason: unknown) => refused.push(reason));
    // A refusal comes at once; on a slow machine those that wait may reach their time limit later.
    await setImmediate();
    // Two drawings run when the others arrive.
    t.is(refused.length, 8);
    t.true(refused.every((reason) => reason instanceof UnavailableError));
    t.true(Buffer.isBuffer(await other));
    await Promise.allSettled(all);
  },
);
