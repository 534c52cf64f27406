/** Tells a tax provider what a credit gives back of the invoices that the provider has recorded. */
import type { CreditCharge } from '../../domain/billing/charges.ts';
import { taxReturn } from '../../domain/billing/provider-tax.ts';
import { taxedAddress } from '../../domain/tax/documents.ts';
import { readTaxAddresses } from '../../db/queries/billing/tax-addresses.ts';
import { insertTaxRecords, readShipFrom } from '../../db/queries/tax-records/records.ts';
import type { OperationContext } from '../context/context.ts';
import type { PaymentInsert } from '../../db/queries/payments/new-payments.ts';

/**
 * One return for each invoice. Also of a tenant that has left its provider, which has the invoice.
 *
 * @param returned by invoice
 */
export async function returnTaxes(
  { tx, time }: OperationContext,
  { id, customerId, currency }: PaymentInsert,
  returned: ReadonlyMap<number, readonly CreditCharge[]>,
): Promise<void> {
  if (returned.size === 0) return;
  const [shipFrom, addresses] = await Promise.all([
    readShipFrom(tx),
    readTaxAddresses(tx, [customerId]),
  ]);
  const parties = {
    customerId,
    invoiceDate: time.today,
    currency,
    shipFrom: taxedAddress(shipFrom),
    shipTo: taxedAddress(addresses.get(customerId) ?? {}),
  };
  insertTaxRecords(
    tx,
    [...returned].flatMap(([invoiceId, charges]) => {
      const record = taxReturn(charges, parties);
      if (record === null) return [];
      const { document, credits, total, tax } = record;
      const own = { invoiceId, paymentId: id, document: { ...document, credits } };
      return [{ ...own, expectedTotal: total, expectedTax: tax }];
    }),
  );
}
