/** Finds the plan version that an order names. */
import { DomainError, type DomainErrorOptions } from '../../domain/errors.ts';
import type { PlanOffer } from '../../domain/orders/terms.ts';
import type { Database } from '../../db/connection/database.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import { planVersions } from '../plans/versions.ts';
import type { Dependencies } from '../context/context.ts';
import { COMPARED_MAX, didYouMean } from '../context/nearest.ts';
import type * as tables from '../../db/entities/plans.ts';
import type { RowOf } from '../../db/entities/rows.ts';

export interface PlanChoice {
  readonly contractCode?: string | null | undefined;
  readonly contractOfferingId?: number | null | undefined;
}

/** The newest version of that code, or the version of that id. Throws plan.unknown, or field.required. */
export async function namedPlan(
  { db }: Dependencies,
  tx: Tx,
  { contractCode, contractOfferingId }: PlanChoice,
): Promise<PlanOffer> {
  if (!contractCode && !contractOfferingId) {
    throw new DomainError('field.required', 'contractCode or contractOffering names the plan', {
      path: 'subscriptionOrder/contractCode',
    });
  }
  const path = `subscriptionOrder/${contractCode ? 'contractCode' : 'contractOffering/@id'}`;
  const id = contractCode ? null : (contractOfferingId ?? null);
  const value = String(contractCode ?? contractOfferingId);
  const chosen = { contractCode: contractCode ?? null, id: contractOfferingId ?? null };
  const version = await findPlan(db, tx, chosen);
  const named = { path, value, id };
  if (version !== undefined) return { ...version, named };
  throw contractCode ? await unknownPlan(tx, value, path) : unknown(value, '', named);
}

/** The refusal of a code that no plan has, which names the one that it resembles. */
export async function unknownPlan(tx: Tx, code: string, path: string): Promise<DomainError> {
  return unknown(code, await planHint(tx, code), { path, value: code });
}

/** What the refusal of an unknown code ends with: the code that it resembles. */
export async function planHint(tx: Tx, code: string): Promise<string> {
  const plans = await tx.query<{ code: string }>(
    'select contract_code as code from plan where tenant_id = $1 and is_newest limit $2',
    [tx.tenantId, COMPARED_MAX],
    'plan-codes',
  );
  return didYouMean(
    code,
    plans.map((plan) => plan.code),
  );
}

const unknown = (value: string, hint: string, named: DomainErrorOptions): DomainError =>
  new DomainError('plan.unknown', `there is no plan ${value}${hint}`, named);

/** The newest version of that code, or the version of that id; both must agree. */
export async function findPlan(
  db: Database,
  tx: Tx,
  { contractCode, id }: { readonly contractCode: string | null; readonly id: number | null },
): Promise<Omit<PlanOffer, 'named'> | undefined> {
  const [found] = await tx.query<
    RowOf<typeof tables.Plan, 'id' | 'isNewest' | 'startDate' | 'endDate'>
  >(
    `select id, is_newest, start_date, end_date from plan
     where ($1::text is null or (contract_code = $1 and is_newest)) and ($2::bigint is null or id = $2)`,
    [contractCode, id],
    'plan-for-order',
  );
  const plan = found && (await planVersions(db, tx, [found.id])).get(found.id);
  if (!plan || !found) return undefined;
  const { isNewest, startDate, endDate } = found;
  return { plan, isNewest, startDate, endDate };
}
