/** What a tenant has whose invoices AvaTax taxes: its file, a taxed plan, customers in New York. */
import type { OperationContext } from '../../../operations/context/context.ts';
import { avataxAccount, newYork, portland } from '../../support/avatax.ts';
import { prepaid, recurring } from './plans.ts';

/** Nothing listens here: for tests that hand in their provider. */
const NOWHERE = 'http://127.0.0.1:9';

/** Of 36.00 a month; in New York 39.20 with its taxes. */
export const gold = recurring('GOLD', 36, { ...prepaid, taxCodes: ['STANDARD'] });

/** The keys of a file by which AvaTax, or the double at this address, taxes from Portland. */
export function avataxFile(url = NOWHERE) {
  return {
    address: { ...portland, street2: undefined },
    tax: { type: 'avatax', ...avataxAccount, url },
  };
}

interface Shop {
  readonly customer: () => Promise<number>;
  readonly work: <Result>(
    operation: (work: OperationContext) => Promise<Result>,
  ) => Promise<Result>;
}

/** A new customer in New York; returns its id. */
export async function newYorker(
  { customer, work }: Shop,
  changes: Partial<Record<keyof typeof newYork, string>> = {},
): Promise<number> {
  const customerId = await customer();
  const { street1, street2, city, state, zip, countryCode } = { ...newYork, ...changes };
  await work(({ tx }) =>
    tx.query(
      `insert into contact (tenant_id, customer_id, kind, street1, street2, city, state, zip,
         country_code)
       values ($1, $2, 'billing', $3, $4, $5, $6, $7, $8)`,
      [tx.tenantId, customerId, street1, street2, city, state, zip, countryCode],
    ),
  );
  return customerId;
}
