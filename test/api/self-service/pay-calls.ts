/** Customers who pay by pages: what they owe, what they have on file, and what became of it. */
import { autopay, card as cardElement } from '../payments/bodies.ts';
import type { Received } from '../support.ts';
import { valueOf, type ApiTenantOptions, type TenantApi } from '../tenant-api.ts';
import { keyIn, submit } from '../signups/page-calls.ts';
import { customerOf, pageOf, visit, withProfiles } from './calls.ts';

export const card = {
  method: 'new',
  cardNumber: '4111 1111 1111 1111',
  expiryMonth: '12',
  expiryYear: '2029',
  cvv: '123',
  cardholderName: 'Ada Field',
} as const;

/** The vault takes it, and every charge of it is declined. */
export const declining = { ...card, cardNumber: '4000000000000341' } as const;

export interface Payer {
  readonly own: TenantApi;
  readonly id: string;
  /** The path of the session's first page. */
  readonly home: string;
  /** The path of the page that pays. */
  readonly path: string;
}

/** A tenant with a customer who has a session. */
export async function payerOf(
  api: TenantApi,
  options: ApiTenantOptions = {},
  parameters: Readonly<Record<string, string>> = {},
): Promise<Payer> {
  const own = await api.another({ ...withProfiles, ...options });
  const id = await customerOf(own, 'Ada');
  return { own, id, ...(await sessionOf(own, id, parameters)) };
}

export async function sessionOf(
  own: TenantApi,
  customerId: string,
  parameters: Readonly<Record<string, string>> = {},
): Promise<Pick<Payer, 'home' | 'path'>> {
  const home = await pageOf(own, { customerId, ...parameters });
  return { home, path: `${home}/pay` };
}

/** An invoice by hand; returns its id. */
export async function invoiced(
  { own, id }: Pick<Payer, 'own' | 'id'>,
  amount: string,
  more = '<dueDate>2027-01-31</dueDate>',
): Promise<string> {
  const { body } = await own.post(
    `/invoices?customerId=${id}`,
    `<invoice>${more}<invoiceLineItems><invoiceLineItem><invoiceLineItemCharges>
     <invoiceLineItemCharge><amount>${amount}</amount></invoiceLineItemCharge>
     </invoiceLineItemCharges></invoiceLineItem></invoiceLineItems></invoice>`,
  );
  return valueOf(body, 'invoice@id') ?? body;
}

export const inEuro = '<currency id="EUR"/>';

export async function onFile(
  { own, id }: Pick<Payer, 'own' | 'id'>,
  preference: number,
  { number = '4111111111111111', expiry = '2029-12-31' } = {},
): Promise<string> {
  const more = `<autopayPreference>${preference}</autopayPreference>`;
  const sent = cardElement({ number, expiry, more });
  const { status, body } = await own.put(`/customer/${id}/autopay`, autopay(sent));
  if (status !== 200) throw new Error(body);
  const [row] = await own.asOwner<{ id: string }>(
    `select id from payment_method
     where tenant_id = ${own.tenantId} and customer_id = ${id} and autopay_preference = ${preference}`,
  );
  return row?.id ?? '';
}

export type Fields = Readonly<Record<string, string>>;

/** What the form that pays sends by itself: hidden fields, and the boxes that are ticked. */
export function hiddenIn(page: Received): Fields {
  const hidden = (name: string): string =>
    new RegExp(`name="${name}" value="([^"]*)"`).exec(formIn(page))?.[1] ?? '';
  const names = ['formKey', 'currency', 'total'];
  return {
    ...Object.fromEntries(names.map((name) => [name, hidden(name)])),
    ...boxesIn(page, 'ticked'),
  };
}

/** `{ 'invoice-17': '10.00' }` */
export function boxesIn(page: Received, which: 'all' | 'ticked'): Fields {
  const boxes = formIn(page).matchAll(
    /name="(invoice-\d+)" type="checkbox" value="([^"]*)"([^>]*)/g,
  );
  const found = [...boxes].filter(
    ([, , , more = '']) => which === 'all' || more.includes(' checked'),
  );
  return Object.fromEntries(found.map(([, name = '', open = '']) => [name, open]));
}

/** The ids of the invoices that are chosen, in the order of the page. */
export const chosenIn = (page: Received): string[] =>
  Object.keys(boxesIn(page, 'ticked')).map((name) => name.replace('invoice-', ''));

/** As the box of that invoice sends it. */
export const boxOf = (id: string, open: string): Fields => ({ [`invoice-${id}`]: open });

/** The form that pays, or that stores a card; the first one logs out. */
export const formIn = ({ body }: Received): string =>
  /<form class="form"[^]*?<\/form>/.exec(body)?.[0] ?? '';

export const keyOf = (page: Received): string => keyIn({ ...page, body: formIn(page) });

/** Fetches the page that pays, and posts its form. */
export async function pay(
  { own, path }: Pick<Payer, 'own' | 'path'>,
  fields: Fields,
  query = '',
): Promise<Received> {
  const page = await visit(own, path + query);
  return submit(own, path, { ...hiddenIn(page), ...fields });
}

export const send = ({ own, path }: Pick<Payer, 'own' | 'path'>, fields: Fields) =>
  submit(own, path, fields);

/** What stands in the books: payments, the sandbox's charges, what is open, what is on file. */
export async function booksOf({ own }: Pick<Payer, 'own'>): Promise<string> {
  const tenant = `tenant_id = ${own.tenantId}`;
  const [row] = await own.asOwner<{ text: string }>(
    `select concat_ws('; ',
       (select string_agg(concat_ws(' ', status, round(amount, 2), currency), ', ' order by id)
        from payment where ${tenant}),
       'charges ' || coalesce((select string_agg(concat_ws(' ', status, round(amount, 2)), ', '
          order by id) from sandbox_transaction where ${tenant} and operation = 'charge'), 'none'),
       'open ' || coalesce((select string_agg(round(outstanding_balance, 2) || ' ' || currency, ', '
          order by id) from invoice where ${tenant} and status = 'Outstanding'), 'none'),
       'made ' || (select count(*) from self_service_payment where ${tenant}),
       'used ' || (select count(*) from used_form where ${tenant})) as text`,
  );
  return row?.text ?? '';
}

/** `1 1111, 2 4444` */
export async function filedOf({ own, id }: Pick<Payer, 'own' | 'id'>): Promise<string> {
  const [row] = await own.asOwner<{ text: string | null }>(
    `select string_agg(autopay_preference || ' ' || last_four, ', ' order by autopay_preference) as text
     from payment_method where tenant_id = ${own.tenantId} and customer_id = ${id}
       and autopay_preference is not null`,
  );
  return row?.text ?? 'none';
}

/** What went wrong, as the list at the top says it. */
export const problemIn = ({ body }: Received): string | undefined =>
  /<li>(?:<a[^>]*>)?(.*?)<\//.exec(/<div class="problems"[^]*?<\/div>/.exec(body)?.[0] ?? '')?.[1];

export const buttonIn = (page: Received): string | undefined =>
  /<button type="submit" class="button">(.*)<\/button>/.exec(formIn(page))?.[1];
