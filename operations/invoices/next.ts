/** Previews the coming invoices of a customer: it stores nothing, and locks nobody. */
import { addMonths, maxDate } from '../../domain/calendar/calendar.ts';
import { DomainError } from '../../domain/errors.ts';
import type { IsoDate } from '../../domain/model.ts';
import { loadDueOrders } from '../../db/queries/billing/load.ts';
import { readNextBill } from '../../db/queries/billing/next-bill.ts';
import { inTenant } from '../../db/connection/tenancy.ts';
import { ratingBasis, taxAddressesOf } from '../billing/basis.ts';
import { balancesOf, type Balances } from '../billing/balances.ts';
import { billedApart, heldFromBilling } from '../billing/customers.ts';
import { forecast, tooManyCharges, type ForecastInput } from '../billing/forecast.ts';
import { findCustomer, type CustomerAddress } from '../context/locks.ts';
import { tenantTimeOf, type Dependencies, type TenantInfo } from '../context/context.ts';
import { previewsOf, type InvoicePreview } from './preview.ts';

const AHEAD_MONTHS_MAX = 12;

/**
 * The invoices that the runs up to and including a day will make if nothing else happens, oldest
 * first; for today, those of generateInvoice. Without a day, up to the customer's next bill.
 *
 * Throws customer.unknown, customer.held, customer.billedApart, or field.invalid for asOf.
 */
export async function nextInvoices(
  dependencies: Dependencies,
  tenant: TenantInfo,
  address: CustomerAddress,
  asOf: IsoDate | null,
): Promise<readonly InvoicePreview[]> {
  const read = await readWhatIsDue(dependencies, tenant, address, asOf);
  // The connection is free again, however long this takes.
  return read === null ? [] : previewsOf(forecast(read.input), read.balances);
}

function assertAhead(asOf: IsoDate, today: IsoDate): void {
  const last = addMonths(today, AHEAD_MONTHS_MAX);
  if (asOf >= today && asOf <= last) return;
  const text = asOf < today ? `before today, ${today}` : `more than a year ahead, after ${last}`;
  const where = { path: 'asOf', value: asOf };
  throw new DomainError('field.invalid', `asOf is ${text}`, where);
}

interface WhatIsDue {
  readonly input: ForecastInput;
  readonly balances: Balances;
}

/** Null if nothing will be due. One snapshot, so that balances and orders agree. */
function readWhatIsDue(
  dependencies: Dependencies,
  tenant: TenantInfo,
  address: CustomerAddress,
  asked: IsoDate | null,
): Promise<WhatIsDue | null> {
  return inTenant(
    dependencies.db,
    tenant.id,
    async (tx) => {
      const customer = await findCustomer(tx, address);
      const [{ today }, { isSuspect, nextBillOn }] = await Promise.all([
        tenantTimeOf(dependencies, tenant, tx, 'none'),
        readNextBill(tx, customer.id),
      ]);
      if (asked !== null) assertAhead(asked, today);
      if (customer.isHeld) throw heldFromBilling(customer.id);
      if (isSuspect) throw billedApart(customer.id);
      const asOf = asked ?? (nextBillOn && maxDate(nextBillOn, today));
      if (asOf === null) return null;
      const choice = { customerIds: [customer.id], by: asOf, atOnce: asOf === today };
      const [due, balances, addresses] = await Promise.all([
        loadDueOrders(tx, choice),
        balancesOf(tx, [customer.id]),
        taxAddressesOf(tx, tenant, [customer.id]),
      ]);
      if (due.cut !== null) throw tooManyCharges(asOf);
      const { rows } = due;
      const basis = await ratingBasis(dependencies, tx, tenant, { rows, addresses });
      const { paymentTerms: tenantTerms } = tenant;
      return { input: { customer, rows, basis, tenantTerms, today, asOf }, balances };
    },
    { readOnly: true, snapshot: true },
  );
}
