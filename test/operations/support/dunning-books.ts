/** A tenant's books with thresholds, and how its customers stand, as text. */
import { openPaymentBooks } from './payment-books.ts';
import type { BooksOptions, SharedDatabase } from './books.ts';
import type { Tx } from '../../../db/connection/tenancy.ts';
import { changeDunning } from '../../../operations/dunning/change.ts';
import { wakeDunning } from '../../../operations/dunning/wake.ts';

export interface ThresholdFile {
  readonly daysOverdue: number;
  readonly status: string;
}

/** Those of tenants/demo.yaml. */
export const thresholds: readonly ThresholdFile[] = [
  { daysOverdue: 15, status: 'Overdue1' },
  { daysOverdue: 30, status: 'Overdue2' },
  { daysOverdue: 60, status: 'Suspended1' },
];

export type DunningBooks = Awaited<ReturnType<typeof openDunningBooks>>;

export interface DunningBooksOptions extends BooksOptions {
  readonly thresholds?: readonly ThresholdFile[];
}

export async function openDunningBooks(db: SharedDatabase, options: DunningBooksOptions) {
  const dunning = { thresholds: options.thresholds ?? thresholds };
  const books = await openPaymentBooks(db, { ...options, file: { dunning, ...options.file } });
  let requests = 0;
  const hooks = { dispatch: () => undefined, gateways: books.gateway.gateways };
  return {
    ...books,
    /** What its workflow does at a wake. */
    wake: (customerId: number, yields = 0) =>
      wakeDunning(books.dependencies, books.tenantId, { customerId, yields }, hooks),
    /** Delivers nothing: returns the nudges of dunnings so far, and forgets them. */
    nudged: () =>
      books.work(async ({ tx }) => {
        const rows = await tx.query<{ id: number }>(
          `delete from outbox where kind = 'dunning' returning object_id as id`,
        );
        return rows.map(({ id }) => id);
      }),
    /** `2027-02-15 Active to Overdue1`, the oldest first. */
    transitions: (customerId: number) => books.read((tx) => readTransitions(tx, customerId)),
    /** `Overdue1, open, next 2027-03-02` */
    standing: (customerId: number) => books.read((tx) => readStanding(tx, customerId)),
    ask: (
      customerId: number,
      action: 'hold' | 'resume',
      reason = 'a promise by telephone',
      requestId = `request ${(requests += 1)}`,
    ) => {
      const note = { customerId, action, reason, requestId };
      return changeDunning(books.dependencies, books.tenantId, note);
    },
    faults: async () => (await books.audit()).faults,
  };
}

export async function readTransitions(tx: Tx, customerId: number): Promise<string[]> {
  const rows = await tx.query<{ text: string }>(
    `select transitioned_on || ' ' || previous_status || ' to ' || new_status
       || case cause when 'hand' then ' by hand' else '' end as text
     from customer_transition where customer_id = $1 order by transitioned_at, id`,
    [customerId],
  );
  return rows.map(({ text }) => text);
}

export async function readStanding(tx: Tx, customerId: number): Promise<string> {
  const [row] = await tx.query<{ text: string }>(
    `select c.status || case when d.customer_id is null then ', no dunning'
              when d.closed_on is null then ', open' else ', closed' end
            || coalesce(', held: ' || d.held_reason, '')
            || coalesce(', next ' || d.next_step_on, '') as text
     from customer c left join dunning d on d.tenant_id = c.tenant_id and d.customer_id = c.id
     where c.id = $1`,
    [customerId],
  );
  return row?.text ?? 'gone';
}
