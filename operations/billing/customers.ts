/** The customers of a batch: locks them before they are billed, and holds them if billing fails. */
import type { CustomerStatus, TermUnit } from '../../domain/model.ts';
import { sqlStateOf } from '../../db/connection/sql-states.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import { termsOf } from '../plans/versions.ts';
import { inOperation, type Dependencies, type OperationContext } from '../context/context.ts';
import type { WorkLine } from '../context/work-log.ts';
import { isCollision } from './faults.ts';
import type { BilledCustomer } from './rate-customer.ts';

const ATTEMPTS_MAX = 5;

export interface HeldCustomer {
  readonly customerId: number;
  readonly code: string;
}

export interface LockedCustomer extends BilledCustomer {
  readonly held: boolean;
}

export async function lockCustomers(
  tx: Tx,
  ids: readonly number[],
  wait: boolean,
): Promise<LockedCustomer[]> {
  const rows = await tx.query<{
    id: number;
    status: CustomerStatus;
    value: number | null;
    units: TermUnit | null;
    held: boolean;
  }>(
    // `for update` would also wait for the key-share lock of every child's insert.
    `select id, status, payment_terms_value as value, payment_terms_units as units,
            billing_held_at is not null as held
     from customer where id = any($1) order by id for no key update ${wait ? '' : 'skip locked'}`,
    [ids],
    wait ? 'lock-customers' : 'lock-customers-skip',
  );
  return rows.map(({ id, status, value, units, held }) => ({
    id,
    status,
    paymentTerms: termsOf(value, units),
    held,
  }));
}

/** Holds customers locked by this transaction; an earlier hold keeps its time. */
export async function hold(
  context: OperationContext,
  held: readonly HeldCustomer[],
): Promise<void> {
  if (held.length === 0) return;
  await context.tx.query(
    `update customer c set billing_held_at = coalesce(c.billing_held_at, $2),
            billing_held_code = r.code, version = c.version + 1
     from json_to_recordset($1) as r("customerId" bigint, code text)
     where c.id = r."customerId"`,
    [JSON.stringify(held), context.time.now],
  );
  context.lines.push(...held.map((each) => holdLine(context.tenant.label, each)));
}

export function holdLine(tenant: string, { customerId, code }: HeldCustomer): WorkLine {
  return { work: 'hold', tenant, customerId, code };
}

/** Holds customers from billing until a person releases them. */
export function holdCustomers(
  dependencies: Dependencies,
  tenantId: number,
  held: readonly HeldCustomer[],
  also?: (context: OperationContext) => Promise<void>,
): Promise<void> {
  return retried(() =>
    inOperation(dependencies, tenantId, async (context) => {
      const ids = held.map(({ customerId }) => customerId);
      await lockCustomers(context.tx, ids, true);
      await hold(context, held);
      await also?.(context);
    }),
  );
}

/** Retries an operation that collides with others. */
export async function retried<Result>(
  context: () => Promise<Result>,
  onRetry?: (attempt: number, code: string | null) => void,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await context();
    } catch (error) {
      if (attempt >= ATTEMPTS_MAX || !isCollision(error)) throw error;
      onRetry?.(attempt, sqlStateOf(error) ?? null);
    }
  }
}
