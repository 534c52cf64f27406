/** Entry of the thread that draws documents, several of them interleaved. */
import { parentPort } from 'node:worker_threads';
import type { Drawable, Drawn, DrawingJob } from './drawing.ts';
import { invoicePdf } from './invoice-pdf.ts';
import { receiptPdf } from './receipt-pdf.ts';

parentPort?.on('message', (job: DrawingJob) => {
  void drawn(job).then((answer) => parentPort?.postMessage(answer));
});

async function drawn({ id, drawable }: DrawingJob): Promise<Drawn> {
  try {
    return { id, pdf: await pdfOf(drawable) };
  } catch (error) {
    return { id, error };
  }
}

function pdfOf(drawable: Drawable): Promise<Buffer> {
  return drawable.kind === 'invoice' ? invoicePdf(drawable.page) : receiptPdf(drawable.page);
}
