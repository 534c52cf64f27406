/** Asks the tax provider of a tenant before a transaction: for a batch of the run, or for a call. */
import assert from 'node:assert';
import { DomainError } from '../../domain/errors.ts';
import type { TaxDocument } from '../../domain/tax/documents.ts';
import { inTenant } from '../../db/connection/tenancy.ts';
import { TaxProviderError } from '../../providers/tax/tax-provider.ts';
import {
  tenantInfo,
  tenantTimeOf,
  type Dependencies,
  type TenantInfo,
} from '../context/context.ts';
import { findCustomers } from '../context/locks.ts';
import { openedProvider } from '../tax/providers.ts';
import { holdCodeOf } from './faults.ts';
import { rateDue } from './rate-batch.ts';
import {
  askAll,
  askTaxes,
  documentHash,
  failedOf,
  type AnswerTo,
  type Asking,
  type FailedDocument,
} from './tax-answers.ts';
import { unanswered, UnansweredTaxes } from '../../domain/billing/rate/provider-tax.ts';

/** Why documents have no answer, by their hash. */
export type Failures = ReadonlyMap<string, TaxProviderError>;

const STATEMENT_TIMEOUT_MS = 30_000;
/** Whoever asks waits no longer, however many documents there are. */
const ASK_LIMIT_MS = 15_000;
/** What is asked may change while it is asked. */
export const ROUNDS_MAX = 2;

export const nothingFailed: Failures = new Map();

/**
 * Rates what is due of these customers without locks, a slice of each, and asks about the invoices
 * that lack their taxes. Whatever fails for other reasons than the provider's fails again, and is
 * told, when the customers are billed.
 */
export async function askAhead(
  dependencies: Dependencies,
  tenant: TenantInfo,
  customerIds: readonly number[],
): Promise<Failures> {
  if (customerIds.length === 0) return nothingFailed;
  const documents = await inTenant(
    dependencies.db,
    tenant.id,
    async (tx) => {
      const time = await tenantTimeOf(dependencies, tenant, tx, 'none');
      const customers = await findCustomers(tx, customerIds);
      const billable = customers.filter(({ isHeld }) => !isHeld);
      const reading = { tx, tenant, time };
      const { billings } = await rateDue(dependencies, reading, billable, { locks: false });
      return unanswered(billings.flatMap(({ invoices }) => invoices));
    },
    { readOnly: true, snapshot: true, statementTimeoutMs: STATEMENT_TIMEOUT_MS },
  ).catch((error: unknown) => {
    if (holdCodeOf(error) === null) throw error;
    return [];
  });
  const failed = await ask(dependencies, tenant.id, documents);
  return new Map(failed.map(({ document, error }) => [documentHash(document), error]));
}

/**
 * Runs what bills or previews in a transaction. If its invoices lack their taxes, it has changed
 * nothing: the provider is asked, and it runs again. Throws tax.refused and tax.unavailable.
 */
export async function withTaxes<Result>(
  dependencies: Dependencies,
  tenantId: number,
  run: () => Promise<Result>,
): Promise<Result> {
  for (let round = 0; ; round += 1) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof UnansweredTaxes)) throw error;
      if (round === ROUNDS_MAX) throw unavailable();
      refuseFailed(await ask(dependencies, tenantId, error.documents));
    }
  }
}

/** Asks for one reader, and stores nothing. Throws tax.refused and tax.unavailable. */
export async function answersTo(
  dependencies: Dependencies,
  tenantId: number,
  documents: readonly TaxDocument[],
): Promise<AnswerTo> {
  const asking = await openProvider(dependencies, tenantId);
  if (asking instanceof TaxProviderError) throw unavailable();
  const asked = await askAll(asking, documents);
  const failed = asked.flatMap(failedOf);
  await logSilence(dependencies, tenantId, failed);
  refuseFailed(failed);
  const answers = new Map(asked.map(({ hash, answer }) => [hash, answer]));
  return (document) => {
    const answer = answers.get(documentHash(document)) ?? null;
    return answer instanceof TaxProviderError ? null : answer;
  };
}

function refuseFailed(failed: readonly FailedDocument[]): void {
  const [first] = failed.toSorted((left, right) => weight(left) - weight(right));
  if (first === undefined) return;
  throw first.error.kind === 'refused' ? refused(first) : unavailable();
}

/** Waiting does not help against a refusal. */
function weight({ error }: FailedDocument): number {
  return error.kind === 'refused' ? 0 : 1;
}

function refused({ document: { customerId }, error }: FailedDocument): DomainError {
  const whose = customerId === 0 ? 'this address' : `customer ${customerId}`;
  const text = `the tax provider refuses the data of ${whose}: ${error.text ?? error.code}`;
  const path = placeOf(customerId, `${error.code} ${error.text ?? ''}`);
  return new DomainError('tax.refused', text, { path, value: error.code });
}

/** The element, or the parameter, that the provider refuses; null if it may be any. */
function placeOf(customerId: number, said: string): string | null {
  if (!/address|jurisdiction|postal|region/i.test(said)) return null;
  return customerId === 0 ? 'addressLine1' : 'customer/billingContact/address';
}

function unavailable(): DomainError {
  return new DomainError('tax.unavailable', 'the tax provider does not answer now; try again');
}

async function ask(
  dependencies: Dependencies,
  tenantId: number,
  documents: readonly TaxDocument[],
): Promise<readonly FailedDocument[]> {
  if (documents.length === 0) return [];
  const asking = await openProvider(dependencies, tenantId);
  const failed =
    asking instanceof TaxProviderError
      ? documents.map((document) => ({ document, error: asking }))
      : await askTaxes(dependencies.db, asking, documents);
  await logSilence(dependencies, tenantId, failed);
  return failed;
}

/** Logs that the provider did not answer. A refusal is an answer. */
async function logSilence(
  dependencies: Dependencies,
  tenantId: number,
  failed: readonly FailedDocument[],
): Promise<void> {
  const silent = failed.filter(({ error }) => error.kind === 'silent');
  const [first] = silent;
  if (first === undefined || dependencies.onWork === undefined) return;
  const { label: tenant } = await tenantInfo(dependencies, tenantId);
  const { code } = first.error;
  dependencies.onWork({ work: 'retry', of: 'taxes', tenant, failed: silent.length, code });
}

/** The provider for one asking, or why there is none. */
async function openProvider(
  { taxProviderOf }: Dependencies,
  tenantId: number,
): Promise<Asking | TaxProviderError> {
  assert(taxProviderOf, 'a process that taxes by providers is handed them');
  const provider = await openedProvider({ taxProviderOf }, tenantId);
  if (provider instanceof TaxProviderError) return provider;
  return { tenantId, provider, signal: AbortSignal.timeout(ASK_LIMIT_MS) };
}
