/** Asks gateways about payments on the day on which they have more to say: settlement. */
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import { inTenant, type Tx } from '../../db/connection/tenancy.ts';
import { forgetNews } from '../../db/queries/payments/payments.ts';
import type { Gateways } from '../../providers/gateway/gateway.ts';
import type { Dispatcher } from '../outbox/dispatch-after-commit.ts';
import type { Dependencies } from '../context/context.ts';
import { advancePayment } from './process.ts';
import { askAboutResolved } from './resolved.ts';

const SETTLED_AT_ONCE_MAX = 100;

export interface SettleOptions {
  readonly today: IsoDate;
  readonly dispatch: Dispatcher['dispatch'];
  readonly mayContinue: () => boolean;
}

/**
 * Asks for everything that is due. False if it had to stop, or if a gateway did not answer. Nudges
 * the workflows of the payments that became final.
 */
export async function settleDue(
  dependencies: Dependencies,
  gateways: Gateways,
  tenantId: number,
  { today, dispatch, mayContinue }: SettleOptions,
): Promise<boolean> {
  const hooks = { onStep: () => undefined, dispatch };
  let isComplete = true;
  for (let after: DuePlace = { on: '-infinity', id: 0 }; ;) {
    const due = await inTenant(dependencies.db, tenantId, (tx) => dueNews(tx, today, after), {
      readOnly: true,
    });
    for (const { id, cascadeId, isResolved } of due) {
      if (!mayContinue()) return false;
      if (isResolved) {
        await askAboutResolved(dependencies, gateways, tenantId, { id, cascadeId });
        continue;
      }
      const request = { cascadeId, asked: 0, isElsewhere: true };
      const progress = await advancePayment(dependencies, gateways, tenantId, request, hooks);
      const isLater = progress.phase === 'Processing' && progress.failureCode === null;
      if (isLater) await askLater(dependencies, tenantId, { id, today });
      else isComplete &&= progress.done || progress.phase === 'Waiting';
    }
    if (due.length < SETTLED_AT_ONCE_MAX) return isComplete;
    after = due.at(-1) ?? after;
  }
}

/** In the order of the index: by the order of ids alone, all payments might be read. */
interface DuePlace {
  readonly on: string;
  readonly id: number;
}

interface DueNews extends DuePlace {
  readonly cascadeId: number;
  /** By a person: the question is about that call only. */
  readonly isResolved: boolean;
}

function dueNews(tx: Tx, today: IsoDate, after: DuePlace): Promise<DueNews[]> {
  return tx.query<DueNews & Record<string, unknown>>(
    `select id, gateway_news_on as on, cascade_id, resolved_on is not null as is_resolved
     from payment
     where tenant_id = $1 and gateway_news_on <= $2
       and (gateway_news_on, id) > ($3::date, $4::bigint)
     order by gateway_news_on, id limit ${SETTLED_AT_ONCE_MAX}`,
    [tx.tenantId, today, after.on, after.id],
    'due-news',
  );
}

/** The gateway had nothing new on that day, so the payment's workflow continues to ask. */
async function askLater(
  { db }: Dependencies,
  tenantId: number,
  { id, today }: { readonly id: number; readonly today: IsoDate },
): Promise<void> {
  await inTenant(db, tenantId, async (tx) => forgetNews(tx, { id, phase: 'Processing' }, today));
}
