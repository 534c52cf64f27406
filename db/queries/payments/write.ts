/** Writes the ledger entries of payments, answers of gateways, and payment methods. */
import type { IsoDate } from '../../../domain/calendar/date.ts';
import type { Decimal } from '../../../domain/money/decimal.ts';
import type { Entry } from '../../../domain/payments/happened.ts';
import type { Tx } from '../../connection/tenancy.ts';

export interface PaymentEntry {
  readonly customerId: number;
  readonly currency: string;
  readonly kind: Entry['kind'];
  readonly amount: Decimal;
  readonly paymentId: number;
  /** The withdrawal that the entry records. */
  readonly withdrawalId?: number;
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
       select $1, r.*, $3, $4 from json_to_recordset($2) as r("customerId" bigint, currency text,
         kind text, amount numeric, "paymentId" bigint, "withdrawalId" bigint)
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
  readonly paymentId: number;
  readonly processor: string;
  readonly processorRequestType: 'charge' | 'refund' | 'void';
  readonly transactionId: string | null;
  readonly isSuccess: boolean;
  readonly isError: boolean;
  readonly errorCode: string;
  readonly errorMessage: string | null;
  readonly isHardDecline: boolean;
  readonly statusCode: string | null;
  readonly statusMessage: string | null;
  readonly amount: Decimal;
  readonly secondaryAmount: Decimal;
  readonly currency: string;
  readonly avsCode: string | null;
  readonly cvvCode: string | null;
  readonly approvalCode: string | null;
  readonly responseTimeMs: number | null;
}

export function insertResult(tx: Tx, row: ResultInsert, now: Date): void {
  tx.send(
    `insert into processor_result (tenant_id, payment_id, processor, processor_request_type,
       transaction_id, is_success, is_error, is_hard_decline, error_code, error_message,
       status_code, status_message, amount, secondary_amount, currency, avs_code, cvv_code,
       approval_code, response_time_ms, created_at)
     select $1, r.*, $3 from json_to_record($2) as r("paymentId" bigint, processor text,
       "processorRequestType" text, "transactionId" text, "isSuccess" boolean, "isError" boolean,
       "isHardDecline" boolean, "errorCode" text, "errorMessage" text, "statusCode" text,
       "statusMessage" text, amount numeric, "secondaryAmount" numeric, currency text, "avsCode" text, "cvvCode" text,
       "approvalCode" text, "responseTimeMs" int)`,
    [tx.tenantId, JSON.stringify(row), now],
    'insert-result',
  );
}

export interface MethodInsert {
  readonly id: number;
  readonly customerId: number;
  readonly type: string;
  readonly gateway: string;
  readonly token: string;
  readonly brand: string | null;
  readonly lastFour: string | null;
  readonly expiry: IsoDate | null;
}

/** Stores a method that is not on file yet. */
export function insertMethod(tx: Tx, row: MethodInsert, now: Date): void {
  tx.send(
    `insert into payment_method (tenant_id, id, customer_id, type, gateway, token, brand,
       last_four, expiry, created_at, updated_at)
     select $1, r.*, $3, $3 from json_to_record($2) as r(id bigint, "customerId" bigint, type text,
       gateway text, token text, brand text, "lastFour" text, expiry date)`,
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
