/** Entry of the thread that draws invoices, several of them interleaved. */
import { parentPort } from 'node:worker_threads';
import type { Drawn, DrawingJob } from './drawing.ts';
import { invoicePdf } from './invoice-pdf.ts';

parentPort?.on('message', (job: DrawingJob) => {
  void drawn(job).then((answer) => parentPort?.postMessage(answer));
});

async function drawn({ id, page }: DrawingJob): Promise<Drawn> {
  try {
    return { id, pdf: await invoicePdf(page) };
  } catch (error) {
    return { id, error };
  }
}
