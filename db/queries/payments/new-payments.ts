/** Inserts payments, credits and refunds: the one statement that does. */
import type { IsoDate } from '../../../domain/calendar/calendar.ts';
import type { Decimal } from '../../../domain/money/money.ts';
import type { PaymentMethodType } from '../../../domain/payments/allocation.ts';
import type { PaymentState } from '../../../domain/payments/happened.ts';
import type { Metadata } from '../../../domain/text/metadata.ts';
import { credited } from '../../../domain/payments/transitions.ts';
import { noteObject } from '../../connection/audited.ts';
import type { Tx } from '../../connection/tenancy.ts';
import { columnOf } from '../../entities/rows.ts';
import { given } from '../context/insertion.ts';
import { freezeCustomers, frozenParties } from '../parties/parties.ts';
import { Payment } from '../../entities/payments.ts';

/** The method by which a payment is charged. */
export interface PaymentMethodColumns {
  readonly paymentMethodType: PaymentMethodType | null;
  readonly paymentMethodId: number | null;
  readonly paymentMethodContext: string | null;
  /** The place of the method on file. */
  readonly autopayPreference: number | null;
  readonly gateway: string | null;
}

export const noMethod: PaymentMethodColumns = {
  paymentMethodType: null,
  paymentMethodId: null,
  paymentMethodContext: null,
  autopayPreference: null,
  gateway: null,
};

export interface PaymentInsert extends PaymentState, PaymentMethodColumns {
  readonly id: number;
  readonly cascadeId: number;
  /** Its number in the cascade of its invoice, from 1. */
  readonly attempt: number;
  readonly customerId: number;
  readonly currency: string;
  readonly effectiveDate: IsoDate;
  /** Of a payment 0 until it is Paid; a credit has all of its amount. */
  readonly balance: Decimal;
  readonly isCascading: boolean;
  readonly saveAsPreference: number | null;
  readonly namedInvoiceIds: readonly number[];
  readonly autopayInvoiceId: number | null;
  /** The retry or installment that made it. */
  readonly collectionAttemptId: number | null;
  /** A call retries its invoice: as a retry it uses no method that was declined for ever. */
  readonly isRetry: boolean;
  readonly isSystemPayment: boolean;
  readonly isProcessedByBillingRun: boolean;
  readonly baseUserId: number | null;
  /** The negative invoice that left the credit. */
  readonly creditedInvoiceId: number | null;
  readonly notes: string | null;
  readonly invoiceText: string | null;
  readonly purchaseDescription: string | null;
  readonly metadata: Metadata | null;
  /** Sealed: where its page is, whose payer is present; null if the payer is absent. */
  readonly returnSealed: string | null;
}

const plain = {
  ...noMethod,
  attempt: 1,
  balance: '0',
  isCascading: false,
  saveAsPreference: null,
  namedInvoiceIds: [],
  autopayInvoiceId: null,
  collectionAttemptId: null,
  isRetry: false,
  isSystemPayment: false,
  isProcessedByBillingRun: false,
  baseUserId: null,
  creditedInvoiceId: null,
  notes: null,
  invoiceText: null,
  purchaseDescription: null,
  metadata: null,
  returnSealed: null,
} as const;

type Optional = Partial<Omit<PaymentInsert, keyof PaymentState | 'id'>>;
type Given = Pick<PaymentInsert, 'customerId' | 'currency' | 'effectiveDate'> & Optional;

/** A row, of which only what is given differs from a plain one; the first of its cascade if none is given. */
export function newPayment(
  state: PaymentState,
  row: Given & Pick<PaymentInsert, 'id'>,
): PaymentInsert {
  return { ...plain, cascadeId: row.id, ...state, ...row };
}

/** A credit, without its id. */
export function newCredit(amount: Decimal, row: Given): Omit<PaymentInsert, 'id' | 'cascadeId'> {
  const { state, unapplied: balance } = credited(amount);
  return { ...plain, ...state, balance, ...row };
}

/**
 * SQL for the key of a future gateway call; $1 is the tenant. Its random part differs in a restored
 * database and in a second installation on the same account; label and id are for people.
 */
export const newGatewayKey = (id: string): string =>
  `(select label from tenant where id = $1) || '/' || ${id} || '/' || gen_random_uuid()`;

const keys = [
  'paymentType',
  'status',
  'phase',
  'amount',
  'surcharge',
  'balance',
  'attempt',
  'customerId',
  'currency',
  'effectiveDate',
  'paymentMethodType',
  'paymentMethodId',
  'paymentMethodContext',
  'autopayPreference',
  'gateway',
  'isCascading',
  'saveAsPreference',
  'namedInvoiceIds',
  'autopayInvoiceId',
  'collectionAttemptId',
  'isRetry',
  'isSystemPayment',
  'isProcessedByBillingRun',
  'baseUserId',
  'creditedInvoiceId',
  'notes',
  'invoiceText',
  'purchaseDescription',
  'metadata',
  'returnSealed',
] as const;
const insertedRow = given(Payment, ['id', 'cascadeId', ...keys], { rows: '$3' });

/**
 * Inserts the rows of $3 for the tenant $1 at the time $2; a row without an id gets one. A payment
 * through a gateway gets the key of its call. The transaction has frozen the customers.
 */
export const insertPaymentsText = `
  insert into payment (tenant_id, id, cascade_id, ${keys.map(columnOf).join(', ')}, created_at, updated_at,
    gateway_key, customer_party_id, tenant_party_id)
  select $1, r.new_id, coalesce(r."cascadeId", r.new_id),
    ${keys.map((key) => `r."${key}"`).join(', ')}, $2, $2,
    case when r.gateway is not null and r."paymentType" = 'Payment'
         then ${newGatewayKey('r.new_id')} end,
    ${frozenParties.customerPartyId}, ${frozenParties.tenantPartyId}
  from (select coalesce(r.id, nextval('id_seq')) as new_id, r.* from ${insertedRow.recordset}) r`;

/** The rows of $3 of `insertPaymentsText`; those of credits may leave out their ids. */
export function insertedRows(
  rows: readonly (PaymentInsert | Omit<PaymentInsert, 'id' | 'cascadeId'>)[],
): string {
  return JSON.stringify(rows.map(({ type, ...row }) => ({ ...row, paymentType: type })));
}

export function insertPayments(tx: Tx, rows: readonly PaymentInsert[], now: Date): void {
  for (const { id } of rows.slice(0, 1)) noteObject(tx, 'payment', id);
  freezeCustomers(
    tx,
    rows.map(({ customerId }) => customerId),
  );
  tx.send(insertPaymentsText, [tx.tenantId, now, insertedRows(rows)], 'insert-payments');
}
