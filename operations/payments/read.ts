/** Reads payments, credits and refunds: one statement for one of them or a page of them. */
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import { formatAmount, type Decimal } from '../../domain/money/money.ts';
import type { PaymentStatus, PaymentType } from '../../domain/payments/allocation.ts';
import type { GatewayName } from '../../providers/gateway/gateway.ts';
import { dayOf, firstOf, type Reader } from '../context/listing.ts';
import {
  type ListFilter,
  type ListedFile,
  type ListedPage,
  type PageColumns,
  nextOf,
  startList,
  totalOf,
} from '../context/lists.ts';
import { waitsUntilOf } from '../../db/queries/payments/payments.ts';
import type { TenantInfo } from '../context/context.ts';
import {
  applicationsWhere,
  applicationWithAmounts,
  type ApplicationView,
} from '../allocation/applications.ts';
import type { Payment } from '../../db/entities/payments.ts';
import type { RowOf } from '../../db/entities/rows.ts';

/** A gateway's answer. */
export interface ResultView {
  readonly id: number;
  readonly processor: GatewayName;
  readonly processorRequestType: string;
  readonly transactionId: string | null;
  readonly isSuccess: boolean;
  readonly isError: boolean;
  readonly errorCode: string;
  readonly errorMessage: string | null;
  readonly statusCode: string | null;
  readonly statusMessage: string | null;
  readonly amount: Decimal;
  readonly secondaryAmount: Decimal;
  readonly currencyCode: string;
  readonly avsCode: string | null;
  readonly cvvCode: string | null;
  readonly approvalCode: string | null;
  readonly responseTimeMilliSec: number | null;
  readonly dateCreated: IsoDate;
}

export interface PaymentView extends RowOf<
  typeof Payment,
  | 'id'
  | 'version'
  | 'isSystemPayment'
  | 'customerId'
  | 'paymentMethodType'
  | 'paymentMethodId'
  | 'paymentMethodContext'
  | 'currency'
  | 'amount'
  | 'balance'
  | 'effectiveDate'
  | 'status'
  | 'paymentType'
  | 'isProcessedByBillingRun'
  | 'notes'
  | 'metadata'
> {
  /** The first payment of its cascade. */
  readonly cascadeId: number;
  readonly customerRef: string | null;
  /** While it waits for its payer: `2027-01-18T05:00:00Z`. */
  readonly waitsUntil: string | null;
  readonly isPayerPresent: boolean;
  readonly baseUser: {
    readonly id: number;
    readonly username: string;
    readonly firstName: string | null;
    readonly lastName: string | null;
  } | null;
  /** Null if no gateway is involved. */
  readonly gateway: GatewayName | null;
  /** The newest result. */
  readonly result: ResultView | null;
  readonly applications: readonly ApplicationView[];
  readonly lastUpdated: IsoDate;
  readonly dateCreated: IsoDate;
}

export async function readPayment(
  tx: Reader,
  tenant: TenantInfo,
  { id, type }: { readonly id: number; readonly type: PaymentType },
): Promise<PaymentView | undefined> {
  const row = await firstOf(
    tx.query<PaymentView>(
      `select ${columns} from payment p where p.id = $2 and p.payment_type = $3`,
      [tenant.timezone, id, type],
      'read-payment',
    ),
  );
  return row === undefined ? undefined : withAmounts(row);
}

/** Those of the ids that exist, of any type, in any order. */
export async function readPayments(
  tx: Reader,
  tenant: TenantInfo,
  ids: readonly number[],
): Promise<PaymentView[]> {
  const rows = await tx.query<PaymentView>(
    `select ${columns} from payment p where p.id = any($2)`,
    [tenant.timezone, ids],
    'read-payments',
  );
  return rows.map(withAmounts);
}

/** The last try of the cascade that began with this payment. */
export async function readLastAttempt(
  tx: Reader,
  tenant: TenantInfo,
  cascadeId: number,
): Promise<PaymentView | undefined> {
  const row = await firstOf(
    tx.query<PaymentView>(
      `select ${columns} from payment p where p.cascade_id = $2
       order by p.attempt desc, p.id desc limit 1`,
      [tenant.timezone, cascadeId],
      'read-last-attempt',
    ),
  );
  return row === undefined ? undefined : withAmounts(row);
}

export interface PaymentFilter extends ListFilter {
  readonly type: PaymentType;
  readonly status: PaymentStatus | null;
  /** As shown: negative for a refund. */
  readonly amount: Decimal | null;
}

/** The latest effectiveDate first. */
export async function listPayments(
  tx: Reader,
  tenant: TenantInfo,
  filter: PaymentFilter,
): Promise<ListedPage<ListedPayment, PaymentView>> {
  const list = startPayments(tenant, filter);
  const total = await totalOf(tx, filter, list);
  // Select the page first, so that skipped rows are not built.
  const page = list.page();
  const rows = await tx.query<ListedPayment>(
    `select ${columns}, ${list.pageColumns} from (${page.text}) p order by ${list.order}`,
    list.values,
    page.name,
  );
  const view = ({ listed: _listed, placeKey: _placeKey, ...row }: ListedPayment): PaymentView =>
    withAmounts(row);
  return { rows, view, next: nextOf(rows), total };
}

type ListedPayment = PaymentView & PageColumns;

function startPayments(tenant: TenantInfo, filter: PaymentFilter) {
  const list = startList<typeof Payment>('payments', tenant, filter);
  // Written out, so that the index of credits and refunds has it.
  list.addText(`p.payment_type = '${filter.type}'`);
  list.add('status', filter.status);
  list.add('amount', filter.amount);
  return list;
}

/** All of them without gateways' answers and applications, in the order of the list. */
export function fileOfPayments(
  tenant: TenantInfo,
  filter: PaymentFilter,
): ListedFile<PaymentView, PaymentView> {
  const list = startPayments(tenant, filter);
  const text = `select ${headColumns}, null::json as result, '[]'::json as applications
    from (${list.all()}) p order by ${list.order}`;
  return { statement: { text, values: list.values }, view: withAmounts };
}

function withAmounts(payment: PaymentView): PaymentView {
  const { currency, result } = payment;
  return {
    ...payment,
    amount: formatAmount(currency, payment.amount),
    balance: formatAmount(currency, payment.balance),
    result: result && {
      ...result,
      amount: formatAmount(result.currencyCode, result.amount),
      secondaryAmount: formatAmount(result.currencyCode, result.secondaryAmount),
    },
    applications: payment.applications.map((each) => applicationWithAmounts(currency, each)),
  };
}

const baseUser = `(select json_build_object('id', u.id, 'username', u.username,
    'firstName', u.first_name, 'lastName', u.last_name)
  from base_user u where u.tenant_id = p.tenant_id and u.id = p.base_user_id)`;

const result = `(select json_build_object('id', r.id, 'processor', r.processor,
    'processorRequestType', r.processor_request_type, 'transactionId', r.transaction_id,
    'isSuccess', r.is_success, 'isError', r.is_error, 'errorCode', r.error_code,
    'errorMessage', r.error_message, 'statusCode', r.status_code,
    'statusMessage', r.status_message, 'amount', r.amount::text,
    'secondaryAmount', r.secondary_amount::text, 'currencyCode', r.currency,
    'avsCode', r.avs_code, 'cvvCode', r.cvv_code, 'approvalCode', r.approval_code,
    'responseTimeMilliSec', r.response_time_ms,
    'dateCreated', ${dayOf('r.created_at', '$1')})
  from processor_result r where r.tenant_id = p.tenant_id and r.payment_id = p.id
  order by r.id desc limit 1)`;

// A debit shows the money that was applied to it.
const applications = applicationsWhere(
  'a.tenant_id = p.tenant_id and (a.payment_id = p.id or a.debit_id = p.id)',
  '$1',
);

// A text, because events keep the view as JSON.
const waitsUntil = `to_char(${waitsUntilOf('p', '$1')} at time zone 'UTC',
    'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;

const headColumns = `p.id, p.version, p.cascade_id,
  p.is_system_payment, p.customer_id,
  (select c.ext_customer_ref from customer c
   where c.tenant_id = p.tenant_id and c.id = p.customer_id) as customer_ref,
  p.payment_method_type, p.payment_method_id,
  p.payment_method_context, p.currency, p.amount, p.balance,
  p.effective_date, p.status, ${waitsUntil} as waits_until,
  p.action_ends_at is not null as is_payer_present, p.payment_type,
  p.is_processed_by_billing_run, ${baseUser} as base_user,
  p.gateway, p.notes, p.metadata,
  ${dayOf('p.updated_at', '$1')} as last_updated, ${dayOf('p.created_at', '$1')} as date_created`;

const columns = `${headColumns}, ${result} as result, ${applications} as applications`;
