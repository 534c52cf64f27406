/** From which payments a refund may take, and how much of each. */
import { DomainError } from '../../domain/errors.ts';
import type { Decimal, IsoDate } from '../../domain/model.ts';
import {
  methodContext,
  takeRefund,
  type PaymentMethodType,
  type RefundTake,
} from '../../domain/payments.ts';
import type { GatewayName } from '../../providers/gateway/gateway.ts';
import type { Reader } from '../listing.ts';
import { setAsideOf } from './apply.ts';
import type { PaymentInput } from './input.ts';

/** The method that a refund names: only what was paid by it goes back. All null: any. */
export interface RefundSource {
  readonly payment_method_type: PaymentMethodType | null;
  readonly payment_method_context: string | null;
}

export interface Owner {
  readonly customer_id: number;
  readonly currency: string;
}

/**
 * A card or account is known by its kind, brand and last four digits, which is all that is kept of
 * it; Cash and Check take from any payment.
 */
export async function refundSource(
  tx: Reader,
  customerId: number,
  input: PaymentInput,
): Promise<RefundSource> {
  const { method } = input;
  switch (method?.by) {
    case undefined:
      return { payment_method_type: null, payment_method_context: null };
    case 'Cash':
    case 'Check':
      return { payment_method_type: method.by, payment_method_context: method.by };
    case 'vaulted':
      return sourceOf(method.type, method.method.brand, method.method.lastFour);
    case 'preference': {
      const [stored] = await tx.query<{
        type: PaymentMethodType;
        brand: string | null;
        last_four: string | null;
      }>(
        `select type, brand, last_four from payment_method
         where customer_id = $1 and autopay_preference = $2`,
        [customerId, method.preference],
        'refund-to-preference',
      );
      if (stored) return sourceOf(stored.type, stored.brand, stored.last_four);
      throw new DomainError('paymentMethod.unknown', 'the customer has no such method on file', {
        path: `${input.root}/autopayPreference`,
        value: String(method.preference),
      });
    }
  }
}

function sourceOf(
  type: PaymentMethodType,
  brand: string | null,
  lastFour: string | null,
): RefundSource {
  return {
    payment_method_type: type,
    payment_method_context: methodContext({ type, brand, lastFour }),
  };
}

export interface RefundableRow {
  readonly id: number;
  readonly effective_date: IsoDate;
  /** And not on its way back either. */
  readonly unapplied: Decimal;
  readonly refundable: Decimal;
  /** What the gateway was asked for. */
  readonly amount: Decimal;
  readonly gateway: GatewayName | null;
  readonly charged_on: IsoDate | null;
}

function refundableOf(tx: Reader, owner: Owner, source: RefundSource): Promise<RefundableRow[]> {
  const { payment_method_type: type, payment_method_context: context } = source;
  const anyMethod = type === null || type === 'Cash' || type === 'Check';
  return tx.query<RefundableRow>(
    `select id, effective_date, balance - ${setAsideOf('p')} as unapplied,
            amount - surcharge - refunded as refundable, amount, gateway, charged_on
     from payment p
     where customer_id = $1 and currency = $2 and payment_type = 'Payment' and status = 'Paid'
       and ($3::text is null or (payment_method_type = $3 and payment_method_context = $4))`,
    [owner.customer_id, owner.currency, anyMethod ? null : type, context],
    'refundable-payments',
  );
}

/** None when there is not so much to take. */
export async function takesOf(
  tx: Reader,
  owner: Owner,
  { amount, source }: { readonly amount: Decimal; readonly source: RefundSource },
): Promise<PlannedShare[] | null> {
  const rows = await refundableOf(tx, owner, source);
  const takes = takeRefund(
    amount,
    rows.map(({ id, effective_date, unapplied, refundable }) => ({
      id,
      effectiveDate: effective_date,
      refundable,
      unapplied,
    })),
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  const byHand = source.payment_method_type === 'Cash' || source.payment_method_type === 'Check';
  return (
    takes?.flatMap((take) => {
      const row = byId.get(take.paymentId);
      return row ? [{ ...take, row, gateway: byHand ? null : row.gateway }] : [];
    }) ?? null
  );
}

export interface PlannedShare extends RefundTake {
  readonly row: RefundableRow;
  /** Null where the money does not go back by a gateway. */
  readonly gateway: GatewayName | null;
}

interface Asked {
  readonly amount: Decimal;
  readonly source: RefundSource;
  readonly input: PaymentInput;
}

/** Answers the gateway that has the first part in it, or null; throws payment.refundTooHigh. */
export async function assertRefundable(
  tx: Reader,
  owner: Owner,
  asked: Asked,
): Promise<GatewayName | null> {
  const shares = await takesOf(tx, owner, asked);
  if (shares !== null) return shares.find(({ gateway }) => gateway !== null)?.gateway ?? null;
  throw new DomainError(
    'payment.refundTooHigh',
    `amount is more than was paid${asked.source.payment_method_context === null ? '' : ' by this method'} and has not gone back`,
    { path: `${asked.input.root}/amount`, value: asked.amount },
  );
}
