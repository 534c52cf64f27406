/** Draws invoices and receipts as PDF in a separate thread, so that other calls do not wait. */
import { Worker } from 'node:worker_threads';
import { createTurns } from '../../../db/connection/turns.ts';
import type { InvoicePage } from '../../../domain/invoices/page.ts';
import type { ReceiptPage } from '../../../domain/self-service/receipt.ts';

export type Drawable =
  | { readonly kind: 'invoice'; readonly page: InvoicePage }
  | { readonly kind: 'receipt'; readonly page: ReceiptPage };

export interface DrawingJob {
  readonly id: number;
  readonly drawable: Drawable;
}

export type Drawn =
  | { readonly id: number; readonly pdf: Uint8Array }
  | { readonly id: number; readonly error: unknown };

interface Thread {
  readonly draw: (drawable: Drawable) => Promise<Buffer>;
}

/** 15,000 charges take less than 60; beyond the limit only the thread ends. */
const THREAD_MEMORY_MB = 256;

const AT_ONCE_MAX = 3;
/** The most places of one lane, so that one is left for the others. */
const LANE_AT_ONCE_MAX = 2;
/** Each waiting call keeps the rows of its document in memory. */
const WAITING_MAX = 60;
export const LANE_WAITING_MAX = 20;
const WAIT_MS = 30_000;

const turns = createTurns({
  of: 'drawing',
  placesMax: AT_ONCE_MAX,
  lanePlacesMax: LANE_AT_ONCE_MAX,
  waitingMax: WAITING_MAX,
  laneWaitingMax: LANE_WAITING_MAX,
  waitMs: WAIT_MS,
});

let thread: Thread | undefined;

/**
 * Draws in turns among the lanes, which are tenants; throws an UnavailableError if too many wait. The
 * first invoice starts the thread and loads the fonts.
 */
export const drawInvoice = (page: InvoicePage, lane: string): Promise<Buffer> =>
  draw({ kind: 'invoice', page }, lane);

/** In the same turns. */
export const drawReceipt = (page: ReceiptPage, lane: string): Promise<Buffer> =>
  draw({ kind: 'receipt', page }, lane);

async function draw(drawable: Drawable, lane: string): Promise<Buffer> {
  const leave = await turns.take(lane);
  try {
    thread ??= startThread(() => (thread = undefined));
    return await thread.draw(drawable);
  } finally {
    leave();
  }
}

function startThread(forget: () => void): Thread {
  const worker = new Worker(new URL('./drawing-thread.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: THREAD_MEMORY_MB },
  });
  const waiting = new Map<number, PromiseWithResolvers<Buffer>>();
  let jobs = 0;
  let reason: unknown = new Error('the thread that draws documents has ended');
  worker.on('message', (drawn: Drawn) => {
    const job = waiting.get(drawn.id);
    waiting.delete(drawn.id);
    // An idle thread does not keep the process alive.
    if (waiting.size === 0) worker.unref();
    if ('error' in drawn) job?.reject(drawn.error);
    else job?.resolve(Buffer.from(drawn.pdf));
  });
  worker.on('error', (error) => (reason = error));
  worker.on('exit', () => {
    forget();
    for (const job of waiting.values()) job.reject(reason);
  });
  return {
    draw(drawable) {
      jobs += 1;
      const job = Promise.withResolvers<Buffer>();
      waiting.set(jobs, job);
      worker.ref();
      worker.postMessage({ id: jobs, drawable } satisfies DrawingJob);
      return job.promise;
    },
  };
}
