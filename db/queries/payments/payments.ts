/**
 * Every statement that changes a payment, credit or refund: what became of it, what was applied of
 * it, and the news that its gateway was asked for.
 */
import type { IsoDate } from '../../../domain/calendar/calendar.ts';
import type { PaymentState, Transition } from '../../../domain/payments/happened.ts';
import { changesOf } from '../../../domain/access/audit-log.ts';
import { noteChanges } from '../../connection/audited.ts';
import type { Tx } from '../../connection/tenancy.ts';
import { Payment, InvoicePayment } from '../../entities/payments.ts';
import { given, type GivenBy } from '../context/insertion.ts';
import type { PaymentMethodColumns } from './new-payments.ts';
import { enterPayments } from './write.ts';

/** The columns of a payment's state, under the names that the state machine gives them. */
export const stateColumns = (p: string): string => `${p}.payment_type as type, ${p}.status,
  ${p}.phase, ${p}.amount, ${p}.surcharge, ${p}.refunded, ${p}.withdrawn,
  case when ${p}.refunded > 0 then (select count(*) from refund_share of_refund
    join payment refund on refund.tenant_id = of_refund.tenant_id and refund.id = of_refund.refund_id
    where of_refund.tenant_id = ${p}.tenant_id and of_refund.payment_id = ${p}.id
      and refund.status = 'Pending')::int else 0 end as refunds_under_way,
  ${p}.transaction_id, ${p}.charged_on,
  ${p}.gateway_news_on as news_on, ${p}.action_ends_at, ${p}.resolved_on`;

/**
 * Until when the payment waits for its payer: that of an absent one ends at 00:00 of a day in the
 * time zone; null if it does not wait.
 */
export const waitsUntilOf = (p: string, timezone: string): string =>
  `case when ${p}.status = 'ActionRequired' then
    coalesce(${p}.action_ends_at, ${p}.gateway_news_on::timestamp at time zone ${timezone}) end`;

/** A payment as it was read, and what became of it. */
export interface PaymentChange {
  readonly payment: PaymentState & {
    readonly id: number;
    readonly customerId: number;
    readonly currency: string;
  };
  readonly transition: Transition;
  /** If it is charged by another method than before. */
  readonly method?: PaymentMethodColumns | null;
}

const written = given(
  Payment,
  {
    id: 'id',
    wasStatus: 'status',
    wasPhase: 'phase',
    wasRefunded: 'refunded',
    wasWithdrawn: 'withdrawn',
    status: 'status',
    phase: 'phase',
    amount: 'amount',
    unapplied: 'balance',
    refunded: 'refunded',
    withdrawn: 'withdrawn',
    transactionId: 'transactionId',
    chargedOn: 'chargedOn',
    newsOn: 'gatewayNewsOn',
    actionEndsAt: 'actionEndsAt',
    resolvedOn: 'resolvedOn',
    paymentMethodType: 'paymentMethodType',
    paymentMethodContext: 'paymentMethodContext',
    paymentMethodId: 'paymentMethodId',
    autopayPreference: 'autopayPreference',
    gateway: 'gateway',
  },
  { besides: { shows: 'text' } },
);

const writeText = `with r as (select * from ${written.recordset}),
  written as (
    update payment p set status = r.status, phase = r.phase, amount = r.amount,
      balance = case when p.carried_open is null then p.balance + r.unapplied
                     else greatest(p.balance + r.unapplied, 0) end,
      carried_open = p.carried_open + least(p.balance + r.unapplied, 0), refunded = r.refunded,
      withdrawn = r.withdrawn, transaction_id = r."transactionId", charged_on = r."chargedOn",
      gateway_news_on = r."newsOn", action_ends_at = r."actionEndsAt",
      return_sealed = case when r.status in ('Pending', 'ActionRequired') then p.return_sealed end,
      resolved_on = r."resolvedOn",
      payment_method_type = coalesce(r."paymentMethodType", p.payment_method_type),
      payment_method_context = coalesce(r."paymentMethodContext", p.payment_method_context),
      payment_method_id = coalesce(r."paymentMethodId", p.payment_method_id),
      autopay_preference = coalesce(r."autopayPreference", p.autopay_preference),
      gateway = coalesce(r.gateway, p.gateway),
      version = p.version + case r.shows when 'version' then 1 else 0 end,
      updated_at = case r.shows when 'nothing' then p.updated_at else $3 end
    from r where p.tenant_id = $1 and p.id = r.id and p.status = r."wasStatus"
      and p.phase is not distinct from r."wasPhase" and p.refunded = r."wasRefunded"
      and p.withdrawn = r."wasWithdrawn"
    returning p.id)
  select ('payment ' || id || ' is no longer as it was read')::int
  from r where id not in (select id from written)`;

/**
 * Writes the states and the ledger entries. The customers are locked since the payments were read:
 * if one of them is no longer as it was read, the transaction fails. What a BatchInit closed of a
 * payment goes back last.
 */
export function writePayments(
  tx: Tx,
  changes: readonly PaymentChange[],
  at: { readonly now: Date; readonly today: IsoDate },
): void {
  if (changes.length === 0) return;
  tx.send(writeText, [tx.tenantId, JSON.stringify(changes.map(rowOf)), at.now], 'write-payments');
  for (const { payment, transition } of changes) {
    const object = { type: 'payment', id: payment.id } as const;
    noteChanges(tx, object, changesOf(seenOf(payment), seenOf(transition.state)));
  }
  enterTransitions(tx, changes, at);
}

/** What callers see of a state; the balance follows from what is applied. */
const seenOf = ({ status, amount }: PaymentState) => ({ status, amount });

/** Writes only the ledger entries: of a credit, which is inserted in its final state. */
export function enterTransitions(
  tx: Tx,
  changes: readonly PaymentChange[],
  at: { readonly now: Date; readonly today: IsoDate },
): void {
  const entries = changes.flatMap(({ payment, transition }) => {
    const { id: paymentId, customerId, currency } = payment;
    return transition.entries.map(({ kind, amount, withdrawalId }) => ({
      customerId,
      currency,
      kind,
      amount,
      paymentId,
      ...(withdrawalId === undefined ? {} : { withdrawalId }),
    }));
  });
  if (entries.length > 0) enterPayments(tx, entries, at);
}

function rowOf({ payment, transition, method }: PaymentChange) {
  const { state, unapplied, shows } = transition;
  const { id, status, phase, refunded, withdrawn } = payment;
  const was = {
    wasStatus: status,
    wasPhase: phase,
    wasRefunded: refunded,
    wasWithdrawn: withdrawn,
  };
  return { ...method, ...state, ...was, id, unapplied, shows };
}

const applied = given(InvoicePayment, ['paymentId', 'debitId', 'amountApplied']);

/** What was applied of a payment, to an invoice or a debit; negative for a reversal. */
export type AppliedAmount = GivenBy<typeof applied>;

const moveText = `update payment p set
    balance = p.balance + case when p.status = 'CarriedOver' then 0 else a.change end,
    carried_open = p.carried_open + case when p.status = 'CarriedOver' then a.change else 0 end,
    version = p.version + 1, updated_at = $3
  from (select id, sum(change) as change from (
          select r."paymentId" as id, -r."amountApplied" as change from ${applied.recordset}
          union all
          select r."debitId", r."amountApplied" from ${applied.recordset}
          where r."debitId" is not null) each group by id) a
  where p.tenant_id = $1 and p.id = a.id`;

/**
 * Takes what was applied off the unapplied balances, and off what is open of the debits. Credits and
 * debits that were carried over do not open again.
 */
export function moveBalances(tx: Tx, rows: readonly AppliedAmount[], now: Date): void {
  tx.send(moveText, [tx.tenantId, applied.json(rows), now], 'move-payment-balances');
}

/**
 * What `asked` of the state machine does to the payment of that phase, without a lock: the day of
 * its news has passed, and the gateway was asked. The day of a resolved call stays.
 */
export function forgetNews(
  tx: Tx,
  { id, phase }: { readonly id: number; readonly phase: 'Processing' | null },
  today: IsoDate,
): void {
  tx.send(
    `update payment set gateway_news_on = null
     where tenant_id = $1 and id = $2 and phase is not distinct from $3
       and gateway_news_on <= $4 and resolved_on is null`,
    [tx.tenantId, id, phase, today],
    'news-asked',
  );
}

/** The method that the payment was to put on file, which it does no longer; undefined for none. */
export async function takeSaving(
  tx: Tx,
  paymentId: number,
): Promise<{ readonly methodId: number; readonly preference: number } | undefined> {
  const [saved] = await tx.query<{ methodId: number; preference: number }>(
    `with was as (select id, payment_method_id, save_as_preference from payment
       where tenant_id = $1 and id = $2 and save_as_preference is not null)
     update payment p set save_as_preference = null from was
     where p.tenant_id = $1 and p.id = was.id
     returning was.payment_method_id as method_id, was.save_as_preference as preference`,
    [tx.tenantId, paymentId],
    'take-saving',
  );
  return saved;
}

/** Counts the confirmations of a payment that its payer begins; each number is of one of them. */
export async function nextConfirmation(tx: Tx, id: number): Promise<number> {
  const [row] = await tx.query<{ number: number }>(
    `update payment set confirmations = confirmations + 1
     where tenant_id = $1 and id = $2 returning confirmations as number`,
    [tx.tenantId, id],
    'next-confirmation',
  );
  if (!row) throw new Error(`there is no payment ${id}`);
  return row.number;
}

/* What of a payment refunds that are under way have reserved. */

/**
 * The part of a payment's unapplied money that pending refunds have reserved. What one of invoices takes
 * is still applied to them, unless they were cancelled meanwhile.
 */
export const setAsideOf = (p: string): string =>
  `case when ${p}.refunded > 0 then least(${p}.balance, (
     select coalesce(sum(s.amount - ${stillApplied('s')}), 0) from refund_share s
     join payment r on r.tenant_id = s.tenant_id and r.id = s.refund_id
     where s.tenant_id = ${p}.tenant_id and s.payment_id = ${p}.id and r.status = 'Pending'
       and s.status <> 'Declined')) else 0 end`;

const stillApplied = (s: string): string => `coalesce((
  select sum(least(v.amount, (
    select coalesce(sum(a.amount_applied), 0) from invoice_payment a
    where a.tenant_id = v.tenant_id and a.payment_id = v.payment_id
      and a.invoice_id = v.invoice_id)))
  from refund_reservation v
  where v.tenant_id = ${s}.tenant_id and v.refund_id = ${s}.refund_id
    and v.payment_id = ${s}.payment_id), 0)`;

/** What refunds of an invoice that are under way take of a payment, of an application `a` to it. */
export const reservedOf = (a: string): string => `coalesce((
  select sum(v.amount) from refund_reservation v
  where v.tenant_id = ${a}.tenant_id and v.payment_id = ${a}.payment_id
    and v.invoice_id = ${a}.invoice_id), 0)`;
