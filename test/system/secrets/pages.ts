/** Sign-ups whose visitors type cards and passwords wherever they can, taken and refused. */
import { startPath, type Parameters } from '../../api/signups/calls.ts';
import { ada, fill, keyIn, submit, visit } from '../../api/signups/page-calls.ts';
import type { Received } from '../../api/support.ts';
import { valueOf } from '../../api/tenant-api.ts';
import { until } from '../../support/until.ts';
import type { Place } from './places.ts';
import { passwords, typed } from './calls.ts';

export const hostedPages = { allowedOrigins: ['https://www.demo.example'] };

export const selfServiceProfiles = [{ id: 'DEFAULT', allowProfileEdit: true }];

export interface Visited {
  /** Whatever was answered, headers included. */
  readonly answers: readonly Place[];
  readonly statuses: ReadonlySet<number>;
  /** Of the links. */
  readonly tokens: readonly string[];
}

interface Host {
  readonly port: number;
  readonly label: string;
  readonly call: (method: string, path: string) => Promise<Received>;
}

type Fields = Readonly<Record<string, string>>;

const [linked, entered, weak] = passwords;
const expiry = { expiryMonth: '12', expiryYear: '2029', cardholderName: 'Ada' } as const;

/** @param host of a tenant with the plan P */
export async function signUp(host: Host): Promise<Visited> {
  const answers: Place[] = [];
  const statuses = new Set<number>();
  const tokens: string[] = [];
  const note = (where: string, { status, headers, body }: Received): void => {
    statuses.add(status);
    answers.push([`page ${tokens.length} ${where} ${status}`, JSON.stringify(headers) + body]);
  };

  async function start(parameters: Parameters): Promise<string> {
    const path = startPath({ format: 'xml', contractCode: 'P', ...parameters });
    const { body } = await host.call('GET', path);
    tokens.push(valueOf(body, 'url')?.split('/').at(-1) ?? body);
    return `/signup/${tokens.at(-1)}`;
  }

  async function send(path: string, fields: Fields, headers: Fields = {}): Promise<void> {
    note('form', await fill(host, path, fields, headers));
    note('page', await visit(host, path));
  }

  /** Until it takes a form, or leads on. */
  const awaited = (path: string): Promise<void> =>
    until('the page has an end', async () => {
      const page = await visit(host, path);
      note('waits', page);
      return page.status === 303 || keyIn(page) !== '';
    });

  async function mistakes(path: string): Promise<void> {
    const { good, mixed } = typed;
    await send(path, { ...expiry, ...mixed });
    await send(path, { ...expiry, ...good, cardholderName: good.cardNumber });
    await send(path, { ...expiry, ...good, cvv: `${good.cvv}${good.cvv}` });
    await send(path, { ...expiry, ...good }, { origin: 'https://www.demo.example' });
    await send(path, { ...expiry, ...good, formKey: good.cardNumber });
    await send(path, { ...expiry, ...good }, { 'content-type': 'text/plain' });
    await send(path, { ...expiry, ...good, more: good.cardNumber.repeat(5_000) });
    const query = new URLSearchParams(good).toString();
    note('query', await visit(host, `${path}?${query}`));
    note('unknown', await submit(host, `${path}x?${query}`, good));
    note('unknown', await visit(host, `/signup/${good.cardNumber}`));
  }

  const withPassword = await start({ login: 'ada.field', passwd: linked });
  const { cardNumber } = typed.good;
  await send(withPassword, { ...ada, city: cardNumber, contractCode: 'P', quantity: '1' });
  await send(withPassword, { ...ada, email: cardNumber, passwd: entered, quantity: cardNumber });
  await send(withPassword, { ...ada, ...typed.good, contractCode: 'P', quantity: '1' });
  await mistakes(withPassword);
  await send(withPassword, { ...expiry, ...typed.declined });
  await awaited(withPassword);
  await send(withPassword, { ...expiry, ...typed.good, savePaymentMethod: 'true' });
  await awaited(withPassword);

  const other = await start({});
  const bea = { ...ada, email: 'bea@field.example', login: 'bea.field', quantity: '1' };
  await send(other, { ...bea, contractCode: 'P', passwd: weak });
  await send(other, { ...bea, contractCode: cardNumber, passwd: entered });
  await send(other, { ...bea, contractCode: 'P', passwd: entered });
  await send(other, { ...expiry, ...typed.amex });
  await awaited(other);
  return { answers, statuses, tokens };
}
