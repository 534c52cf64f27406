/** Bills a customer with charges that a test adds to those of the plan: discounts and taxes. */
import type { InvoiceCharge } from '../../../domain/billing/charges.ts';
import { draftCharge, sumOf, type DraftInvoice } from '../../../domain/billing/total.ts';
import { formatAmount, sum } from '../../../domain/money/money.ts';
import { loadDueOrders } from '../../../db/queries/billing/load.ts';
import { rateCustomer } from '../../../operations/billing/rate-customer.ts';
import { prepareBilling, writePrepared } from '../../../operations/billing/store.ts';
import { lockCustomers } from '../../../operations/context/locks.ts';
import { planVersions } from '../../../operations/plans/versions.ts';
import type { Books } from './books.ts';

export async function billWith(
  { work, dependencies }: Books,
  customerId: number,
  charged: (charges: readonly InvoiceCharge[]) => readonly InvoiceCharge[],
): Promise<void> {
  await work(async (context) => {
    const { tx, tenant, time } = context;
    const [customer] = await lockCustomers(tx, [customerId]);
    if (customer === undefined) throw new Error('no customer');
    const { rows } = await loadDueOrders(tx, {
      customerIds: [customerId],
      by: time.today,
      atOnce: true,
    });
    const planIds = rows.map((row) => row.plan_id);
    const plans = await planVersions(dependencies.db, tx, planIds);
    const billing = rateCustomer({
      customer,
      rows,
      plans,
      tenantTerms: tenant.paymentTerms,
      today: time.today,
      atOnce: true,
    });
    const invoices = billing.invoices.map((draft) => changed(draft, charged));
    const prepared = await prepareBilling(context, [{ ...billing, invoices }], null);
    await writePrepared(context, prepared);
  });
}

function changed(
  draft: DraftInvoice,
  charged: (charges: readonly InvoiceCharge[]) => readonly InvoiceCharge[],
): DraftInvoice {
  const lines = draft.lines.map((line) => {
    const charges = charged(line.charges.map(({ charge }) => charge));
    return {
      ...line,
      lineAmountTotal: formatAmount(draft.currency, sum(charges.map(({ amount }) => amount))),
      charges: charges.map((charge, index) => draftCharge(charge, index + 1, draft.invoiceDate)),
    };
  });
  return { ...draft, lines, ...sumOf(lines, draft.currency) };
}
