/** How the invoices of customers are taxed: by the tenant's table, or by a provider's answers. */
import type { IsoDate } from '../../domain/calendar/date.ts';
import { byProvider } from '../../domain/billing/provider-tax.ts';
import { byRates, type Taxing } from '../../domain/billing/tax.ts';
import type { DraftInvoice } from '../../domain/billing/total.ts';
import { taxedAddress } from '../../domain/tax/documents.ts';
import type { TaxDocument, WrittenAddress } from '../../domain/tax/documents.ts';
import { ratesFor } from '../../domain/tax/rates.ts';
import { readTaxAddresses } from '../../db/queries/billing/tax-addresses.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import type { TenantInfo } from '../context/context.ts';
import { taxAnswersOf, type AnswerTo } from './tax-answers.ts';

/** For invoices of one of the customers that were read, on a day from the one on that was read. */
export type TaxingOf = (customerId: number, invoiceDate: IsoDate) => Taxing;

export interface TaxingOptions {
  /** Answers that are stored nowhere, of a customer that does not exist yet. */
  readonly beside?: AnswerTo;
  /** In place of the customers' own addresses. */
  readonly at?: WrittenAddress;
}

/** Reads nothing for a tenant without taxes. */
export async function taxingOf(
  tx: Tx,
  { taxRates, taxProvider }: TenantInfo,
  customerIds: readonly number[],
  from: IsoDate,
  { beside = () => null, at }: TaxingOptions = {},
): Promise<TaxingOf> {
  if (taxProvider !== null) {
    const { shipFrom } = taxProvider;
    const [addresses, stored] = await Promise.all([
      readTaxAddresses(tx, customerIds),
      taxAnswersOf(tx, customerIds, from),
    ]);
    const answerTo: AnswerTo = (document) => stored(document) ?? beside(document);
    return (customerId, invoiceDate) => {
      const shipTo = taxedAddress(at ?? addresses.get(customerId) ?? {});
      return byProvider({ customerId, invoiceDate, shipFrom, shipTo }, answerTo);
    };
  }
  if (taxRates.length === 0) return () => byRates([]);
  const addresses = await readTaxAddresses(tx, customerIds);
  return (customerId) => byRates(ratesFor(taxRates, at ?? addresses.get(customerId) ?? null));
}

/** Invoices lack their taxes, because the provider was not asked about them; nothing is stored. */
export class UnansweredTaxes extends Error {
  readonly documents: readonly TaxDocument[];

  constructor(documents: readonly TaxDocument[]) {
    super(`${documents.length} invoices lack the answer of the tax provider`);
    this.name = 'UnansweredTaxes';
    this.documents = documents;
  }
}

/** Throws UnansweredTaxes if one of them lacks its taxes. */
export function refuseUntaxed(invoices: readonly DraftInvoice[]): void {
  const questions = unanswered(invoices);
  if (questions.length > 0) throw new UnansweredTaxes(questions);
}

/** What the provider has to be asked before these invoices may be made. */
export function unanswered(invoices: readonly DraftInvoice[]): TaxDocument[] {
  return invoices.flatMap(({ asked }) =>
    asked === null || asked.isAnswered ? [] : [asked.document],
  );
}
