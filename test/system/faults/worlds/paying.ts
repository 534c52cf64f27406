/** What worlds with payments share: books with a gateway, and what arrived there. */
import { advancePayment } from '../../../../operations/gateway-calls/process.ts';
import type { PaymentBooks } from '../../../operations/support/payment-books.ts';
import type { Scene } from '../world.ts';

/** The first moment of a day at which workflows do what the run has left. */
const AFTER_THE_RUN_MS = 3 * 60_000;

/** 00:03 of a day whose run never came. */
export function jumpTo(books: PaymentBooks, day: string): void {
  books.jump(day);
  books.later(AFTER_THE_RUN_MS);
}

type PayingBooks = Pick<
  PaymentBooks,
  'tenantId' | 'dependencies' | 'gateway' | 'later' | 'read' | 'work'
>;

/** What the workflows of payments do that were nudged: a payment without a nudge stays as it is. */
export async function payNudged(books: Omit<PayingBooks, 'later'>): Promise<void> {
  const { dependencies, tenantId, gateway, read, work } = books;
  const nudged = await read((tx) =>
    tx.query<{ id: number }>(
      `select object_id as id from outbox where kind = 'payment' order by 1`,
    ),
  );
  const hooks = { onStep: () => undefined, dispatch: () => undefined };
  for (const { id: cascadeId } of nudged) {
    const request = { cascadeId, asked: 0 };
    const { done } = await advancePayment(dependencies, gateway.gateways, tenantId, request, hooks);
    if (!done) continue;
    await work(({ tx }) =>
      tx.query(`delete from outbox where kind = 'payment' and object_id = $1`, [cascadeId]),
    );
  }
}

export function paying(books: PayingBooks, scene: Pick<Scene, 'step'> & Partial<Scene>): Scene {
  const { tenantId, dependencies, gateway, read } = books;
  return {
    tenantId,
    dependencies,
    pass: (ms) => books.later(ms),
    others: () => payNudged(books),
    // `charge 30.00 Approved`, each as often as the gateway did it.
    outside: () =>
      read((tx) =>
        tx.query(
          `select operation, round(amount, 2) as amount, status, count(*)::int as times
           from sandbox_transaction group by 1, 2, 3 order by 1, 2, 3`,
        ),
      ),
    ...scene,
    ports: { gateways: gateway.gateways, ...scene.ports },
  };
}
