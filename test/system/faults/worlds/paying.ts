/** What worlds with payments share: books with a gateway, and what arrived there. */
import type { PaymentBooks } from '../../../operations/support/payment-books.ts';
import type { Scene } from '../world.ts';

/** The first moment of a day at which workflows do what the run has left. */
const AFTER_THE_RUN_MS = 3 * 60_000;

/** 00:03 of a day whose run never came. */
export function jumpTo(books: PaymentBooks, day: string): void {
  books.jump(day);
  books.later(AFTER_THE_RUN_MS);
}

type Part = 'tenantId' | 'dependencies' | 'gateway' | 'later' | 'settle' | 'read';

export function paying(
  books: Pick<PaymentBooks, Part>,
  scene: Pick<Scene, 'step'> & Partial<Scene>,
): Scene {
  const { tenantId, dependencies, gateway, settle, read } = books;
  return {
    tenantId,
    dependencies,
    pass: (ms) => books.later(ms),
    others: settle,
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
