/** How many cards a session of self-service or a pay link may try, and why it pays nothing with them. */
import type { Tx } from '../../db/connection/tenancy.ts';
import type { OperationContext } from '../context/context.ts';
import { refuseTooManyDeclines, type CardUser } from '../hosted-pages/declines.ts';
import { countDecline } from '../hosted-pages/notify-page.ts';

/** From then on the session neither pays nor takes cards. */
const DECLINES_MAX = 3;

export interface CardSession extends CardUser {
  readonly customerId: number;
  readonly sessionId: number;
}

/** Whoever has a link that pays an invoice. */
export interface LinkPayer extends CardUser {
  readonly customerId: null;
  readonly invoiceId: number;
}

export type CardPayer = CardSession | LinkPayer;

/** `moved`: another amount than shown. `session`: too many declines of the session. */
type Refusal = 'moved' | 'underWay' | 'session';

export class PayRefused extends Error {
  readonly why: Refusal;
  /** The payment that is under way. */
  readonly payingId: number | null;

  constructor(why: Refusal, payingId: number | null = null) {
    super(`the form is not taken: ${why}`);
    this.why = why;
    this.payingId = payingId;
  }
}

/** Throws PayRefused, card.tooManyDeclines. */
export async function refuseCards(
  context: Pick<OperationContext, 'tx' | 'realNow'>,
  payer: CardPayer,
): Promise<void> {
  if ('sessionId' in payer && (await isExhausted(context.tx, payer.sessionId))) {
    throw new PayRefused('session');
  }
  await refuseTooManyDeclines(context, payer);
}

/** What is at its gateway may still be declined, so that forms at once try no more cards, either. */
export async function isExhausted(tx: Tx, sessionId: number): Promise<boolean> {
  const [tried] = await tx.query<{ count: number }>(
    `select s.declines + (select count(*) from self_service_payment made
       join payment p on p.tenant_id = made.tenant_id and p.id = made.payment_id
       where made.tenant_id = s.tenant_id and made.session_id = s.id
         and (p.status = 'ActionRequired' or p.status = 'Pending' and p.phase <> 'Processing')
       )::int as count
     from self_service_session s where s.tenant_id = $1 and s.id = $2`,
    [tx.tenantId, sessionId],
    'cards-tried-in-session',
  );
  return (tried?.count ?? 0) >= DECLINES_MAX;
}

/**
 * Counts a card that is to be validated as declined, before its gateway is asked: forms at once try
 * no more cards than the session has left. Throws PayRefused, card.tooManyDeclines.
 */
export async function beginTry(
  context: Pick<OperationContext, 'tx' | 'realNow'>,
  user: CardSession,
): Promise<void> {
  const { tx } = context;
  await tx.query(
    `select from self_service_session where tenant_id = $1 and id = $2 for no key update`,
    [tx.tenantId, user.sessionId],
    'lock-session',
  );
  await refuseCards(context, user);
  countDecline(context, user.sessionId);
}

/** The card was not declined, or a repeat of its form was counted as well. */
export function takeTryBack({ tx }: Pick<OperationContext, 'tx'>, sessionId: number): void {
  tx.send(
    `update self_service_session set declines = declines - 1
     where tenant_id = $1 and id = $2 and declines > 0`,
    [tx.tenantId, sessionId],
    'take-try-back',
  );
}
