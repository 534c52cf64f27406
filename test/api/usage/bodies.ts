/** Bodies of usage records, and tenants that have orders with usage. */
import type { TenantApi, ApiTenantOptions } from '../tenant-api.ts';

export const listOf = (...inner: readonly string[]): string =>
  `<list>${inner.map((each) => `<activity>${each}</activity>`).join('')}</list>`;

export const customerOf = (ref: string): string =>
  `<customer><extCustomerRef>${ref}</extCustomerRef><billingContact><firstName>Ada</firstName>` +
  '</billingContact></customer>';

/** Posts an order of the customer, and returns its document. */
export async function order(own: TenantApi, inner: string, ref = 'C1'): Promise<string> {
  const made = await own.post(
    `/orders?extCustomerRef=${ref}`,
    `<subscriptionOrder>${inner}</subscriptionOrder>`,
  );
  if (made.status !== 201) throw new Error(made.body);
  return made.body;
}

export const metered = '<contractCode>METERED</contractCode>';

/** A separate tenant with the customer C1, whose order 1001 has the usage line MINUTES. */
export async function withOrder(
  api: TenantApi,
  options: ApiTenantOptions = {},
): Promise<TenantApi> {
  const own = await api.another(options);
  await own.post('/customers', customerOf('C1'));
  await order(own, metered);
  return own;
}
