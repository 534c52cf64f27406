/** How the invoices of customers are taxed: by the tenant's table, or by a provider's answers. */
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import { byProvider } from '../../domain/billing/provider-tax.ts';
import { byRates, type TaxingOf } from '../../domain/billing/tax.ts';
import { taxedAddress, type WrittenAddress } from '../../domain/tax/documents.ts';
import { ratesFor } from '../../domain/tax/rates.ts';
import { readTaxAddresses } from '../../db/queries/billing/tax-waits.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import type { TenantInfo } from '../context/context.ts';
import { taxAnswersOf, type AnswerTo } from './tax-answers.ts';

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
