/** Remarks customers whose invoices are without tax, though the tenant taxes: no rate matches. */
import { rateOf, ratesFor } from '../../../domain/tax/rates.ts';
import type { GivenRate, TaxAddress } from '../../../domain/tax/rates.ts';
import type { Tx } from '../../../db/connection/tenancy.ts';
import type { Report } from '../file/mistakes.ts';

interface WithTax {
  readonly tax: { readonly type: string; readonly rates: readonly GivenRate[] };
}

interface Place extends TaxAddress {
  readonly customers: number;
  /** The oldest of them. */
  readonly first: number;
}

/** A provider says by itself what it does not tax. */
export async function remarkUntaxed(
  tx: Tx,
  { tax: { type, rates: given } }: WithTax,
  remark: Report,
): Promise<void> {
  if (type !== 'table') return;
  const rates = given.map(rateOf);
  const places = await tx.query<Place & Record<string, unknown>>(
    `select k.state, k.country, k.country_code, count(*)::int as customers,
       min(c.id) as first
     from customer c
     left join contact k
       on k.tenant_id = c.tenant_id and k.customer_id = c.id and k.kind = 'billing'
     where c.tenant_id = $1 and c.status not like 'InActive%'
     group by k.state, k.country, k.country_code`,
    [tx.tenantId],
    'places-of-customers',
  );
  const untaxed = places.filter((place) => ratesFor(rates, place).length === 0);
  if (untaxed.length === 0) return;
  const count = untaxed.reduce((sum, { customers }) => sum + customers, 0);
  const first = Math.min(...untaxed.map((place) => place.first));
  const who = count === 1 ? `customer ${first}` : `${count} customers, such as ${first},`;
  remark(['tax', 'rates'], `no rate matches the address of ${who} whose invoices are without tax`);
}
