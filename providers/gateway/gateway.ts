/** The port to payment gateways: what the service asks of one, whichever it is. */
import type { Decimal, IsoDate } from '../../domain/model.ts';

export const gatewayNames = ['sandbox', 'stripe'] as const;
export type GatewayName = (typeof gatewayNames)[number];

/**
 * Calls of all our processes together; null where there is no limit. Stripe's own is 100 a second,
 * of which others live too.
 */
export const callsPerSecondMax: Readonly<Record<GatewayName, number | null>> = {
  sandbox: null,
  stripe: 80,
};

/** Whether a charge can be voided instead of refunded until the tenant's next 00:00. */
export const voidsUntilMidnight: Readonly<Record<GatewayName, boolean>> = {
  sandbox: true,
  stripe: false,
};

/** A card as the caller sent it. It goes to the gateway's vault, and nowhere else. */
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

/** A bank account as the caller sent it; the same holds for it. */
export interface BankAccountDetails {
  readonly type: 'ACH';
  readonly abaRoutingNumber: string;
  readonly accountNumber: string;
  readonly accountName: string | null;
  readonly accountType: 'Checking' | 'Savings';
  readonly institutionName: string | null;
}

export type MethodDetails = CardDetails | BankAccountDetails;

/** What we keep of a method that a vault has taken. */
export interface VaultedMethod {
  readonly token: string;
  readonly brand: string | null;
  readonly lastFour: string | null;
  readonly expiry: IsoDate | null;
}

/**
 * How a call ended for sure. Nobody is charged by anything but 'approved'. 'pending': the gateway has
 * accepted the call, and will say in some days how it ended.
 */
export interface GatewayAnswer {
  readonly outcome: 'approved' | 'declined' | 'pending';
  readonly transactionId: string | null;
  /** '0' on success, else the gateway's own code: `card_declined`. */
  readonly errorCode: string;
  readonly errorMessage: string | null;
  /** A closed account or a stolen card: the method will never work again. */
  readonly isHardDecline: boolean;
  readonly avsCode: string | null;
  readonly cvvCode: string | null;
  readonly approvalCode: string | null;
  /** The tenant's day on which the gateway will have more to say of it, where it knows that. */
  readonly newsOn?: IsoDate | null;
}

/** How a call ended for sure, with nothing left to be said. */
export interface FinalAnswer extends GatewayAnswer {
  readonly outcome: 'approved' | 'declined';
}

export interface ChargeCall {
  /** Of this attempt and no other: asked twice, the gateway charges once. */
  readonly idempotencyKey: string;
  readonly token: string;
  readonly methodType: 'CreditCard' | 'ACH' | 'Token';
  /** In the currency's own units, `12.50`, the surcharge included. */
  readonly amount: Decimal;
  readonly currency: string;
  /** Plain words for the gateway's own books, without anything personal. */
  readonly description: string;
}

export interface ReturnCall {
  readonly idempotencyKey: string;
  /** Of the charge that goes back. */
  readonly transactionId: string;
  readonly amount: Decimal;
  readonly currency: string;
}

export type GatewayOperation = 'validate' | 'charge' | 'refund' | 'void';

/** What a call had asked for: only that, found under its key, is the call. */
export interface AskedFor extends Pick<ReturnCall, 'idempotencyKey' | 'amount' | 'currency'> {
  /** The gateway's own id of what it made for the call, where it has told us. */
  readonly madeAs?: string | null;
}

/** Money of a charge that the gateway took out of our account again. */
export interface Withdrawal {
  readonly kind: 'return' | 'dispute';
  /** The gateway's own id of it. */
  readonly ref: string;
  readonly amount: Decimal;
  readonly currency: string;
  /** The gateway's code: `insufficient_funds`, `fraudulent`. */
  readonly reason: string;
  /** The method will never work again. */
  readonly isHardDecline: boolean;
  /** It came back: the dispute was won. */
  readonly isReinstated: boolean;
}

/** A charge of ours that was approved. */
export type MadeCharge = Pick<ReturnCall, 'transactionId' | 'currency'>;

/**
 * What became of a call whose answer was lost or is yet to come: how it ended, that the gateway is
 * still at it, or that the gateway has never seen the key (then asking it again with the same key is
 * safe).
 */
export type GatewayStatus = GatewayAnswer | 'processing' | 'unknown';

export interface Gateway {
  readonly name: GatewayName;
  readonly store: (details: MethodDetails, idempotencyKey: string) => Promise<VaultedMethod>;
  /** A charge of nothing: whether the method would be taken. */
  readonly validate: (token: string, idempotencyKey: string) => Promise<GatewayAnswer>;
  readonly charge: (call: ChargeCall) => Promise<GatewayAnswer>;
  readonly refund: (call: ReturnCall) => Promise<GatewayAnswer>;
  /** Takes back the whole of a charge that is not settled yet. */
  readonly void: (call: ReturnCall) => Promise<GatewayAnswer>;
  /** Throws GatewayDifference where the key stands for something else. */
  readonly status: (operation: GatewayOperation, asked: AskedFor) => Promise<GatewayStatus>;
  /** All money of a charge that was withdrawn; a mere inquiry is none. */
  readonly withdrawals: (charge: MadeCharge) => Promise<readonly Withdrawal[]>;
}

/** The gateways of a process; `tenantId` says whose account, secrets and sandbox. */
export interface Gateways {
  /** The one that the tenant's file names; throws GatewayError 'unavailable' when it is off. */
  readonly ofTenant: (tenantId: number) => Promise<Gateway>;
  /** The one that a stored method or payment belongs to, though the file names another now. */
  readonly named: (tenantId: number, name: GatewayName) => Promise<Gateway>;
}

/**
 * A call that did not end in an answer.
 * - `unknown`: no answer in time, or the connection broke: it may have happened; ask `status`.
 * - `passing`: the gateway says it did not do it, and that trying again (same key) makes sense.
 * - `unavailable`: not sent at all: the breaker is open, the gateway is off or not configured.
 * - `invalid`: refused as malformed; `field` names the part of the details. Never charged.
 * - `different`: what stands under the key is not what was asked for: see GatewayDifference.
 */
export class GatewayError extends Error {
  readonly kind: 'unknown' | 'passing' | 'unavailable' | 'invalid' | 'different';
  readonly code: string;
  /** For 'invalid': cardNumber, expiry, cvv, abaRoutingNumber, accountNumber or token. */
  readonly field: string | null;

  constructor(
    kind: GatewayError['kind'],
    code: string,
    options: { readonly message?: string; readonly field?: string; readonly cause?: unknown } = {},
  ) {
    // Never the gateway's own text unseen: it may repeat what it was sent.
    super(options.message ?? `gateway: ${kind} (${code})`, { cause: options.cause });
    this.name = 'GatewayError';
    this.kind = kind;
    this.code = code;
    this.field = options.field ?? null;
  }
}

/** What the gateway has under a key of ours. */
export interface FoundInstead {
  /** In plain words: `a charge over 900 EUR`. */
  readonly text: string;
  readonly transactionId: string | null;
}

/** Under a key of ours the gateway has something else than it was asked for. */
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
