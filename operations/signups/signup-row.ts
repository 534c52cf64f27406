/** A signup with its last try, as every operation on it reads it. */
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import type { Decimal } from '../../domain/money/money.ts';
import type { DebitKind } from '../../domain/payments/debits.ts';
import { type TryStatus, openTries } from '../../domain/signups/signup.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import type { Signup } from '../../db/entities/hosted-pages.ts';
import type { RowOf } from '../../db/entities/rows.ts';
import type { SignupState, SignupTransition } from '../../domain/signups/state.ts';
import type { OperationContext } from '../context/context.ts';
import { raise } from '../events/raise.ts';

/** The fields that a customer of its own gets. */
export interface SignupCustomerFields {
  readonly companyName: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly street: string | null;
  readonly city: string | null;
  readonly state: string | null;
  readonly zipcode: string | null;
  readonly country: string | null;
  readonly login: string | null;
}

export interface SignupOrderFields {
  readonly contractCode: string | null;
  readonly quantity: Decimal;
  readonly couponCode: string | null;
}

/** A try to submit; ids are the tenant's. */
export interface SignupTry {
  readonly id: number;
  /** From 1. */
  readonly number: number;
  readonly status: TryStatus;
  readonly network: string;
  /** Due today, as the page showed it. */
  readonly shownAmount: Decimal;
  /** Of the price that the page showed, and its first day; null for tries of earlier versions. */
  readonly quoteHash: string | null;
  readonly startDate: IsoDate | null;
  /** Hashed; null for tries of earlier versions. */
  readonly taxBasis: string | null;
  /** Its card, once the vault has stored it. */
  readonly gateway: string | null;
  readonly methodType: string | null;
  readonly token: string | null;
  readonly brand: string | null;
  readonly lastFour: string | null;
  readonly expiry: IsoDate | null;
  readonly debit: DebitKind | null;
  readonly country: string | null;
  readonly mandate: string | null;
  readonly paymentId: number | null;
  /** Why it was declined or returned, and of which field. */
  readonly code: string | null;
  readonly field: string | null;
  /** Real time. */
  readonly createdAt: Date;
  readonly endedAt: Date | null;
  /** Until when the button of its mailed page counts; null for a try that needs none. */
  readonly confirmUntil: Date | null;
  /** It was pressed. */
  readonly confirmedAt: Date | null;
  /** Sealed: where its page is, to which a payer comes back. */
  readonly returnSealed: string | null;
  /** What the gateway asks the payer to authenticate before its card is saved, and until when. */
  readonly validationId: string | null;
  readonly asksUntil: Date | null;
}

export interface SignupRow
  extends
    SignupCustomerFields,
    SignupOrderFields,
    RowOf<
      typeof Signup,
      | 'id'
      | 'tracking'
      | 'status'
      | 'successUrl'
      | 'failUrl'
      | 'hideCustomerFields'
      | 'hideOrderFields'
      | 'displayAmount'
      | 'tosLink'
      | 'sku'
      | 'billerCode'
      | 'profileId'
      | 'linkHasPassword'
      | 'extCustomerRef'
      | 'passwordHash'
      | 'tosAccepted'
      | 'savePaymentMethod'
      | 'expiry'
      | 'cardholderName'
      | 'customerId'
      | 'isNewCustomer'
      | 'orderId'
      | 'invoiceIds'
      | 'failureCode'
      | 'createdAt'
      | 'updatedAt'
      | 'endedAt'
      | 'version'
      /** An absolute address, or a path of this host. */
      | 'cssUrl'
      /** Null: the day of submission. */
      | 'startDate'
      /** Nothing is left to enter before the price is shown. */
      | 'hasDetails'
      /** `de_AT` */
      | 'locale'
      /** Of the last try. */
      | 'cardType'
      /** Why an operator ends it. */
      | 'cancelReason'
      /** Real time, as that of its end. */
      | 'expiresAt'
    > {
  readonly declines: number;
  /** The newest one; null before the first. */
  readonly lastTry: SignupTry | null;
}

/** How a caller names a signup. */
export type SignupAddress =
  | { readonly id: number }
  | { readonly tracking: string }
  | { readonly tokenHash: Buffer };

/** Undefined if there is none. */
export async function readSignup(
  tx: Pick<Tx, 'tenantId' | 'query'>,
  address: SignupAddress,
): Promise<SignupRow | undefined> {
  const [column, value] = conditionOf(address);
  const [row] = await tx.query<SignupRow & Record<string, unknown>>(
    `select ${columns} from signup s where s.tenant_id = $1 and s.${column} = $2`,
    [tx.tenantId, value],
    `signup-by-${column}`,
  );
  if (row === undefined) return undefined;
  const { lastTry } = row;
  return { ...row, lastTry: lastTry && withInstants(lastTry) };
}

/** The instants of a JSON object are texts. */
function withInstants({ createdAt, endedAt, ...rest }: SignupTry): SignupTry {
  const at = (instant: Date | null) => (instant === null ? null : new Date(instant));
  return {
    ...rest,
    createdAt: new Date(createdAt),
    endedAt: at(endedAt),
    confirmUntil: at(rest.confirmUntil),
    confirmedAt: at(rest.confirmedAt),
    asksUntil: at(rest.asksUntil),
  };
}

/**
 * Locks it until the transaction ends, before any customer, and reads it then: a single statement
 * would see the tries of before its wait.
 */
export async function lockSignup(tx: Tx, address: SignupAddress): Promise<SignupRow | undefined> {
  const [column, value] = conditionOf(address);
  const [, row] = await Promise.all([
    tx.query(
      `select from signup where tenant_id = $1 and ${column} = $2 for update`,
      [tx.tenantId, value],
      `lock-signup-by-${column}`,
    ),
    readSignup(tx, address),
  ]);
  return row;
}

function conditionOf(address: SignupAddress): readonly [column: string, value: unknown] {
  if ('id' in address) return ['id', address.id];
  if ('tracking' in address) return ['tracking', address.tracking];
  return ['token_hash', address.tokenHash];
}

const tryObject = `json_build_object('id', t.id, 'number', t.number, 'status', t.status,
  'network', t.network, 'shownAmount', t.shown_amount::text,
  'quoteHash', t.quote_hash, 'startDate', t.start_date, 'taxBasis', t.tax_basis,
  'confirmUntil', t.confirm_until, 'confirmedAt', t.confirmed_at, 'gateway', t.gateway, 'methodType', t.method_type,
  'token', t.token, 'brand', t.brand, 'lastFour', t.last_four, 'expiry', t.expiry,
  'debit', t.debit, 'country', t.country, 'mandate', t.mandate,
  'paymentId', t.payment_id, 'code', t.code, 'field', t.field, 'createdAt', t.created_at,
  'endedAt', t.ended_at, 'returnSealed', t.return_sealed, 'validationId', t.validation_id,
  'asksUntil', t.asks_until)`;

const columns = `s.id, s.tracking, s.status, s.success_url,
  s.fail_url, s.css_url,
  s.hide_customer_fields, s.hide_order_fields,
  s.display_amount, s.tos_link, s.sku,
  s.biller_code, s.profile_id,
  s.link_has_password, s.ext_customer_ref,
  s.company_name, s.first_name, s.last_name,
  s.email, s.phone, s.street, s.city, s.state, s.zipcode, s.country, s.login,
  s.password_hash, s.contract_code, s.quantity,
  s.start_date, s.coupon_code, s.has_details,
  s.tos_accepted, s.save_payment_method, s.locale,
  s.card_type, s.expiry, s.cardholder_name,
  s.customer_id,
  s.is_new_customer, s.order_id, s.invoice_ids,
  s.failure_code,
  s.cancel_reason, s.created_at, s.updated_at,
  s.expires_at, s.ended_at, s.version,
  (select count(*)::int from signup_try d
   where d.tenant_id = s.tenant_id and d.signup_id = s.id and d.status = 'declined') as declines,
  (select ${tryObject} from signup_try t
   where t.tenant_id = s.tenant_id and t.signup_id = s.id
   order by t.number desc limit 1) as last_try`;

/* Writes what becomes of a sign-up and its newest try. */

/** As the state machine sees it. */
export function stateOf({ status, lastTry, declines, orderId }: SignupRow): SignupState {
  return { status, lastTry: lastTry?.status ?? null, declines, isMade: orderId !== null };
}

export interface TryResult {
  /** Why it was declined or returned. */
  readonly code?: string | null;
  /** The field at fault, as the form names it. */
  readonly field?: string | null;
  readonly paymentId?: number | null;
}

/**
 * The newest try and the signup, which this transaction has locked, after what happened; raises
 * signup.processed.
 */
export function writeTransition(
  context: OperationContext,
  row: SignupRow,
  transition: SignupTransition,
  result: TryResult = {},
): void {
  const { tx, time, realNow } = context;
  const { state, failureCode, raises } = transition;
  if (row.lastTry !== null && state.lastTry !== row.lastTry.status) {
    const { code = null, field = null, paymentId = null } = result;
    const isOpen = state.lastTry !== null && openTries.includes(state.lastTry);
    const says = state.lastTry === 'declined' || state.lastTry === 'returned';
    tx.send(
      `update signup_try set status = $3, code = $4, field = $5,
         payment_id = coalesce($6, payment_id), ended_at = $7
       where tenant_id = $1 and id = $2`,
      [
        tx.tenantId,
        row.lastTry.id,
        state.lastTry,
        says ? (code ?? failureCode) : null,
        state.lastTry === 'returned' ? field : null,
        paymentId,
        isOpen ? null : realNow,
      ],
      'move-signup-try',
    );
  }
  const ended = state.status === 'DRAFT' ? null : realNow;
  tx.send(
    `update signup set status = $3, failure_code = $4, ended_at = $5, version = version + 1,
       updated_at = $6
     where tenant_id = $1 and id = $2`,
    [tx.tenantId, row.id, state.status, failureCode, ended, time.now],
    'move-signup',
  );
  if (!raises) return;
  const { id: objectId, customerId } = row;
  const objectVersion = row.version + 1;
  raise(context, [{ type: 'signup.processed', customerId, objectId, objectVersion }]);
}
