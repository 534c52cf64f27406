/** The port to payment gateways. */
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import type { Decimal } from '../../domain/money/money.ts';
import type { DebitKind } from '../../domain/payments/debits.ts';

/** What is known of a gateway beside its adapter. */
interface GatewayRow {
  /** Its id in the interface, the same for all tenants; it must never change. */
  readonly processorId: number;
  /** A tenant has an account there, whose key is in the tenant's file. */
  readonly hasAccount: boolean;
  /** Calls of all our processes together; null if there is no limit. */
  readonly callsPerSecondMax: number | null;
  /** Simultaneous payments in one process: they mostly wait for the gateway. */
  readonly paymentsAtOnceMax: number;
  /** Whether a charge can be voided instead of refunded until the tenant's next 00:00. */
  readonly voidsUntilMidnight: boolean;
}

/** A new gateway is its folder, a row here, and the line in adapters.ts that opens it. */
export const gatewayTable = {
  sandbox: {
    processorId: 1,
    hasAccount: false,
    callsPerSecondMax: null,
    paymentsAtOnceMax: 16,
    voidsUntilMidnight: true,
  },
  stripe: {
    processorId: 2,
    hasAccount: true,
    // Stripe's own limit is 100, which other programs of the account share.
    callsPerSecondMax: 80,
    paymentsAtOnceMax: 40,
    voidsUntilMidnight: false,
  },
} as const satisfies Readonly<Record<string, GatewayRow>>;

export type GatewayName = keyof typeof gatewayTable;

export const gatewayNames = Object.keys(gatewayTable) as [GatewayName, ...GatewayName[]];

/** A card as the caller sent it. It is sent to the gateway's vault, and nowhere else. */
export interface CardDetails {
  readonly type: 'CreditCard';
  readonly cardNumber: string;
  readonly expiry: IsoDate;
  readonly cardholderName: string | null;
  /** The security code; no gateway of ours stores it. */
  readonly cvv: string | null;
  readonly billingAddress: BillingAddress | null;
}

export interface BillingAddress {
  readonly street1: string | null;
  readonly city: string | null;
  readonly state: string | null;
  readonly zip: string | null;
  readonly country: string | null;
}

/** A bank account as the caller sent it; it too is sent to the vault only. */
export interface BankAccountDetails {
  readonly type: 'ACH';
  readonly abaRoutingNumber: string;
  readonly accountNumber: string;
  readonly accountName: string | null;
  readonly accountType: 'Checking' | 'Savings';
  readonly institutionName: string | null;
  /** Its holder has agreed to a mandate on a page. */
  readonly isMandated?: boolean;
}

/** An account of a SEPA debit, whose holder has agreed to the mandate. */
export interface SepaAccountDetails {
  readonly type: 'SEPA';
  readonly iban: string;
  readonly accountHolder: string;
}

export type MethodDetails = CardDetails | BankAccountDetails | SepaAccountDetails;

export interface StoreOptions {
  /** The method comes on file; without it, it is charged once. */
  readonly isKept?: boolean;
}

/** What we store of a method in a vault. */
export interface VaultedMethod extends ShownOfMethod {
  readonly token: string;
  /** A debit of a bank account, by a mandate of its holder; null for any other method. */
  readonly debit?: DebitKind | null;
  /** The country of the account of a SEPA debit. */
  readonly country?: string | null;
  /** The reference of the mandate, once it is known. */
  readonly mandate?: string | null;
}

/** What a gateway may change of a method by itself: a card was renewed. */
export interface ShownOfMethod {
  readonly brand: string | null;
  readonly lastFour: string | null;
  readonly expiry: IsoDate | null;
}

/** What a gateway has of a method now. */
export interface MethodNow extends ShownOfMethod {
  /** False if it is gone, detached, or its mandate revoked. */
  readonly isUsable: boolean;
}

/**
 * The definite outcome of a call. Only 'approved' charges anybody. 'pending': the gateway has
 * accepted the call, and gives the outcome after some days. 'asks': the payer has to authenticate
 * what `transactionId` names; no money has moved.
 */
export interface GatewayAnswer {
  readonly outcome: 'approved' | 'declined' | 'pending' | 'asks';
  readonly transactionId: string | null;
  /** What was charged, of a charge whose payer may have agreed to less than was asked for. */
  readonly charged?: Decimal | null;
  /** '0' on success, else the gateway's own code: `card_declined`. */
  readonly errorCode: string;
  readonly errorMessage: string | null;
  /** A closed account or a stolen card: the method will never work again. */
  readonly isHardDecline: boolean;
  readonly avsCode: string | null;
  readonly cvvCode: string | null;
  readonly approvalCode: string | null;
  /** The tenant's day on which the gateway will have more to say, if it is known. */
  readonly newsOn?: IsoDate | null;
  /** By what the method is charged from now on, if the call was by what a page's fields made. */
  readonly method?: MadeMethod | null;
  /** The card was renewed: what is shown of it from now on. */
  readonly renewed?: ShownOfMethod | null;
}

/** What a gateway made of what was entered into its own fields. */
export interface MadeMethod {
  readonly token: string;
  /** The gateway's own id of what the payer has agreed to: debits alone have one. */
  readonly mandate: string | null;
}

/** The definite and last outcome of a call. */
export interface FinalAnswer extends GatewayAnswer {
  readonly outcome: 'approved' | 'declined';
}

/** Whether the payer is there, and may be led to where the gateway lets him authenticate. */
export type Payer = 'present' | 'absent';

/** What a call says of its payer. */
export interface PayerOfCall {
  readonly payer: Payer;
  /** Where the gateway's own page leads back to; null if the payer is absent. */
  readonly returnUrl: string | null;
}

export interface ChargeCall extends PayerOfCall {
  /** Unique to this attempt: if the call is repeated, the gateway charges once. */
  readonly idempotencyKey: string;
  readonly token: string;
  readonly methodType: 'CreditCard' | 'ACH' | 'Token';
  /** The method is to be charged later, without its payer. */
  readonly savesMethod: boolean;
  /** The method is on file already. */
  readonly isOnFile?: boolean;
  /** What the payer has agreed to, if the method has it: of debits. */
  readonly mandate?: string | null;
  /** In the currency's own units, `12.50`, including the surcharge. */
  readonly amount: Decimal;
  readonly currency: string;
  /** A description for the gateway's records, without personal data. */
  readonly description: string;
}

/** A charge of zero, which verifies a method that is to be charged later. */
export interface ValidateCall extends PayerOfCall {
  readonly idempotencyKey: string;
  readonly token: string;
}

/** What a validation is asked for: ISO 4217 has this code for no currency. */
export const noAmount = { amount: '0', currency: 'XXX' } as const;

/** A charge, or a validation, that waits for its payer. */
export interface WaitingCall extends AskedFor {
  readonly operation: 'charge' | 'validate';
  /** The gateway's own id of what waits. */
  readonly madeAs: string;
}

/** Continues what waits, with its payer. */
export interface ConfirmCall extends WaitingCall {
  /** Unique to this confirmation. */
  readonly confirmationKey: string;
  readonly token: string;
  readonly methodType: ChargeCall['methodType'];
  /** What the payer agrees to: the amount, or less. */
  readonly agreed: Decimal;
  readonly returnUrl: string;
}

/**
 * Where the payer authenticates: a page of the gateway, or what its script on our page needs. It is
 * read when a page shows it, and never stored or logged.
 */
export type Challenge =
  | { readonly kind: 'page'; readonly url: string }
  | { readonly kind: 'script'; readonly clientSecret: string };

/** A method that the gateway's own fields on our page made, whose numbers we never see. */
export interface EnteredInVault extends VaultedMethod {
  readonly type: 'CreditCard' | 'Token';
}

export interface ReturnCall {
  readonly idempotencyKey: string;
  /** The transaction of the charge to be refunded. */
  readonly transactionId: string;
  readonly amount: Decimal;
  readonly currency: string;
}

export type GatewayOperation = 'validate' | 'charge' | 'refund' | 'void';

/** The request of a call: a record under its key counts only if it matches. */
export interface AskedFor extends Pick<ReturnCall, 'idempotencyKey' | 'amount' | 'currency'> {
  /** The gateway's own id of what it made for the call, if it has told us. */
  readonly madeAs?: string | null;
  /** Its payer may have agreed to less. */
  readonly mayBeLess?: boolean;
  /** By what it was made: of what a page's fields made, the answer says what became. */
  readonly token?: string | null;
}

/** Money of a charge that the gateway took back from our account. */
export interface Withdrawal {
  readonly kind: 'return' | 'dispute';
  /** The gateway's own id of the withdrawal. */
  readonly ref: string;
  readonly amount: Decimal;
  readonly currency: string;
  /** The gateway's code: `insufficient_funds`, `fraudulent`. */
  readonly reason: string;
  /** The method will never work again. */
  readonly isHardDecline: boolean;
  /** The money came back: the dispute was won. */
  readonly isReinstated: boolean;
}

/** A charge, or a return of one, as the gateway lists it: what it has under a key of ours. */
export interface MadeCall {
  readonly operation: Exclude<GatewayOperation, 'validate'>;
  readonly idempotencyKey: string;
  readonly transactionId: string;
  readonly outcome: GatewayAnswer['outcome'];
  readonly amount: Decimal;
  readonly currency: string;
  /** In the gateway's real time. */
  readonly madeAt: Date;
  /** The end of the token that was charged, if the gateway tells. */
  readonly method: string | null;
  /** Of a return: the transaction of its charge. */
  readonly chargeId: string | null;
}

/** A page of a list. */
export interface MadeCalls {
  readonly calls: readonly MadeCall[];
  /** Where the next page begins; null after the last one. */
  readonly next: string | null;
}

/** One of our charges that was approved. */
export type MadeCharge = Pick<ReturnCall, 'transactionId' | 'currency'>;

/**
 * The outcome of a call whose answer was lost or is pending: the final outcome, that the gateway is
 * still processing it, or that the gateway has never seen the key (then the call can be repeated
 * with the same key).
 */
export type GatewayStatus = GatewayAnswer | 'processing' | 'unknown';

export interface Gateway {
  readonly name: GatewayName;
  readonly store: (
    details: MethodDetails,
    idempotencyKey: string,
    options?: StoreOptions,
  ) => Promise<VaultedMethod>;
  /** What the fields of the gateway made; throws 'invalid' of `token` for anything else. */
  readonly entered: (gatewayToken: string) => Promise<EnteredInVault>;
  readonly validate: (call: ValidateCall) => Promise<GatewayAnswer>;
  readonly charge: (call: ChargeCall) => Promise<GatewayAnswer>;
  /** Never makes anything new; what is no longer waiting answers as `status`. */
  readonly confirm: (call: ConfirmCall) => Promise<GatewayAnswer>;
  /** Ends what waits: 'declined' if nothing was charged, else what it became meanwhile. */
  readonly end: (call: WaitingCall) => Promise<GatewayAnswer>;
  /** Null if it does not wait any more. */
  readonly challenge: (call: WaitingCall) => Promise<Challenge | null>;
  readonly refund: (call: ReturnCall) => Promise<GatewayAnswer>;
  /** Reverses the whole of an unsettled charge. */
  readonly void: (call: ReturnCall) => Promise<GatewayAnswer>;
  /** Throws GatewayDifference if the key belongs to another call. */
  readonly status: (operation: GatewayOperation, asked: AskedFor) => Promise<GatewayStatus>;
  /** What it has of a stored method now. */
  readonly method: (stored: Pick<VaultedMethod, 'token' | 'mandate'>) => Promise<MethodNow>;
  /** Forgets a stored method for ever; one that is gone already stays so. */
  readonly remove: (stored: Pick<VaultedMethod, 'token'>) => Promise<void>;
  /** All money of a charge that was withdrawn, without inquiries, which move none. */
  readonly withdrawals: (charge: MadeCharge) => Promise<readonly Withdrawal[]>;
  /**
   * All charges and returns since an instant, a page at a time. Those of others are left out, as far as
   * their keys tell.
   */
  readonly made: (since: Date, from: string | null) => Promise<MadeCalls>;
}

/** The gateways of a process; `tenantId` selects the account, secrets and sandbox. */
export interface Gateways {
  /** The gateway that the tenant's file names; throws GatewayError 'unavailable' if it is off. */
  readonly ofTenant: (tenantId: number) => Promise<Gateway>;
  /** The gateway of a stored method or payment, even if the file now names another. */
  readonly named: (tenantId: number, name: GatewayName) => Promise<Gateway>;
  /** Opens the sealed address of the page to which a payer comes back. */
  readonly returnUrl: (tenantId: number, sealed: string) => string;
}

/** The code of 'invalid' where the account may send no card numbers. */
export const RAW_CARD = 'raw_card';

/**
 * A call without an answer.
 * - `unknown`: no answer in time, or the connection broke: it may have happened; ask `status`.
 * - `transient`: the gateway did not do it, and a retry with the same key makes sense.
 * - `unavailable`: not sent at all: the breaker is open, the gateway is off or not configured.
 * - `invalid`: refused as malformed; `field` names the part of the details. Never charged.
 * - `different`: the record under the key is of another request: see GatewayDifference.
 */
export class GatewayError extends Error {
  readonly kind: 'unknown' | 'transient' | 'unavailable' | 'invalid' | 'different';
  readonly code: string;
  /** For 'invalid': cardNumber, expiry, cvv, abaRoutingNumber, accountNumber, iban or token. */
  readonly field: string | null;

  constructor(
    kind: GatewayError['kind'],
    code: string,
    options: { readonly message?: string; readonly field?: string; readonly cause?: unknown } = {},
  ) {
    // Never the gateway's own text, which may repeat the request.
    super(options.message ?? `gateway: ${kind} (${code})`, { cause: options.cause });
    this.name = 'GatewayError';
    this.kind = kind;
    this.code = code;
    this.field = options.field ?? null;
  }
}

/** The gateway's record under a key of ours. */
export interface FoundInstead {
  /** In words: `a charge over 900 EUR`. */
  readonly text: string;
  readonly transactionId: string | null;
}

/** The gateway's record under a key of ours does not match the request. */
export class GatewayDifference extends GatewayError {
  readonly found: FoundInstead;

  constructor(found: FoundInstead, asked: AskedFor) {
    const wanted = `${asked.amount} ${asked.currency}`;
    super('different', 'difference', {
      message: `the gateway has ${found.text} under the key, not ${wanted}`,
    });
    this.name = 'GatewayDifference';
    this.found = found;
  }
}
