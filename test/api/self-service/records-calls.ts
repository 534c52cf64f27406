/** What the tests of an account's records share: invoices, payments, pages as text, PDFs. */
import { get } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { readPdf } from '../../providers/invoice-documents/pdf-text.ts';
import { valueOf, type TenantApi } from '../tenant-api.ts';
import { card, cash, pay } from '../payments/bodies.ts';
import { customerOf, pageOf, type Parameters } from './calls.ts';

export interface Account {
  readonly own: TenantApi;
  readonly customerId: string;
  /** Of a session that shows invoices and payments. */
  readonly home: string;
}

export async function accountOf(
  own: TenantApi,
  parameters: Parameters = {},
  more = '',
): Promise<Account> {
  const customerId = await customerOf(own, 'Ada', more);
  return { own, customerId, home: await sessionOf({ own, customerId }, parameters) };
}

/** Another session of the customer. */
export const sessionOf = (
  { own, customerId }: Pick<Account, 'own' | 'customerId'>,
  parameters: Parameters = {},
): Promise<string> => pageOf(own, { customerId, showPayments: 'true', ...parameters });

/** An invoice by hand; returns its id. */
export async function invoiceOf(
  { own, customerId }: Pick<Account, 'own' | 'customerId'>,
  amount: string,
  more = '<dueDate>2027-01-31</dueDate>',
): Promise<string> {
  const { body } = await own.post(
    `/invoices?customerId=${customerId}`,
    `<invoice>${more}<invoiceLineItems><invoiceLineItem><invoiceLineItemCharges>
     <invoiceLineItemCharge><invoiceText>Visit</invoiceText><amount>${amount}</amount>
     </invoiceLineItemCharge></invoiceLineItemCharges></invoiceLineItem></invoiceLineItems></invoice>`,
  );
  return valueOf(body, 'invoice@id') ?? body;
}

/** A payment in cash, or by another method; returns its id. */
export async function paymentOf(
  { own, customerId }: Pick<Account, 'own' | 'customerId'>,
  amount: string,
  method = cash(),
): Promise<string> {
  const { body } = await own.post(
    '/payments',
    pay(`<customer id="${customerId}"/><amount>${amount}</amount>${method}`),
  );
  return valueOf(body, 'payment@id') ?? body;
}

export const declining = card({ number: '4000000000000002' });

/** The texts of the content, with blanks of one kind. */
export const textsOf = (html: string): string =>
  html
    .replace(/^.*<main/s, '<main')
    .replaceAll(/<[^>]*>/g, '\n')
    .replaceAll(/[\u00a0\u202f]/g, ' ')
    .replaceAll(/\s*\n\s*/g, '|');

export const linksOf = (html: string): string[] =>
  [...html.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, to = '']) => to.replaceAll('&amp;', '&'));

export interface ReceivedFile {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The lines of all pages of a PDF; none if it is no PDF. */
  readonly lines: readonly string[];
}

export function fileOf({ port, label }: TenantApi, path: string): Promise<ReceivedFile> {
  const { promise, resolve, reject } = Promise.withResolvers<ReceivedFile>();
  const headers = { host: `${label}.localhost` };
  get({ port, path, headers, agent: false }, (incoming) => {
    const isPdf = incoming.headers['content-type'] === 'application/pdf';
    void buffer(incoming)
      .then(async (bytes) => (isPdf ? (await readPdf(bytes)).pages.flat() : []))
      .then((lines) => {
        const spaced = lines.map((line) => line.replaceAll(/[\u00a0\u202f]/g, ' '));
        resolve({ status: incoming.statusCode, headers: incoming.headers, lines: spaced });
      }, reject);
  }).on('error', reject);
  return promise;
}
