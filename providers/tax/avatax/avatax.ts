/** AvaTax as a tax provider. */
import { TaxProviderError } from '../tax-provider.ts';
import type { TaxAdapter } from '../guarded.ts';
import type { AvataxAccount } from './client.ts';
import {
  addressMistakes,
  location,
  recordOf,
  salesOrder,
  taxAnswer,
  taxRecord,
  typeOf,
} from './wire.ts';

export interface AvataxOptions extends AvataxAccount {
  /** The company of the account to which the invoices belong. */
  readonly companyCode: string;
}

/** What the package's types call numbers and dates, the interface takes as names and days. */
type AsTyped<Method extends (...args: never) => unknown> = Parameters<Method>[0];

export function createAvatax({ companyCode, ...account }: AvataxOptions): TaxAdapter {
  // The package takes 35 MB and 0.3 s, which only processes of such tenants spend.
  const client = async (signal: AbortSignal) =>
    (await import('./client.ts')).avataxClient(account, signal);
  return {
    async calculate(document, signal) {
      const avatax = await client(signal);
      const asked = { include: 'Details', model: salesOrder(document, companyCode) };
      const answer = await avatax.createTransaction(
        asked as unknown as AsTyped<typeof avatax.createTransaction>,
      );
      return taxAnswer(answer, document);
    },
    async record(document, signal) {
      const avatax = await client(signal);
      const asked = { include: 'SummaryOnly', model: recordOf(document, companyCode) };
      const answer = await avatax.createOrAdjustTransaction(
        asked as unknown as AsTyped<typeof avatax.createOrAdjustTransaction>,
      );
      return taxRecord(answer, document.code);
    },
    async void(record, signal) {
      const avatax = await client(signal);
      const documentType = typeOf(record);
      const named = { companyCode, transactionCode: record.code, documentType };
      const asked = { ...named, model: { code: 'DocVoided' } };
      try {
        await avatax.voidTransaction(asked as unknown as AsTyped<typeof avatax.voidTransaction>);
        return 'voided';
      } catch (error) {
        if (!(error instanceof TaxProviderError)) throw error;
        if (error.code === 'TransactionAlreadyCancelled') return 'voided';
        if (error.code === 'EntityNotFoundError') return 'unknown';
        throw error;
      }
    },
    async resolve(address, signal) {
      const avatax = await client(signal);
      const asked = { model: location(address) };
      return addressMistakes(await avatax.resolveAddressPost(asked));
    },
  };
}
