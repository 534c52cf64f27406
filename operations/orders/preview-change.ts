/** Previews the invoices of a change: it stores nothing, and locks nobody. */
import { maxDate } from '../../domain/calendar/calendar.ts';
import type { OrderProposal } from '../../domain/orders/propose.ts';
import { refuseIfItCannotBill } from '../../domain/orders/refusals.ts';
import { readNextBill } from '../../db/queries/billing/due-customers.ts';
import { inTenant, type Tx } from '../../db/connection/tenancy.ts';
import { withTaxes } from '../billing/asking.ts';
import { billedApart, refuseHeld } from '../billing/customers.ts';
import { forecast, taxed } from '../../domain/billing/forecast.ts';
import { readForecast, type Forecastable } from '../billing/forecast-input.ts';
import { tenantTimeOf, type Dependencies, type TenantInfo } from '../context/context.ts';
import { findOrder, type NumberedAddress } from '../context/locks.ts';
import { previewsOf, type InvoicePreview } from '../../domain/invoices/preview.ts';
import { awaiting } from './change.ts';
import { proposeChange, type ChangeRequest } from './current.ts';
import { quoteHash } from './quote-hash.ts';
import { refuseRemoval } from './remove.ts';

export interface PricedChange {
  readonly invoices: readonly InvoicePreview[];
  /** The new order, as it would be stored. */
  readonly order: OrderProposal;
  /** Of its terms; the change takes it. */
  readonly quoteHash: string;
}

/**
 * All that generateInvoice would bill the customer on the day of the change. Throws what refuses the
 * change, and what refuses generateInvoice.
 */
export function priceChange(
  dependencies: Dependencies,
  tenant: TenantInfo,
  address: NumberedAddress,
  request: ChangeRequest,
): Promise<PricedChange> {
  return withTaxes(dependencies, tenant.id, async () => {
    const read = await inTenant(
      dependencies.db,
      tenant.id,
      (tx) => readChange(dependencies, { tenant, tx }, address, request),
      { readOnly: true, snapshot: true },
    );
    // The connection is free again, however long this takes.
    const { asOf } = read.input;
    const onTheDay = forecast(read.input).filter(({ draft }) => draft.invoiceDate === asOf);
    const invoices = previewsOf(taxed(onTheDay), read.balances);
    return { invoices, order: read.order, quoteHash: quoteHash(read.order, tenant) };
  });
}

async function readChange(
  dependencies: Dependencies,
  { tenant, tx }: { readonly tenant: TenantInfo; readonly tx: Tx },
  address: NumberedAddress,
  request: ChangeRequest,
): Promise<Forecastable & Pick<PricedChange, 'order'>> {
  const addressed = await findOrder(tx, address);
  const { customer } = addressed;
  const [{ today }, { isSuspect }] = await Promise.all([
    tenantTimeOf(dependencies, tenant, tx, 'none'),
    readNextBill(tx, customer.id),
  ]);
  // Ids that are stored nowhere, and above all that are.
  const idsOf = (count: number) =>
    Promise.resolve(Array.from({ length: count }, (_, index) => Number.MAX_SAFE_INTEGER - index));
  const reader = { tx, tenant, today, idsOf };
  const change = await proposeChange(dependencies, reader, addressed, { ...request, bills: true });
  if (request.deletesCurrent) await refuseRemoval({ tx }, change.current, request.named);
  refuseIfItCannotBill('Active', customer);
  refuseHeld(customer);
  if (isSuspect) throw billedApart(customer.id);
  const asOf = maxDate(change.effectiveDate, today);
  const { next } = change;
  const row = request.deletesCurrent ? next : awaiting(change);
  const forecastable = await readForecast(
    dependencies,
    { tx, tenant },
    { customer, today, asOf, change: { currentId: addressed.id, row, next } },
  );
  return { ...forecastable, order: change.order };
}
