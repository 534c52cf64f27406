/**
 * Asks gateways for changes of a final payment or refund: withdrawn funds, a refund that failed. An
 * event, or a date, is only the reason to ask.
 */
import {
  GatewayError,
  type Gateway,
  type GatewayName,
  type Gateways,
  type Withdrawal,
} from '../../providers/gateway/gateway.ts';
import { forgetNews } from '../../db/queries/payments/payments.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import { inOperation, type Dependencies, type OperationContext } from '../context/context.ts';
import { lockCustomer } from '../context/locks.ts';
import { chargeCall, doneShareCalls, type Call } from './call.ts';
import type { PendingPayment } from './cascade.ts';
import { alert } from './findings.ts';
import { asSaid, recordAnswer } from './record-answer.ts';
import { recordWithdrawal } from './withdraw.ts';
import type { GatewayEvent } from '../../db/entities/gateways.ts';
import type { RowOf } from '../../db/entities/rows.ts';

/** What to ask, and the events that the answer covers. */
export interface News {
  readonly payment: PendingPayment;
  readonly gateway: GatewayName;
  readonly eventIds: readonly number[];
  /** An approved charge, from which money may have been withdrawn. */
  readonly charge: { readonly transactionId: string; readonly currency: string } | null;
  /** Calls that are final in the books; the gateway's record may have changed. */
  readonly calls: readonly Call[];
}

type EventRow = RowOf<typeof GatewayEvent, 'id' | 'type'>;

/** Undefined if there is nothing to ask about a final cascade. */
export async function newsOf(
  context: OperationContext,
  payment: PendingPayment,
): Promise<News | undefined> {
  const { tx, time } = context;
  const { gateway, newsOn, resolvedOn, chargedOn, transactionId, currency } = payment;
  const events = await unaskedEvents(tx, payment.cascadeId);
  const isDay = resolvedOn === null && newsOn !== null && newsOn <= time.today;
  const first = gateway ?? (await gatewayOfShares(tx, payment));
  if (first === null || (!isDay && events.length === 0)) return undefined;
  const eventIds = events.map((event) => event.id);
  const shared = { payment, gateway: first, eventIds };
  if (payment.type === 'Refund') {
    return { ...shared, charge: null, calls: await doneShareCalls(context, payment) };
  }
  if (chargedOn !== null && transactionId !== null) {
    // The books already show the payment as paid, so only a dispute, or the date, is a reason to
    // ask.
    const isAsked = isDay || events.some(({ type }) => !type.startsWith('payment_intent.'));
    return { ...shared, charge: isAsked ? { transactionId, currency } : null, calls: [] };
  }
  return { ...shared, charge: null, calls: [await chargeCall(context, payment)] };
}

function unaskedEvents(tx: Tx, cascadeId: number): Promise<EventRow[]> {
  return tx.query<EventRow & Record<string, unknown>>(
    `select e.id, e.type from gateway_event e
     join payment p on p.tenant_id = e.tenant_id and p.id = e.payment_id
     where p.cascade_id = $1 and e.asked_at is null`,
    [cascadeId],
    'unasked-events',
  );
}

/**
 * A refund whose first share is returned by hand has no gateway, but a later share may have one.
 */
async function gatewayOfShares(tx: Tx, { id }: PendingPayment): Promise<GatewayName | null> {
  const [share] = await tx.query<{ gateway: GatewayName }>(
    `select p.gateway from refund_share s
     join payment p on p.tenant_id = s.tenant_id and p.id = s.payment_id
     where s.refund_id = $1 and s.way <> 'none' limit 1`,
    [id],
    'gateway-of-shares',
  );
  return share?.gateway ?? null;
}

/** Why the gateway could not be asked yet; undefined once its answer is recorded. */
export async function askForNews(
  dependencies: Dependencies,
  gateways: Gateways,
  tenantId: number,
  news: News,
): Promise<string | undefined> {
  try {
    const gateway = await gateways.named(tenantId, news.gateway);
    const withdrawals = news.charge === null ? [] : await gateway.withdrawals(news.charge);
    for (const call of news.calls) await askAgain(dependencies, tenantId, gateway, call);
    return await recordNews(dependencies, tenantId, news, withdrawals);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return `asks the gateway about it again, after the error: ${error.kind}`;
  }
}

async function askAgain(
  dependencies: Dependencies,
  tenantId: number,
  gateway: Gateway,
  call: Call,
): Promise<void> {
  const answer = await gateway.status(call.operation, call);
  if (typeof answer === 'string' || answer.outcome === 'pending') return;
  const noted = asSaid(answer);
  const { late } = await recordAnswer(dependencies, tenantId, call, noted);
  if (late !== undefined) await alert(dependencies, tenantId, call, late);
}

async function recordNews(
  dependencies: Dependencies,
  tenantId: number,
  { payment, eventIds }: News,
  withdrawals: readonly Withdrawal[],
): Promise<string | undefined> {
  const { id: paymentId, customerId } = payment;
  const raised = await inOperation(dependencies, tenantId, async (context) => {
    const { tx, time } = context;
    await lockCustomer(tx, { id: customerId }, { erased: 'taken' });
    // Money of a pending refund may return to the payment, and is then covered.
    if (withdrawals.length > 0 && (await isGoingBack(tx, paymentId))) return null;
    const texts: (string | undefined)[] = [];
    for (const each of withdrawals) texts.push(await recordWithdrawal(context, paymentId, each));
    tx.send(
      'update gateway_event set asked_at = $2 where id = any($1) and asked_at is null',
      [eventIds, time.now],
      'events-asked',
    );
    forgetNews(tx, { id: paymentId, phase: null }, time.today);
    return texts.filter((text) => text !== undefined);
  });
  if (raised === null) return 'asks the gateway about it again, once its refund has ended';
  for (const text of raised) await alert(dependencies, tenantId, { paymentId }, text);
  return undefined;
}

async function isGoingBack(tx: Tx, paymentId: number): Promise<boolean> {
  const [row] = await tx.query<{ going: boolean }>(
    `select exists (select from refund_share s
       join payment r on r.tenant_id = s.tenant_id and r.id = s.refund_id
       where s.payment_id = $1 and r.status = 'Pending') as going`,
    [paymentId],
    'is-going-back',
  );
  return row?.going === true;
}
