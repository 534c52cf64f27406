/** The file names of invoices' documents. */

import test from 'ava';
import { pdfNameOf } from '../../../domain/invoices/pdf-name.ts';

test('a file is named by the number, with a hyphen for what a header or file system refuses', (t) => {
  const cases: readonly [number: string, name: string][] = [
    ['1001', 'invoice-1001.pdf'],
    ['A/7', 'invoice-A-7.pdf'],
    ['"x"\r\nY: z', 'invoice--x-Y-z.pdf'],
    ['Ä 2.1_b', 'invoice--2.1_b.pdf'],
  ];
  for (const [invoiceNumber, name] of cases) {
    t.is(pdfNameOf({ kind: 'invoice', invoiceNumber }), name);
  }
  t.is(pdfNameOf({ kind: 'creditNote', invoiceNumber: '1002' }), 'credit-note-1002.pdf');
  t.is(pdfNameOf({ kind: 'cancellation', invoiceNumber: '1003' }), 'cancellation-1003.pdf');
});
