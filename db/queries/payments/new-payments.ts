/** Inserts payments, credits and refunds: the one statement that does. */
import type { Decimal, IsoDate } from '../../../domain/model.ts';
import type { PaymentMethodType } from '../../../domain/payments/allocation.ts';
import type { PaymentState } from '../../../domain/payments/happened.ts';
import { credited } from '../../../domain/payments/transitions.ts';
import type { Tx } from '../../connection/tenancy.ts';

/** The method by which a payment is charged. */
export interface PaymentMethodColumns {
  readonly payment_method_type: PaymentMethodType | null;
  readonly payment_method_id: number | null;
  readonly payment_method_context: string | null;
  /** The place of the method on file. */
  readonly autopay_preference: number | null;
  readonly gateway: string | null;
}

export const noMethod: PaymentMethodColumns = {
  payment_method_type: null,
  payment_method_id: null,
  payment_method_context: null,
  autopay_preference: null,
  gateway: null,
};

export interface PaymentInsert extends PaymentState, PaymentMethodColumns {
  readonly id: number;
  readonly cascade_id: number;
  /** Its number in the cascade of its invoice, from 1. */
  readonly attempt: number;
  readonly customer_id: number;
  readonly currency: string;
  readonly effective_date: IsoDate;
  /** Of a payment 0 until it is Paid; a credit has all of its amount. */
  readonly balance: Decimal;
  readonly is_cascading: boolean;
  readonly save_as_preference: number | null;
  readonly named_invoice_ids: readonly number[];
  readonly autopay_invoice_id: number | null;
  /** The retry or installment that made it. */
  readonly collection_attempt_id: number | null;
  readonly is_system_payment: boolean;
  readonly is_processed_by_billing_run: boolean;
  readonly base_user_id: number | null;
  /** The negative invoice that left the credit. */
  readonly credited_invoice_id: number | null;
  readonly notes: string | null;
  readonly invoice_text: string | null;
  readonly purchase_description: string | null;
}

const plain = {
  ...noMethod,
  attempt: 1,
  balance: '0',
  is_cascading: false,
  save_as_preference: null,
  named_invoice_ids: [],
  autopay_invoice_id: null,
  collection_attempt_id: null,
  is_system_payment: false,
  is_processed_by_billing_run: false,
  base_user_id: null,
  credited_invoice_id: null,
  notes: null,
  invoice_text: null,
  purchase_description: null,
} as const;

type Optional = Partial<Omit<PaymentInsert, keyof PaymentState | 'id'>>;
type Given = Pick<PaymentInsert, 'customer_id' | 'currency' | 'effective_date'> & Optional;

/** A row, of which only what is given differs from a plain one; the first of its cascade if none is given. */
export function newPayment(
  state: PaymentState,
  row: Given & Pick<PaymentInsert, 'id'>,
): PaymentInsert {
  return { ...plain, cascade_id: row.id, ...state, ...row };
}

/** A credit, without its id. */
export function newCredit(amount: Decimal, row: Given): Omit<PaymentInsert, 'id' | 'cascade_id'> {
  const { state, unapplied: balance } = credited(amount);
  return { ...plain, ...state, balance, ...row };
}

/**
 * SQL for the key of a future gateway call; $1 is the tenant. Its random part differs in a restored
 * database and in a second installation on the same account; label and id are for people.
 */
export const newGatewayKey = (id: string): string =>
  `(select label from tenant where id = $1) || '/' || ${id} || '/' || gen_random_uuid()`;

const inserted = {
  payment_type: 'text',
  status: 'text',
  phase: 'text',
  amount: 'numeric',
  surcharge: 'numeric',
  balance: 'numeric',
  attempt: 'int',
  customer_id: 'bigint',
  currency: 'text',
  effective_date: 'date',
  payment_method_type: 'text',
  payment_method_id: 'bigint',
  payment_method_context: 'text',
  autopay_preference: 'smallint',
  gateway: 'text',
  is_cascading: 'boolean',
  save_as_preference: 'smallint',
  named_invoice_ids: 'bigint[]',
  autopay_invoice_id: 'bigint',
  collection_attempt_id: 'bigint',
  is_system_payment: 'boolean',
  is_processed_by_billing_run: 'boolean',
  base_user_id: 'bigint',
  credited_invoice_id: 'bigint',
  notes: 'text',
  invoice_text: 'text',
  purchase_description: 'text',
} as const;
const columns = Object.keys(inserted);

/**
 * Inserts the rows of $3 for the tenant $1 at the time $2; a row without an id gets one. A payment
 * through a gateway gets the key of its call.
 */
export const insertPaymentsText = `
  insert into payment (tenant_id, id, cascade_id, ${columns.join(', ')}, created_at, updated_at,
    gateway_key)
  select $1, r.new_id, coalesce(r.cascade_id, r.new_id),
    ${columns.map((column) => `r.${column}`).join(', ')}, $2, $2,
    case when r.gateway is not null and r.payment_type = 'Payment'
         then ${newGatewayKey('r.new_id')} end
  from (select coalesce(c.id, nextval('id_seq')) as new_id, c.*
        from json_to_recordset($3) as c(id bigint, cascade_id bigint,
          ${Object.entries(inserted)
            .map(([column, type]) => `${column} ${type}`)
            .join(', ')})) r`;

/** The rows of $3 of `insertPaymentsText`; those of credits may leave out their ids. */
export function insertedRows(
  rows: readonly (PaymentInsert | Omit<PaymentInsert, 'id' | 'cascade_id'>)[],
): string {
  return JSON.stringify(rows.map(({ type, ...row }) => ({ ...row, payment_type: type })));
}

export function insertPayments(tx: Tx, rows: readonly PaymentInsert[], now: Date): void {
  tx.send(insertPaymentsText, [tx.tenantId, now, insertedRows(rows)], 'insert-payments');
}
