/**
 * AvaTax on this machine: it refuses what the real one would (credentials, company, addresses, tax
 * codes, amounts, document codes), taxes by a table of states, keeps what is recorded, and can be
 * slow, silent, wrong and down.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { json } from 'node:stream/consumers';
import type { ExecutionContext } from 'ava';
import { z } from 'zod';
import { createAvatax, type AvataxOptions } from '../../providers/tax/avatax/avatax.ts';
import type { GuardOptions } from '../../providers/guard.ts';
import { guarded } from '../../providers/tax/guarded.ts';

export const portland = {
  street1: '1 Main St',
  street2: null,
  city: 'Portland',
  state: 'OR',
  zip: '97201',
  countryCode: 'US',
};
export const newYork = {
  ...portland,
  street1: '350 5th Ave',
  city: 'New York',
  state: 'NY',
  zip: '10118',
};

export const avataxAccount = {
  accountId: '2000134479',
  licenseKey: '1D8F6A2B3C4E5F60',
  companyCode: 'EULER',
} as const;

/** How the provider behaves from now on. */
export type Mood =
  | 'well'
  /** Never answers. */
  | 'silent'
  /** Closes each connection. */
  | 'down'
  /** Answers 503 in HTML, as a balancer does. */
  | 'unavailable'
  /** Answers with taxes that do not add up. */
  | 'wrong';

export interface MoodOptions {
  readonly delayMs?: number;
  /** The only calls that meet this mood and its delay, named as `calls` names them. */
  readonly only?: 'create' | 'createoradjust' | 'resolve' | 'void';
}

/** How it taxes besides its percentages. */
export interface Taxing {
  /** The part of each amount that is taxable; 1 by default. */
  readonly taxable?: number;
  /** A tax for each line, whatever its amount. */
  readonly flat?: number;
}

export interface KeptRecord {
  readonly status: 'Committed' | 'Cancelled';
  readonly type: 'SalesInvoice' | 'ReturnInvoice';
  /** Of a return: the code of its invoice. */
  readonly referenceCode?: string;
  readonly customerCode: string;
  readonly date: string;
  readonly currencyCode: string;
  readonly total: number;
  readonly tax: number;
}

export interface AvataxDouble {
  readonly url: string;
  /** By document code. */
  readonly records: ReadonlyMap<string, KeptRecord>;
  /** The calls that were answered, by their path without ids: `create`, `createoradjust`, `void`. */
  readonly calls: ReadonlyMap<string, number>;
  /** The highest number of calls that were under way at once. */
  readonly atOnceMax: () => number;
  /** The number of calls that it has not ended yet, whether or not their caller still waits. */
  readonly underWay: () => number;
  be: (mood: Mood, options?: MoodOptions) => void;
  tax: (by: Taxing) => void;
  readonly close: () => void;
}

/** By state: percentages of its jurisdictions. */
const rates: Readonly<Record<string, readonly (readonly [string, string, number])[]>> = {
  NY: [
    ['NY STATE TAX', '36', 0.04],
    ['NY CITY TAX', '51000', 0.045],
    ['NY SPECIAL TAX', '359071', 0.00375],
  ],
  CA: [['CA STATE TAX', '06', 0.0725]],
  OR: [['OR STATE TAX', '41', 0]],
};
const taxCodes = new Set(['STANDARD', 'SW054000', 'P0000000']);

const address = z.strictObject({
  line1: z.string().max(50).optional(),
  line2: z.string().max(100).optional(),
  city: z.string().max(50).optional(),
  region: z.string().optional(),
  postalCode: z.string().max(11).optional(),
  country: z.string().length(2).optional(),
});
const line = z.strictObject({
  number: z.string().max(50),
  quantity: z.literal(1),
  amount: z.number(),
  taxCode: z.string(),
  itemCode: z.string().max(50).optional(),
  taxOverride: z
    .strictObject({ type: z.literal('TaxAmount'), taxAmount: z.number(), reason: z.string() })
    .optional(),
});
const shared = {
  companyCode: z.string(),
  customerCode: z.string().min(1).max(50),
  date: z.iso.date(),
  currencyCode: z.string().length(3),
  addresses: z.strictObject({ shipFrom: address, shipTo: address }),
  lines: z.array(line).min(1),
};
const estimate = z.strictObject({ ...shared, type: z.literal('SalesOrder') });
const invoice = z.strictObject({
  createTransactionModel: z.strictObject({
    ...shared,
    type: z.enum(['SalesInvoice', 'ReturnInvoice']),
    code: z.string().min(1).max(50),
    referenceCode: z.string().max(1024).optional(),
    commit: z.literal(true),
  }),
  adjustmentReason: z.literal('Other'),
  adjustmentDescription: z.string(),
});
const voiding = z.strictObject({ code: z.literal('DocVoided') });

type Transaction = z.infer<typeof estimate> | z.infer<typeof invoice>['createTransactionModel'];

class Refusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, text: string) {
    super(text);
    this.status = status;
    this.code = code;
  }
}

/** The double and a provider that calls it, until the test ends. */
export async function openAvatax(
  t: Pick<ExecutionContext, 'teardown'>,
  { now = () => 0, ...options }: Partial<AvataxOptions & Pick<GuardOptions, 'now'>> = {},
) {
  const double = await startAvatax();
  t.teardown(double.close);
  const avatax = createAvatax({ ...avataxAccount, url: double.url, ...options });
  return { double, provider: guarded(avatax, { timeLimitMs: 60_000, now }) };
}

export async function startAvatax(): Promise<AvataxDouble> {
  const records = new Map<string, KeptRecord>();
  const calls = new Map<string, number>();
  const state = { underWay: 0, atOnceMax: 0 };
  let now: MoodOptions & { readonly mood: Mood } = { mood: 'well' };
  let by: Taxing = {};
  const meets = (called: string): boolean => now.only === undefined || now.only === called;
  const moodOf = (called: string): Mood => (meets(called) ? now.mood : 'well');

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    state.underWay += 1;
    state.atOnceMax = Math.max(state.atOnceMax, state.underWay);
    try {
      const sent = request.method === 'POST' ? await json(request) : null;
      const called = calledBy(request);
      const { delayMs = 0 } = now;
      if (delayMs > 0 && meets(called)) await sleep(delayMs);
      const mood = moodOf(called);
      if (mood === 'silent') return;
      if (mood === 'down') return void response.socket?.destroy();
      if (mood === 'unavailable') {
        response
          .writeHead(503, { 'content-type': 'text/html' })
          .end('<h1>Service Unavailable</h1>');
        return;
      }
      const { status, body } = answerTo(request, sent);
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    } finally {
      state.underWay -= 1;
    }
  }

  function answerTo(request: IncomingMessage, sent: unknown): { status: number; body: object } {
    try {
      refuseStrangers(request);
      const { pathname, searchParams } = addressOf(request);
      const called = calledBy(request);
      calls.set(called, (calls.get(called) ?? 0) + 1);
      switch (`${request.method} ${pathname.replace(/^\/api\/v2\//, '')}`) {
        case 'POST transactions/create':
          if (searchParams.get('$include') !== 'Details') throw malformed('$include');
          return { status: 201, body: taxed(parsed(estimate, sent)) };
        case 'POST transactions/createoradjust':
          return { status: 201, body: recorded(parsed(invoice, sent).createTransactionModel) };
        case 'POST addresses/resolve':
          return { status: 200, body: { messages: mistakesOf(parsed(address, sent)) } };
        default:
          return { status: 200, body: voided(pathname, searchParams, sent) };
      }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { status: error.status, body: refusalBody(error) };
    }
  }

  function taxed(transaction: Transaction) {
    const { shipTo } = checkedAddresses(transaction);
    const lines = transaction.lines.map(({ number, amount, taxCode, taxOverride }) => {
      if (!taxCodes.has(taxCode)) {
        throw new Refusal(400, 'GetTaxError', `TaxCode ${taxCode} is not known.`);
      }
      const { taxable = 1, flat = 0 } = by;
      const detail = (taxName: string, jurisCode: string, rate: number, tax: number) => ({
        country: shipTo.country,
        jurisCode,
        jurisName: taxName,
        taxName,
        rate,
        taxableAmount: amount * taxable,
        tax: cents(tax),
      });
      const details = (rates[shipTo.region ?? ''] ?? []).map(([taxName, jurisCode, rate]) =>
        detail(taxName, jurisCode, rate, amount * taxable * rate),
      );
      if (flat !== 0) details.push(detail('DELIVERY FEE', 'FEE', 0, flat));
      const own = taxOverride === undefined ? details : [];
      const tax = taxOverride?.taxAmount ?? total(own.map(({ tax }) => tax));
      return { lineNumber: number, lineAmount: amount, tax, details: own };
    });
    const called = 'code' in transaction ? 'createoradjust' : 'create';
    const wrong = moodOf(called) === 'wrong' ? 1 : 0;
    return {
      code: 'code' in transaction ? transaction.code : 'temporary',
      totalAmount: total(lines.map((each) => each.lineAmount)),
      totalTax: cents(total(lines.map(({ tax }) => tax)) + wrong),
      lines,
    };
  }

  function recorded(transaction: z.infer<typeof invoice>['createTransactionModel']) {
    const before = records.get(transaction.code);
    if (before?.status === 'Cancelled') {
      throw new Refusal(400, 'TransactionAlreadyCancelled', 'The transaction was cancelled.');
    }
    const { lines: _lines, ...made } = taxed(transaction);
    const { customerCode, date, currencyCode, type, referenceCode } = transaction;
    if (type === 'ReturnInvoice' && made.totalAmount > 0) throw malformed('a return above zero');
    records.set(transaction.code, {
      status: 'Committed',
      type,
      ...(referenceCode !== undefined && { referenceCode }),
      customerCode,
      date,
      currencyCode,
      total: made.totalAmount,
      tax: made.totalTax,
    });
    return made;
  }

  function voided(pathname: string, asked: URLSearchParams, sent: unknown) {
    const found = /^\/api\/v2\/companies\/([^/]+)\/transactions\/([^/]+)\/void$/.exec(pathname);
    if (found === null) throw new Refusal(404, 'NotFound', pathname);
    const [, company = '', code = ''] = found;
    if (company !== avataxAccount.companyCode) throw companyUnknown(company);
    parsed(voiding, sent);
    const before = records.get(code);
    // Of no type it is a SalesInvoice.
    if (before === undefined || before.type !== (asked.get('documentType') ?? 'SalesInvoice')) {
      throw new Refusal(404, 'EntityNotFoundError', `DocumentCode ${code} does not exist.`);
    }
    if (before.status === 'Cancelled') {
      throw new Refusal(400, 'TransactionAlreadyCancelled', 'The transaction was cancelled.');
    }
    records.set(code, { ...before, status: 'Cancelled' });
    return { code, status: 'Cancelled', totalAmount: before.total, totalTax: before.tax };
  }

  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    records,
    calls,
    atOnceMax: () => state.atOnceMax,
    underWay: () => state.underWay,
    be(mood, options = {}) {
      now = { mood, ...options };
    },
    tax(how) {
      by = how;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function addressOf({ url = '/' }: IncomingMessage): URL {
  return new URL(url, 'http://avatax');
}

/** The end of its path, which names the call. */
function calledBy(request: IncomingMessage): string {
  return addressOf(request).pathname.split('/').at(-1) ?? '';
}

function refuseStrangers({ headers }: IncomingMessage): void {
  const { accountId, licenseKey } = avataxAccount;
  const expected = `Basic ${Buffer.from(`${accountId}:${licenseKey}`).toString('base64')}`;
  if (headers.authorization !== expected) {
    throw new Refusal(401, 'AuthenticationException', `Account ${accountId} is not known.`);
  }
  if (!String(headers['x-avalara-client']).startsWith('Sundial; ')) throw malformed('client');
}

function checkedAddresses({ companyCode, addresses }: Transaction): Transaction['addresses'] {
  if (companyCode !== avataxAccount.companyCode) throw companyUnknown(companyCode);
  for (const each of Object.values(addresses)) {
    if (mistakesOf(each).length > 0) {
      throw new Refusal(400, 'InvalidAddress', 'The address value was incomplete.');
    }
  }
  return addresses;
}

function mistakesOf({ postalCode, line1, country }: z.infer<typeof address>) {
  const of = (refersTo: string, details: string) => ({
    summary: details,
    details,
    refersTo: `Address.${refersTo}`,
    severity: 'Error',
    source: 'Avalara.AvaTax.Common',
  });
  const mistakes = [];
  if (country === undefined) mistakes.push(of('Country', 'The country is missing.'));
  if (postalCode === '00000') mistakes.push(of('PostalCode', 'The postal code is not known.'));
  if (line1 === undefined) mistakes.push(of('Line0', 'The street is missing.'));
  return mistakes;
}

function parsed<Sent>(schema: z.ZodType<Sent>, sent: unknown): Sent {
  const { data, error } = schema.safeParse(sent);
  if (error !== undefined) throw malformed(z.prettifyError(error));
  return data;
}

function malformed(what: string): Refusal {
  return new Refusal(400, 'ModelStateInvalid', what);
}

function companyUnknown(code: string): Refusal {
  return new Refusal(400, 'CompanyNotFoundError', `Company ${code} is not known.`);
}

function refusalBody({ code, message }: Refusal) {
  const detail = { code, message, description: message, faultCode: 'Client', severity: 'Error' };
  return { error: { code, message, target: 'Unknown', details: [detail] } };
}

/** Halves away from zero, as AvaTax rounds. */
function cents(amount: number): number {
  return (Math.sign(amount) * Math.round(Math.abs(amount) * 100 + 1e-9)) / 100;
}

function total(amounts: readonly number[]): number {
  return cents(amounts.reduce((sum, each) => sum + each, 0));
}
