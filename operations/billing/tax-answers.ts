/** Asks a tenant's tax provider about invoices before they are made, and keeps its answers. */
import assert from 'node:assert';
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import {
  type TaxAnswer,
  type TaxDocument,
  type WrittenAddress,
  taxedAddress,
} from '../../domain/tax/documents.ts';
import type { Database } from '../../db/connection/database.ts';
import { type Tx, inTenant } from '../../db/connection/tenancy.ts';
import {
  readTaxAddresses,
  readTaxAnswers,
  writeTaxAnswers,
} from '../../db/queries/billing/tax-waits.ts';
import { type TaxProvider, TaxProviderError } from '../../providers/tax/tax-provider.ts';
import { byProvider } from '../../domain/billing/rate/provider-tax.ts';
import { type TaxingOf, byRates } from '../../domain/billing/rate/tax.ts';
import { ratesFor } from '../../domain/tax/rates.ts';
import type { TenantInfo } from '../context/context.ts';

/** The stored answer to exactly this document; null if the provider was not asked about it. */
export type AnswerTo = (document: TaxDocument) => TaxAnswer | null;

/** A document without an answer, and why. */
export interface FailedDocument {
  readonly document: TaxDocument;
  readonly error: TaxProviderError;
}

/** What is stored for invoices of these customers of that day and later. */
export async function taxAnswersOf(
  tx: Tx,
  customerIds: readonly number[],
  from: IsoDate,
): Promise<AnswerTo> {
  const stored = customerIds.length === 0 ? [] : await readTaxAnswers(tx, customerIds, from);
  const answers = new Map(stored.map(({ documentHash, answer }) => [documentHash, answer]));
  return (document) => answers.get(documentHash(document)) ?? null;
}

export interface Asking {
  readonly tenantId: number;
  readonly provider: TaxProvider;
  /** Aborted when the caller waits no longer for documents whose turn has not come. */
  readonly signal?: AbortSignal;
}

/**
 * Asks about all documents at once, as far as the provider's limits let it, and stores each answer.
 * Returns those that it did not answer; a failure of one changes nothing about the others.
 */
export async function askTaxes(
  db: Database,
  asking: Asking,
  documents: readonly TaxDocument[],
): Promise<readonly FailedDocument[]> {
  const asked = await askAll(asking, documents);
  const answers = asked.flatMap(({ hash, document, answer }) => {
    if (answer instanceof TaxProviderError) return [];
    const { customerId, invoiceDate } = document;
    return [{ customerId, invoiceDate, documentHash: hash, answer }];
  });
  if (answers.length > 0) {
    await inTenant(db, asking.tenantId, (tx) => Promise.resolve(writeTaxAnswers(tx, answers)));
  }
  return asked.flatMap(failedOf);
}

export function failedOf({ document, answer }: Asked): FailedDocument[] {
  return answer instanceof TaxProviderError ? [{ document, error: answer }] : [];
}

/** What the provider said of a document. */
export interface Asked {
  readonly hash: string;
  readonly document: TaxDocument;
  readonly answer: TaxAnswer | TaxProviderError;
}

/** As long as a provider that is back takes for the call that closes its breaker. */
const TEST_CALL_MS = 1_000;

/**
 * What an open breaker kept back is asked again once the provider has answered others; or, if it
 * kept back everything, after another caller's test of the provider.
 */
export async function askAll(
  { provider, signal }: Pick<Asking, 'provider' | 'signal'>,
  documents: readonly TaxDocument[],
): Promise<readonly Asked[]> {
  const byHash = new Map(documents.map((document) => [documentHash(document), document]));
  const askEach = (some: Iterable<readonly [string, TaxDocument]>): Promise<Asked[]> =>
    Promise.all(
      [...some].map(async ([hash, document]) => ({
        hash,
        document,
        answer: await answerOf(provider, document, signal),
      })),
    );
  const first = await askEach(byHash);
  const keptBack = first.filter(({ answer }) => isKeptBack(answer));
  if (keptBack.length === 0) return first;
  if (keptBack.length === first.length) await sleep(TEST_CALL_MS);
  else if (first.every(({ answer }) => isSilent(answer))) return first;
  const again = await askEach(keptBack.map(({ hash, document }) => [hash, document] as const));
  return [...first.filter(({ answer }) => !isKeptBack(answer)), ...again];
}

function isSilent(answer: Asked['answer']): boolean {
  return answer instanceof TaxProviderError && answer.kind === 'silent';
}

function isKeptBack(answer: Asked['answer']): boolean {
  return answer instanceof TaxProviderError && answer.code === 'circuit_open';
}

async function answerOf(
  provider: TaxProvider,
  document: TaxDocument,
  signal: AbortSignal | undefined,
): Promise<TaxAnswer | TaxProviderError> {
  try {
    return await provider.calculate(document, signal);
  } catch (error) {
    if (error instanceof TaxProviderError) return error;
    throw error;
  }
}

/**
 * In hexadecimal. Two documents have the same only if nothing of what the provider is asked differs:
 * an invoice never bears the tax of another amount, address or day.
 */
export function documentHash(document: TaxDocument): string {
  return createHash('sha256').update(JSON.stringify(document, inOneOrder)).digest('hex');
}

/** Whoever made the document, its keys come in the same order. */
function inOneOrder(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value);
  assert(
    entries.every(([, each]) => each !== undefined),
    'a document says null for nothing',
  );
  return Object.fromEntries(entries.toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

/* How the invoices of customers are taxed: by the tenant's table, or by a provider's answers. */

export interface TaxingOptions {
  /** Answers that are stored nowhere, of a customer that does not exist yet. */
  readonly beside?: AnswerTo;
  /** In place of the customers' own addresses. */
  readonly at?: WrittenAddress;
}

/** Reads nothing for a tenant without taxes. */
export async function taxingOf(
  tx: Tx,
  { taxRates, taxProvider }: TenantInfo,
  customerIds: readonly number[],
  from: IsoDate,
  { beside = () => null, at }: TaxingOptions = {},
): Promise<TaxingOf> {
  if (taxProvider !== null) {
    const { shipFrom } = taxProvider;
    const [addresses, stored] = await Promise.all([
      readTaxAddresses(tx, customerIds),
      taxAnswersOf(tx, customerIds, from),
    ]);
    const answerTo: AnswerTo = (document) => stored(document) ?? beside(document);
    return (customerId, invoiceDate) => {
      const shipTo = taxedAddress(at ?? addresses.get(customerId) ?? {});
      return byProvider({ customerId, invoiceDate, shipFrom, shipTo }, answerTo);
    };
  }
  if (taxRates.length === 0) return () => byRates([]);
  const addresses = await readTaxAddresses(tx, customerIds);
  return (customerId) => byRates(ratesFor(taxRates, at ?? addresses.get(customerId) ?? null));
}
