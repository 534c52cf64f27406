/** Sorts rated customers by what their tax provider said: only those whose taxes are known are billed. */
import type { PutOff } from '../../db/queries/billing/tax-waits.ts';
import type { Failures } from './asking.ts';
import { TAX_REFUSED, type HeldCustomer } from './customers.ts';
import type { CustomerBilling } from '../../domain/billing/rate-customer.ts';
import { documentHash } from './tax-answers.ts';
import { unanswered } from '../../domain/billing/provider-tax.ts';

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

/** @param failures of the documents that were asked about; what has changed since is none of them */
export function byAnswers(
  billings: readonly CustomerBilling[],
  failures: Failures,
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
    const errors = documents.flatMap((document) => failures.get(documentHash(document)) ?? []);
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
