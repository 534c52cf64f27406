/** Reads signups as the interface, events and callbacks show them. */
import { DomainError } from '../../domain/errors.ts';
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import { formatAmount, type Decimal } from '../../domain/money/money.ts';
import type { SignupStatus } from '../../domain/signups/signup.ts';
import { dayOf, type Reader } from '../context/listing.ts';
import type { TenantInfo } from '../context/context.ts';
import type { SignupCustomerFields, SignupOrderFields } from './signup-row.ts';

/** Customer and order fields are as sent or entered, and never those of an older customer. */
export interface SignupView extends SignupCustomerFields, SignupOrderFields {
  readonly id: number;
  readonly version: number;
  readonly status: SignupStatus;
  readonly tracking: string;
  readonly extCustomerRef: string | null;
  readonly hideCustomerFields: boolean;
  readonly savePaymentMethod: boolean;
  /** What it has made: null until it is PROCESSED, as the three after the startDate. */
  readonly orderNumber: string | null;
  /** Null: the day of submission. */
  readonly startDate: IsoDate | null;
  /** The first one, if there is any. */
  readonly invoiceNumber: string | null;
  /** Null unless it was paid. */
  readonly paymentAmount: Decimal | null;
  readonly paymentApprovalCode: string | null;
  readonly billerCode: string | null;
  readonly sku: string | null;
  readonly tosAccepted: boolean;
  readonly tosLink: string | null;
  readonly hideOrderFields: boolean;
  /** Of the last try. */
  readonly cardType: string | null;
  readonly expiry: IsoDate | null;
  readonly cardholderName: string | null;
  readonly successUrl: string;
  readonly failUrl: string;
  readonly cssUrl: string;
  readonly dateCreated: IsoDate;
  /** Null until it is PROCESSED. */
  readonly customerId: number | null;
  readonly failureCode: string | null;
}

/** The form of each tracking; another text may be one that PostgreSQL cannot take. */
const trackingForm = /^[\w-]{22}$/;

/** Throws signup.unknown. */
export async function readTrackedSignup(
  tx: Reader,
  tenant: TenantInfo,
  tracking: string,
): Promise<SignupView> {
  const [signup] = trackingForm.test(tracking)
    ? await read(tx, tenant, { condition: 's.tracking = $3', value: tracking })
    : [];
  if (signup !== undefined) return signup;
  throw new DomainError('signup.unknown', 'there is no signup with this tracking');
}

/** Those of the ids that exist, in any order. */
export function readSignups(
  tx: Reader,
  tenant: TenantInfo,
  ids: readonly number[],
): Promise<SignupView[]> {
  return read(tx, tenant, { condition: 's.id = any($3)', value: ids });
}

interface Row extends Omit<SignupView, 'paymentAmount' | 'paymentApprovalCode'> {
  readonly payment: {
    readonly amount: Decimal;
    readonly currency: string;
    readonly approvalCode: string | null;
  } | null;
}

async function read(
  tx: Reader,
  { id, timezone }: TenantInfo,
  { condition, value }: { readonly condition: string; readonly value: unknown },
): Promise<SignupView[]> {
  const rows = await tx.query<Row & Record<string, unknown>>(
    `select ${columns} from signup s where s.tenant_id = $2 and ${condition}`,
    [timezone, id, value],
    `read-signups-by-${Array.isArray(value) ? 'ids' : 'tracking'}`,
  );
  return rows.map(({ payment, ...signup }) => ({
    ...signup,
    paymentAmount: payment && formatAmount(payment.currency, payment.amount),
    paymentApprovalCode: payment?.approvalCode ?? null,
  }));
}

const isProcessed = `s.status = 'PROCESSED'`;

const payment = `(select json_build_object('amount', p.amount::text, 'currency', p.currency,
    'approvalCode', (select r.approval_code from processor_result r
      where r.tenant_id = p.tenant_id and r.payment_id = p.id and r.is_success
      order by r.id desc limit 1))
  from signup_try t
  join payment p on p.tenant_id = t.tenant_id and p.id = t.payment_id
  where ${isProcessed} and t.tenant_id = s.tenant_id and t.signup_id = s.id and t.status = 'paid'
    and p.status not in ('Pending', 'Declined')
  order by t.number desc limit 1)`;

const columns = `s.id, s.version, s.status, s.tracking, s.company_name,
  s.first_name, s.last_name,
  s.ext_customer_ref, s.email, s.phone, s.street, s.city, s.state, s.zipcode,
  s.country, s.hide_customer_fields,
  case when s.is_new_customer is distinct from false then s.login end as login,
  s.save_payment_method and s.is_new_customer is distinct from false as save_payment_method,
  (select o.order_number::text from subscription_order o
   where ${isProcessed} and o.tenant_id = s.tenant_id and o.id = s.order_id) as order_number,
  s.contract_code, trim_scale(s.quantity)::text as quantity,
  s.start_date,
  (select i.invoice_number from invoice i
   where ${isProcessed} and i.tenant_id = s.tenant_id and i.id = s.invoice_ids[1])
    as invoice_number,
  ${payment} as payment, s.biller_code, s.coupon_code, s.sku,
  s.tos_accepted, s.tos_link,
  s.hide_order_fields, s.card_type, s.expiry,
  s.cardholder_name, s.success_url, s.fail_url,
  s.css_url, ${dayOf('s.created_at', '$1')} as date_created,
  case when ${isProcessed} then s.customer_id end as customer_id,
  s.failure_code`;
