/** Writes payments, credits and refunds, and their ledger entries. */
import type { Decimal, IsoDate } from '../../../domain/model.ts';
import type {
  PaymentMethodType,
  PaymentStatus,
  PaymentType,
} from '../../../domain/payments/allocation.ts';
import type { Tx } from '../../connection/tenancy.ts';

export interface PaymentInsert {
  readonly id: number;
  readonly cascade_id: number;
  readonly attempt: number;
  readonly customer_id: number;
  readonly payment_type: PaymentType;
  readonly status: PaymentStatus;
  readonly phase: 'Waiting' | null;
  readonly payment_method_type: PaymentMethodType | null;
  readonly payment_method_id: number | null;
  readonly payment_method_context: string | null;
  readonly autopay_preference: number | null;
  readonly is_cascading: boolean;
  readonly save_as_preference: number | null;
  readonly currency: string;
  readonly amount: Decimal;
  readonly surcharge: Decimal;
  readonly effective_date: IsoDate;
  readonly gateway: string | null;
  readonly named_invoice_ids: readonly number[];
  readonly autopay_invoice_id: number | null;
  /** Left out if no retry or installment made it. */
  readonly collection_attempt_id?: number | null;
  readonly is_system_payment: boolean;
  readonly is_processed_by_billing_run: boolean;
  readonly base_user_id: number | null;
  readonly notes: string | null;
  readonly invoice_text: string | null;
  readonly purchase_description: string | null;
}

/**
 * SQL for the key of a future gateway call; $1 is the tenant. Its random part differs in a restored
 * database and in a second installation on the same account; label and id are for people.
 */
export const newGatewayKey = (id: string): string =>
  `(select label from tenant where id = $1) || '/' || ${id} || '/' || gen_random_uuid()`;

/**
 * Balance and refunded begin at 0, until the payment is entered. A payment through a gateway gets
 * its key here.
 */
export function insertPayments(tx: Tx, rows: readonly PaymentInsert[], now: Date): void {
  tx.send(
    `insert into payment (tenant_id, id, cascade_id, attempt, customer_id, payment_type, status,
       phase, payment_method_type, payment_method_id, payment_method_context, autopay_preference,
       is_cascading, save_as_preference, currency, amount, surcharge, effective_date, gateway,
       named_invoice_ids, autopay_invoice_id, collection_attempt_id, is_system_payment,
       is_processed_by_billing_run, base_user_id, notes, invoice_text, purchase_description,
       created_at, updated_at, gateway_key)
     select $1, r.id, r.cascade_id, r.attempt, r.customer_id, r.payment_type, r.status, r.phase,
       r.payment_method_type, r.payment_method_id, r.payment_method_context,
       r.autopay_preference, r.is_cascading, r.save_as_preference, r.currency, r.amount,
       r.surcharge, r.effective_date, r.gateway, r.named_invoice_ids, r.autopay_invoice_id,
       r.collection_attempt_id, r.is_system_payment, r.is_processed_by_billing_run, r.base_user_id, r.notes,
       r.invoice_text, r.purchase_description, $3, $3,
       case when r.gateway is not null and r.payment_type = 'Payment'
            then ${newGatewayKey('r.id')} end
     from json_to_recordset($2) as r(id bigint, cascade_id bigint, attempt int, customer_id bigint,
       payment_type text, status text, phase text, payment_method_type text,
       payment_method_id bigint, payment_method_context text, autopay_preference smallint,
       is_cascading boolean, save_as_preference smallint, currency text, amount numeric,
       surcharge numeric, effective_date date, gateway text, named_invoice_ids bigint[],
       autopay_invoice_id bigint, collection_attempt_id bigint, is_system_payment boolean, is_processed_by_billing_run boolean,
       base_user_id bigint, notes text, invoice_text text, purchase_description text)`,
    [tx.tenantId, JSON.stringify(rows), now],
    'insert-payments',
  );
}

export interface PaymentEntry {
  readonly customer_id: number;
  readonly currency: string;
  readonly kind:
    | 'payment'
    | 'paymentCanceled'
    | 'surcharge'
    | 'surchargePaid'
    | 'credit'
    | 'debit'
    | 'refund'
    | 'paymentReturned'
    | 'paymentDisputed';
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
