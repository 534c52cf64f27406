/** Holds customers from billing if it fails for them. */
import { DomainError } from '../../domain/errors.ts';
import { inOperation, type Dependencies, type OperationContext } from '../context/context.ts';
import { lockCustomers } from '../context/locks.ts';
import type { WorkLine } from '../context/work-log.ts';
import { retried } from './halves.ts';

/** What a call answers that would rate a held customer. */
export function heldFromBilling(customerId: number): DomainError {
  const text = 'the customer is held from billing; activate releases it';
  return new DomainError('customer.held', text, { value: String(customerId) });
}

/** What a call answers that would rate a suspect. */
export function billedApart(customerId: number): DomainError {
  const text = 'billing of the customer was interrupted: the worker first bills it separately';
  return new DomainError('customer.billedApart', text, { value: String(customerId) });
}

export interface HeldCustomer {
  readonly customerId: number;
  readonly code: string;
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
      await lockCustomers(context.tx, ids);
      await hold(context, held);
      await also?.(context);
    }),
  );
}
