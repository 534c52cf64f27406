/** The port to tax providers. */
import type { Decimal } from '../../domain/money/money.ts';
import type {
  CreditLine,
  TaxAnswer,
  TaxDocument,
  TaxedAddress,
} from '../../domain/tax/documents.ts';

/** The name of a record. */
export interface RecordName {
  /** Unique: recording again under the same code changes nothing. */
  readonly code: string;
  /** Of a return: the code of the invoice of which it gives back a part; null for an invoice. */
  readonly returnOf: string | null;
}

/** A made invoice, or a return, which has credits alone. */
export interface RecordedDocument extends TaxDocument, RecordName {
  /** The provider computes no tax of them. */
  readonly credits: readonly CreditLine[];
}

/** What a provider's record comes to. */
export interface TaxRecord {
  /** Without tax. */
  readonly total: Decimal;
  readonly tax: Decimal;
}

/** A mistake in an address. */
export interface AddressMistake {
  /** The field at fault; null for the address as a whole. */
  readonly field: keyof TaxedAddress | null;
  /** In the provider's words. */
  readonly text: string;
}

export interface TaxProvider {
  // A call whose turn has not come when its signal is aborted is not made.
  /** The taxes of an invoice that is not made yet; the provider stores nothing. */
  readonly calculate: (document: TaxDocument, signal?: AbortSignal) => Promise<TaxAnswer>;
  /** Records an invoice or a return, committed. */
  readonly record: (document: RecordedDocument) => Promise<TaxRecord>;
  /** Voids a record, also a second time; `unknown` if the provider has no such one. */
  readonly void: (record: RecordName) => Promise<'voided' | 'unknown'>;
  /** The mistakes of a US or Canadian address; none if the provider knows it. */
  readonly resolve: (
    address: TaxedAddress,
    signal?: AbortSignal,
  ) => Promise<readonly AddressMistake[]>;
}

/**
 * A call without a result.
 * - `silent`: no answer in time, a failure of the provider, or of what all calls of the account
 *   share, such as its credentials: a later call may succeed.
 * - `refused`: the provider refuses the data of this document; `text` says why in its words.
 */
export class TaxProviderError extends Error {
  readonly kind: 'silent' | 'refused';
  /** The provider's code, or ours: `timeout`, `http_503`. */
  readonly code: string;
  /** What the provider said; null for `silent`, whose text may name the account. */
  readonly text: string | null;

  constructor(
    kind: TaxProviderError['kind'],
    code: string,
    { text = null, cause }: { readonly text?: string | null; readonly cause?: unknown } = {},
  ) {
    super(`tax provider: ${kind} (${code})`, { cause });
    this.name = 'TaxProviderError';
    this.kind = kind;
    this.code = code;
    this.text = text;
  }
}
