/** Links that pay an invoice: making them, visiting their pages, and what stands in the books then. */
import { customerOf, visit, withProfiles } from '../self-service/calls.ts';
import { booksOf, formIn, invoiced, type Fields } from '../self-service/pay-calls.ts';
import { keyIn, submit } from '../signups/page-calls.ts';
import type { Received } from '../support.ts';
import type { ApiTenantOptions, CallOptions, TenantApi } from '../tenant-api.ts';

/** The vault takes them; the second one is declined. */
export const card = {
  cardNumber: '4111 1111 1111 1111',
  expiryMonth: '12',
  expiryYear: '2029',
  cvv: '123',
  cardholderName: 'Bob Payer',
} as const;
export const declining = { ...card, cardNumber: '4000000000000341' } as const;

export interface Linked {
  readonly own: TenantApi;
  /** The customer. */
  readonly id: string;
  readonly invoiceId: string;
  /** Of the page. */
  readonly path: string;
}

/** A tenant, and an invoice of a customer of its own, with a link. */
export async function linked(
  api: TenantApi,
  { amount = '81.61', ...options }: ApiTenantOptions & { readonly amount?: string } = {},
): Promise<Linked> {
  const own = await api.another({ ...withProfiles, ...options });
  const id = await customerOf(own, 'Ada');
  const invoiceId = await invoiced({ own, id }, amount);
  return { own, id, invoiceId, path: await linkOf(own, invoiceId) };
}

export const askLink = (own: TenantApi, invoiceId: string, options?: CallOptions) =>
  own.call('GET', `/invoice/${invoiceId}/payLink`, options);

/** `http://demo.localhost:8080/pay/q3V0..` */
export const urlIn = ({ body }: Received): string => /<url>([^<]*)<\/url>/.exec(body)?.[1] ?? body;

export const linkOf = async (own: TenantApi, invoiceId: string): Promise<string> =>
  pathOf(urlIn(await askLink(own, invoiceId)));

export const pathOf = (url: string): string => (URL.canParse(url) ? new URL(url).pathname : url);

export const show = ({ own, path }: Linked, query = ''): Promise<Received> =>
  visit(own, path + query);

export const keyOf = (page: Received): string => keyIn({ ...page, body: formIn(page) });

export const send = ({ own, path }: Linked, fields: Fields): Promise<Received> =>
  submit(own, path, fields);

/** Fetches the page, and posts its form. */
export const pay = async (link: Linked, fields: Fields = card): Promise<Received> =>
  send(link, { formKey: keyOf(await show(link)), ...fields });

/** Follows where a form has led. */
export const follow = ({ own }: Linked, { headers }: Received): Promise<Received> =>
  visit(own, String(headers.location));

export const books = ({ own }: Linked): Promise<string> => booksOf({ own });

/** Moves the instants of the tenant's links; the assignments are of the test itself. */
export const setLinks = (own: TenantApi, assignments: string): Promise<unknown> =>
  own.asOwner(`update pay_link set ${assignments} where tenant_id = ${own.tenantId}`);

export const linkRows = (own: TenantApi) =>
  own.asOwner<Record<string, unknown>>(
    `select *, extract(epoch from expires_at - now())::float / 86400 as days
     from pay_link where tenant_id = ${own.tenantId} order by id`,
  );

/** What declines count for: `2 of invoices, 0 of customers`. */
export async function declinesOf(own: TenantApi): Promise<string> {
  const [row] = await own.asOwner<{ text: string }>(
    `select count(*) filter (where invoice_id is not null and customer_id is null) || ' of invoices, '
       || count(*) filter (where customer_id is not null) || ' of customers' as text
     from card_decline where tenant_id = ${own.tenantId}`,
  );
  return row?.text ?? '';
}
