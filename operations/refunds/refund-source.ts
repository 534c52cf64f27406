/** The payments from which a refund may take, and how much of each. */
import { DomainError } from '../../domain/errors.ts';
import { compare, sum, type Decimal } from '../../domain/money/money.ts';
import {
  methodContext,
  takeApplied,
  takeRefund,
  type AppliedMoney,
  type InvoiceTake,
  type PaymentMethodType,
  type RefundTake,
  type ShownMethod,
} from '../../domain/payments/allocation.ts';
import type { GatewayName } from '../../providers/gateway/gateway.ts';
import { reservedOf, stateColumns, setAsideOf } from '../../db/queries/payments/payments.ts';
import type { PaymentState } from '../../domain/payments/happened.ts';
import type { Reader } from '../context/listing.ts';
import type { MethodChoice } from '../payment-methods/choice.ts';
import type { Payment } from '../../db/entities/payments.ts';
import type { RowOf } from '../../db/entities/rows.ts';

/**
 * The method that a refund names, which limits it to payments by that method. All null: any method.
 */
export interface RefundSource {
  readonly paymentMethodType: PaymentMethodType | null;
  readonly paymentMethodContext: string | null;
  /** For a token: the stored method with that token, null if none was used. */
  readonly paymentMethodId: number | null;
}

export interface Owner {
  readonly customerId: number;
  readonly currency: string;
}

interface NamedSource {
  readonly method: MethodChoice | null;
  /** The root element of the request, the start of error paths. */
  readonly root: string;
}

/**
 * A card or account is matched by its kind, brand and last four digits, because nothing else of it
 * is stored; a token is matched by itself. Cash and Check match any payment.
 */
export async function refundSource(
  tx: Reader,
  customerId: number,
  { method, root }: NamedSource,
): Promise<RefundSource> {
  switch (method?.by) {
    case undefined:
      return anySource;
    case 'Cash':
    case 'Check':
      return { ...anyMethod, paymentMethodType: method.by, paymentMethodContext: method.by };
    case 'vaulted': {
      const { token, ...shown } = method.method;
      const id = method.type === 'Token' ? await paidByToken(tx, customerId, token) : null;
      return sourceOf({ ...shown, id, type: method.type });
    }
    case 'preference': {
      const [stored] = await tx.query<NamedMethod & Record<string, unknown>>(
        `select id, type, brand, last_four, debit, country from payment_method
         where customer_id = $1 and autopay_preference = $2`,
        [customerId, method.preference],
        'refund-to-preference',
      );
      if (stored) return sourceOf(stored);
      throw new DomainError('paymentMethod.unknown', 'the customer has no such method on file', {
        path: `${root}/autopayPreference`,
        value: String(method.preference),
      });
    }
  }
}

interface NamedMethod extends ShownMethod {
  readonly id: number | null;
}

const anyMethod = { paymentMethodContext: null, paymentMethodId: null } as const;
/** Each part goes back the way it came. */
export const anySource: RefundSource = { ...anyMethod, paymentMethodType: null };

function sourceOf({ id, ...method }: NamedMethod): RefundSource {
  const { type } = method;
  return {
    paymentMethodType: type,
    paymentMethodContext: methodContext(method),
    paymentMethodId: type === 'Token' ? id : null,
  };
}

async function paidByToken(tx: Reader, customerId: number, token: string): Promise<number | null> {
  const [method] = await tx.query<{ id: number }>(
    `select id from payment_method where customer_id = $1 and type = 'Token' and token = $2
     order by id limit 1`,
    [customerId, token],
    'refund-to-token',
  );
  return method?.id ?? null;
}

/** Cash and checks refund payments by any method. */
function isRestricted({ paymentMethodType: type }: RefundSource): boolean {
  return type !== null && type !== 'Cash' && type !== 'Check';
}

export interface RefundableRow
  extends PaymentState, Owner, RowOf<typeof Payment, 'id' | 'effectiveDate' | 'gateway'> {
  /** Without the part that a pending refund has reserved. */
  readonly unapplied: Decimal;
  readonly refundable: Decimal;
}

function refundableOf(tx: Reader, owner: Owner, source: RefundSource): Promise<RefundableRow[]> {
  const { paymentMethodType: type, paymentMethodContext: context } = source;
  return tx.query<RefundableRow & Record<string, unknown>>(
    `select id, customer_id, currency, effective_date, balance - ${setAsideOf('p')} as unapplied,
            amount - surcharge - refunded - withdrawn - coalesce(carried_open, 0) as refundable, gateway, ${stateColumns('p')}
     from payment p
     where customer_id = $1 and currency = $2 and payment_type = 'Payment' and status = 'Paid'
       and ($3::text is null or (payment_method_type = $3 and case when $3 = 'Token'
         then exists (select from payment_method own
           join payment_method named on named.tenant_id = own.tenant_id and named.token = own.token
           where own.tenant_id = p.tenant_id and own.id = p.payment_method_id and named.id = $5)
         else payment_method_context = $4 end))`,
    [
      owner.customerId,
      owner.currency,
      isRestricted(source) ? type : null,
      context,
      source.paymentMethodId,
    ],
    'refundable-payments',
  );
}

/** Null if the payments have too little. */
export async function takesOf(
  tx: Reader,
  owner: Owner,
  { amount, source }: { readonly amount: Decimal; readonly source: RefundSource },
): Promise<readonly PlannedShare[] | null> {
  const rows = await refundableOf(tx, owner, source);
  const takes = takeRefund(
    amount,
    rows.map(({ id, effectiveDate, unapplied, refundable }) => ({
      id,
      effectiveDate,
      refundable,
      unapplied,
    })),
  );
  return takes && planned(takes, rows, source);
}

function planned(
  takes: readonly RefundTake[],
  rows: readonly RefundableRow[],
  { paymentMethodType: type }: RefundSource,
): readonly PlannedShare[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const byHand = type === 'Cash' || type === 'Check';
  return takes.flatMap((take) => {
    const row = byId.get(take.paymentId);
    return row ? [{ ...take, row, gateway: byHand ? null : row.gateway }] : [];
  });
}

export interface PlannedShare extends RefundTake {
  readonly row: RefundableRow;
  /** Null if no gateway returns the money. */
  readonly gateway: GatewayName | null;
}

/** The gateway of the first share that has one. */
export const gatewayOf = (shares: readonly PlannedShare[]): GatewayName | null =>
  shares.find(({ gateway }) => gateway !== null)?.gateway ?? null;

/** Shares of a refund, and what they take of which invoices, if it names some. */
export interface RefundPlan {
  readonly shares: readonly PlannedShare[];
  readonly takes: readonly InvoiceTake[];
}

interface OfInvoices {
  readonly amount: Decimal;
  readonly source: RefundSource;
  readonly invoiceIds: readonly number[];
}

/** What goes back of the money applied to invoices, at most the amount. */
export async function sharesOfInvoices(
  tx: Reader,
  owner: Owner,
  { amount, source, invoiceIds }: OfInvoices,
): Promise<RefundPlan> {
  const [rows, applied] = await Promise.all([
    refundableOf(tx, owner, source),
    tx.query<AppliedMoney & Record<string, unknown>>(
      `select a.payment_id, a.invoice_id, sum(a.amount_applied) - ${reservedOf('a')} as amount,
              max(a.id) filter (where a.amount_applied > 0) as newest_id
       from invoice_payment a where a.invoice_id = any($1)
       group by a.tenant_id, a.payment_id, a.invoice_id`,
      [invoiceIds],
      'applied-to-invoices',
    ),
  ]);
  const takes = takeApplied(amount, rows, applied);
  const shares = [...Map.groupBy(takes, ({ paymentId }) => paymentId)].map(
    ([paymentId, of]): RefundTake => ({ paymentId, amount: sum(of.map((take) => take.amount)) }),
  );
  return { takes, shares: planned(shares, rows, source) };
}

interface Asked {
  readonly amount: Decimal;
  readonly source: RefundSource;
  readonly input: { readonly root: string; readonly invoiceIds: readonly number[] };
}

/** Throws payment.refundTooHigh. */
export async function planRefund(tx: Reader, owner: Owner, asked: Asked): Promise<RefundPlan> {
  const { amount, source, input } = asked;
  const { invoiceIds } = input;
  const byMethod = isRestricted(source) ? ' by this method' : '';
  if (invoiceIds.length > 0) {
    const plan = await sharesOfInvoices(tx, owner, { amount, source, invoiceIds });
    if (compare(sum(plan.takes.map((take) => take.amount)), amount) === 0) return plan;
    throw tooHigh(
      asked,
      `amount is more than was paid${byMethod} on these invoices and not refunded`,
    );
  }
  const shares = await takesOf(tx, owner, asked);
  if (shares !== null) return { shares, takes: [] };
  throw tooHigh(asked, `amount is more than was paid${byMethod} and not refunded`);
}

function tooHigh({ amount, input }: Asked, message: string): DomainError {
  return new DomainError('payment.refundTooHigh', message, {
    path: `${input.root}/amount`,
    value: amount,
  });
}
