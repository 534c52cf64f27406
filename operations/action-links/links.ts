/** Links to the page on which an absent payer confirms a payment that waits for him. */
import { DomainError } from '../../domain/errors.ts';
import type { Decimal } from '../../domain/money/money.ts';
import { isWaitOver, waitsUntil } from '../../domain/payments/waiting.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import { ActionLink } from '../../db/entities/payments.ts';
import { insertingOne } from '../../db/queries/context/insertion.ts';
import { pruneOldest } from '../../db/queries/context/prune.ts';
import type { OperationContext } from '../context/context.ts';
import { lockPayment } from '../context/locks.ts';
import { paymentOf, type PendingPayment } from '../gateway-calls/cascade.ts';
import { agreedNow } from '../gateway-calls/reserve.ts';
import { type MadeLink, newPageToken, pageTokenHash } from '../hosted-pages/tokens.ts';

/** Longer than any payment waits for its payer. */
const KEPT_DAYS = 30;
const DAY_MS = 86_400_000;
/** With each making of a link. */
const PRUNED_MAX = 200;

const insertLink = insertingOne('make-action-link', {
  into: ActionLink,
  columns: ['tokenHash', 'paymentId', 'madeAt'],
});

type Now = Pick<OperationContext, 'tenant' | 'time' | 'realNow'>;

/** Undefined if the payment does not wait for its payer, or not any more. */
function openUntil({ tenant, time, realNow }: Now, payment: PendingPayment): Date | undefined {
  const until = waitsUntil(payment, tenant.timezone);
  return until === null || isWaitOver(payment, { today: time.today, realNow }) ? undefined : until;
}

/** A new link each time; undefined if the payment does not wait for its payer. */
export async function actionLinkOf(
  context: Now & Pick<OperationContext, 'tx'>,
  paymentId: number,
): Promise<MadeLink | undefined> {
  const { tx, realNow } = context;
  const validUntil = openUntil(context, await paymentOf(context, paymentId));
  if (validUntil === undefined) return undefined;
  const until = new Date(realNow.getTime() - KEPT_DAYS * DAY_MS);
  pruneOldest(tx, {
    table: 'action_link',
    key: 'token_hash',
    at: 'made_at',
    until,
    max: PRUNED_MAX,
  });
  const { token, hash: tokenHash } = newPageToken();
  insertLink(tx, { tokenHash, paymentId, madeAt: realNow });
  return { path: `/action/${token}`, validUntil };
}

/** Throws payment.unknown, payment.noAction. */
export async function makeActionLink(
  context: OperationContext,
  paymentId: number,
): Promise<MadeLink> {
  await lockPayment(context.tx, paymentId);
  const link = await actionLinkOf(context, paymentId);
  if (link !== undefined) return link;
  throw new DomainError('payment.noAction', 'the payment does not wait for its payer');
}

/** What the page of a link shows, and nothing else. */
export interface ShownAction {
  readonly paymentId: number;
  /** What the payer agrees to now. */
  readonly amount: Decimal;
  readonly currency: string;
  /** Masked. */
  readonly method: string | null;
  readonly invoices: readonly { readonly id: number; readonly invoiceNumber: string }[];
  readonly until: Date;
  readonly locale: string | null;
  readonly countryCode: string | null;
}

export interface ActionRow {
  readonly paymentId: number;
  /** The payer has begun to confirm it, and may come back from there. */
  readonly isBegun: boolean;
}

/** Undefined for a token that nobody has made. */
export async function findAction(tx: Tx, token: string): Promise<ActionRow | undefined> {
  const [row] = await tx.query<ActionRow & Record<string, unknown>>(
    `select l.payment_id, p.confirmations > 0 as is_begun
     from action_link l join payment p on p.tenant_id = l.tenant_id and p.id = l.payment_id
     where l.tenant_id = $1 and l.token_hash = $2`,
    [tx.tenantId, pageTokenHash(token)],
    'find-action',
  );
  return row;
}

/** Undefined once the wait is over. */
export async function readAction(
  context: OperationContext,
  paymentId: number,
): Promise<ShownAction | undefined> {
  const { tx } = context;
  const payment = await paymentOf(context, paymentId);
  const until = openUntil(context, payment);
  if (until === undefined) return undefined;
  const amount = await agreedNow(context, payment);
  if (amount === null) return undefined;
  const [[customer], invoices] = await Promise.all([
    tx.query<{ locale: string | null; countryCode: string | null; method: string | null }>(
      `select c.locale, b.country_code, p.payment_method_context as method
       from payment p join customer c on c.tenant_id = p.tenant_id and c.id = p.customer_id
       left join contact b on b.tenant_id = c.tenant_id and b.customer_id = c.id
         and b.kind = 'billing'
       where p.tenant_id = $1 and p.id = $2`,
      [tx.tenantId, paymentId],
      'payer-of-action',
    ),
    tx.query<{ id: number; invoiceNumber: string }>(
      `select id, invoice_number from invoice
       where tenant_id = $1 and id = any($2) and invoice_number is not null order by id`,
      [tx.tenantId, payment.namedInvoiceIds],
      'invoices-of-action',
    ),
  ]);
  const { locale = null, countryCode = null, method = null } = customer ?? {};
  const { currency } = payment;
  return { paymentId, amount, currency, method, invoices, until, locale, countryCode };
}
