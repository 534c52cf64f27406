/** Previews the coming invoices of a customer: it stores nothing, and locks nobody. */
import { type IsoDate, addMonths, maxDate } from '../../domain/calendar/calendar.ts';
import { DomainError } from '../../domain/errors.ts';
import { readNextBill } from '../../db/queries/billing/due-customers.ts';
import { inTenant } from '../../db/connection/tenancy.ts';
import { withTaxes } from '../billing/asking.ts';
import { billedApart, refuseHeld } from '../billing/customers.ts';
import { forecast, taxed } from '../../domain/billing/forecast.ts';
import { type Forecastable, readForecast } from '../billing/basis.ts';
import { type CustomerAddress, findCustomer } from '../context/locks.ts';
import { type Dependencies, type TenantInfo, tenantTimeOf } from '../context/context.ts';
import { type InvoicePreview, previewsOf } from '../../domain/invoices/preview.ts';

const AHEAD_MONTHS_MAX = 12;

/**
 * The invoices that the runs up to and including a day will make if nothing else happens, oldest
 * first; for today, those of generateInvoice. Without a day, up to the customer's next bill.
 *
 * Throws customer.unknown, customer.held, customer.billedApart, tax.refused, tax.unavailable, or
 * field.invalid for asOf.
 */
export async function nextInvoices(
  dependencies: Dependencies,
  tenant: TenantInfo,
  address: CustomerAddress,
  asOf: IsoDate | null,
): Promise<readonly InvoicePreview[]> {
  return withTaxes(dependencies, tenant.id, async () => {
    const read = await readWhatIsDue(dependencies, tenant, address, asOf);
    // The connection is free again, however long this takes.
    return read === null ? [] : previewsOf(taxed(forecast(read.input)), read.balances, read.billTo);
  });
}

function assertAhead(asOf: IsoDate, today: IsoDate): void {
  const last = addMonths(today, AHEAD_MONTHS_MAX);
  if (asOf >= today && asOf <= last) return;
  const text = asOf < today ? `before today, ${today}` : `more than a year ahead, after ${last}`;
  const where = { path: 'asOf', value: asOf };
  throw new DomainError('field.invalid', `asOf is ${text}`, where);
}

/** Null if nothing will be due. One snapshot, so that balances and orders agree. */
function readWhatIsDue(
  dependencies: Dependencies,
  tenant: TenantInfo,
  address: CustomerAddress,
  asked: IsoDate | null,
): Promise<Forecastable | null> {
  return inTenant(
    dependencies.db,
    tenant.id,
    async (tx) => {
      const customer = await findCustomer(tx, address);
      const [{ today }, { isSuspect, nextBillOn, resumesOn }] = await Promise.all([
        tenantTimeOf(dependencies, tenant, tx, 'none'),
        readNextBill(tx, customer.id),
      ]);
      if (asked !== null) assertAhead(asked, today);
      refuseHeld(customer);
      if (isSuspect) throw billedApart(customer.id);
      const next = nextBillOn ?? resumesOn;
      const asOf = asked ?? (next && maxDate(next, today));
      if (asOf === null) return null;
      return readForecast(dependencies, { tx, tenant }, { customer, today, asOf });
    },
    { readOnly: true, snapshot: true },
  );
}
