/** Writes the ledger entries of payments, answers of gateways, and payment methods. */
import type { Decimal, IsoDate } from '../../../domain/model.ts';
import type { Entry } from '../../../domain/payments/happened.ts';
import type { Tx } from '../../connection/tenancy.ts';

export interface PaymentEntry {
  readonly customer_id: number;
  readonly currency: string;
  readonly kind: Entry['kind'];
  readonly amount: Decimal;
  readonly payment_id: number;
  /** The withdrawal that the entry records. */
  readonly withdrawal_id?: number;
}

/** Adds ledger entries, and updates the balances that sum them; the customers are locked. */
export function enterPayments(
  tx: Tx,
  rows: readonly PaymentEntry[],
  at: { readonly now: Date; readonly today: IsoDate },
): void {
  tx.send(
    `with entered as (
       insert into ledger_entry
         (tenant_id, customer_id, currency, kind, amount, payment_id, withdrawal_id, entered_on,
          entered_at)
       select $1, r.*, $3, $4 from json_to_recordset($2) as r(customer_id bigint, currency text,
         kind text, amount numeric, payment_id bigint, withdrawal_id bigint)
       returning customer_id, currency, amount)
     insert into customer_balance (tenant_id, customer_id, currency, balance)
     select $1, customer_id, currency, sum(amount) from entered group by 2, 3
     on conflict (tenant_id, customer_id, currency)
     do update set balance = customer_balance.balance + excluded.balance`,
    [tx.tenantId, JSON.stringify(rows), at.today, at.now],
    'enter-payments',
  );
}

export interface ResultInsert {
  readonly payment_id: number;
  readonly processor: string;
  readonly processor_request_type: 'charge' | 'refund' | 'void';
  readonly transaction_id: string | null;
  readonly is_success: boolean;
  readonly is_error: boolean;
  readonly error_code: string;
  readonly error_message: string | null;
  readonly is_hard_decline: boolean;
  readonly status_code: string | null;
  readonly status_message: string | null;
  readonly amount: Decimal;
  readonly secondary_amount: Decimal;
  readonly currency: string;
  readonly avs_code: string | null;
  readonly cvv_code: string | null;
  readonly approval_code: string | null;
  readonly response_time_ms: number | null;
}

export function insertResult(tx: Tx, row: ResultInsert, now: Date): void {
  tx.send(
    `insert into processor_result (tenant_id, payment_id, processor, processor_request_type,
       transaction_id, is_success, is_error, is_hard_decline, error_code, error_message,
       status_code, status_message, amount, secondary_amount, currency, avs_code, cvv_code,
       approval_code, response_time_ms, created_at)
     select $1, r.*, $3 from json_to_record($2) as r(payment_id bigint, processor text,
       processor_request_type text, transaction_id text, is_success boolean, is_error boolean,
       is_hard_decline boolean, error_code text, error_message text, status_code text,
       status_message text, amount numeric, secondary_amount numeric, currency text, avs_code text, cvv_code text,
       approval_code text, response_time_ms int)`,
    [tx.tenantId, JSON.stringify(row), now],
    'insert-result',
  );
}

export interface MethodInsert {
  readonly id: number;
  readonly customer_id: number;
  readonly type: string;
  readonly gateway: string;
  readonly token: string;
  readonly brand: string | null;
  readonly last_four: string | null;
  readonly expiry: IsoDate | null;
}

/** Stores a method that is not on file yet. */
export function insertMethod(tx: Tx, row: MethodInsert, now: Date): void {
  tx.send(
    `insert into payment_method (tenant_id, id, customer_id, type, gateway, token, brand,
       last_four, expiry, created_at, updated_at)
     select $1, r.*, $3, $3 from json_to_record($2) as r(id bigint, customer_id bigint, type text,
       gateway text, token text, brand text, last_four text, expiry date)`,
    [tx.tenantId, JSON.stringify(row), now],
    'insert-method',
  );
}

export interface OnFile {
  readonly customerId: number;
  readonly methodId: number;
  readonly preference: number;
}

/** Replaces a method on file; payments may still refer to the old one. */
export function putOnFile(tx: Tx, { customerId, methodId, preference }: OnFile, now: Date): void {
  tx.send(
    `update payment_method set autopay_preference = null, updated_at = $4
     where tenant_id = $1 and customer_id = $2 and autopay_preference = $3`,
    [tx.tenantId, customerId, preference, now],
    'take-off-file',
  );
  tx.send(
    `update payment_method set autopay_preference = $3, updated_at = $4
     where tenant_id = $1 and id = $2`,
    [tx.tenantId, methodId, preference, now],
    'put-on-file',
  );
}

/** The gateway said that the method will never work again. */
export function markHardDeclined(tx: Tx, methodId: number, now: Date): void {
  tx.send(
    `update payment_method set hard_declined_at = coalesce(hard_declined_at, $3), updated_at = $3
     where tenant_id = $1 and id = $2`,
    [tx.tenantId, methodId, now],
    'mark-hard-declined',
  );
}
