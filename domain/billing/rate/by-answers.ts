/** Sorts rated customers by what their tax provider said: only those whose taxes are known are billed. */
import type { TaxDocument } from '../../tax/documents.ts';
import { unanswered } from './provider-tax.ts';
import type { CustomerBilling } from '../rate-customer.ts';

/** Why a provider did not say what the taxes of a document are. */
export interface TaxFailure {
  readonly kind: 'silent' | 'refused';
  readonly code: string;
  readonly text: string | null;
}

interface PutOff {
  readonly customerId: number;
  readonly code: string;
}

export interface SortedBillings {
  readonly billings: readonly CustomerBilling[];
  /** The provider refuses their data. */
  readonly refused: readonly HeldCustomer[];
  /** The provider did not answer. */
  readonly silent: readonly PutOff[];
  /** Their turn did not come in time, so they are no longer asked about. */
  readonly late: readonly PutOff[];
  /** It was not asked about what is billed now. */
  readonly unasked: readonly number[];
}

/** The provider was not called, because others were. */
const noTurn: ReadonlySet<string> = new Set(['not_asked', 'crowded']);

/**
 * @param failureOf of a document that was asked about; what has changed since is none
 * @example byAnswers([billing], () => undefined).billings // those that lack no answer
 */
export function byAnswers(
  billings: readonly CustomerBilling[],
  failureOf: (document: TaxDocument) => TaxFailure | undefined,
): SortedBillings {
  const sorted = {
    billings: [] as CustomerBilling[],
    refused: [] as HeldCustomer[],
    silent: [] as PutOff[],
    late: [] as PutOff[],
    unasked: [] as number[],
  };
  for (const billing of billings) {
    const { customerId, invoices } = billing;
    const documents = unanswered(invoices);
    const errors = documents.flatMap((document) => failureOf(document) ?? []);
    const refusal = errors.find(({ kind }) => kind === 'refused');
    const silence = errors.find(({ code }) => !noTurn.has(code)) ?? errors[0];
    if (documents.length === 0) sorted.billings.push(billing);
    else if (refusal !== undefined) {
      sorted.refused.push({ customerId, code: TAX_REFUSED, text: refusal.text });
    } else if (silence !== undefined) {
      const { code } = silence;
      (noTurn.has(code) ? sorted.late : sorted.silent).push({ customerId, code });
    } else sorted.unasked.push(customerId);
  }
  return sorted;
}

/* Customers that are held from billing, and the reasons beside the codes of the catalogue of errors. */

/** No call answers with these codes. @example holdReasons['billing.crashed'] */
export const holdReasons = {
  'billing.crashed':
    'The process that billed the customer alone ran out of memory, crashed or blocked.',
  'billing.timedOut': 'Billing the customer alone exceeded the time limit of a statement.',
  'billing.outlier':
    'A rehearsal found that the customer would be billed far more, or less, than in its last period.',
  'billing.byHand': 'A person has held the customer on the operator’s page, for a reason.',
  'database.…': "The database refused the customer's rows with this SQLSTATE.",
} as const;

/** The code with which a rehearsal holds a customer that a person has to look at first. */
export const OUTLIER = 'billing.outlier';

/** The code with which a person holds a customer. */
export const BY_HAND = 'billing.byHand';

/**
 * Whether a hold waits for a person, so that no call bills the customer before its release.
 *
 * @example waitsForPerson('billing.byHand') // true
 */
export const waitsForPerson = (code: string | null): boolean =>
  code === OUTLIER || code === BY_HAND;

/** The code with which the run holds a customer whose data the tax provider refuses. */
export const TAX_REFUSED = 'tax.refused';

export interface HeldCustomer {
  readonly customerId: number;
  readonly code: string;
  /** More about the reason, in the words of who refuses the customer. */
  readonly text?: string | null;
}
