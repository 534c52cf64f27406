/** Holds customers from billing if it fails for them. */
import { endWait } from '../../db/queries/billing/tax-waits.ts';
import { openOrdersOf } from '../../db/queries/orders/wake.ts';
import { enqueue } from '../outbox/enqueue.ts';
import { type HeldCustomer, TAX_REFUSED } from '../../domain/billing/rate/by-answers.ts';
import { DomainError } from '../../domain/errors.ts';
import { type Dependencies, type OperationContext, inOperation } from '../context/context.ts';
import { type LockedCustomer, lockCustomers } from '../context/locks.ts';
import type { WorkLine } from '../context/work-log.ts';
import { retried } from './batch.ts';
import { given } from '../../db/queries/context/insertion.ts';
import { Customer } from '../../db/entities/customers.ts';

/** What a call answers that would rate a held customer. */
export function heldFromBilling(customerId: number): DomainError {
  const text = 'the customer is held from billing; activate releases it';
  return new DomainError('customer.held', text, { value: String(customerId) });
}

/**
 * Throws customer.held. A customer whose data the tax provider refused is not refused here: the
 * call asks the provider again.
 */
export function refuseHeld({ id, heldCode }: LockedCustomer): void {
  if (heldCode !== null && heldCode !== TAX_REFUSED) throw heldFromBilling(id);
}

/** What a call answers that would rate a suspect. */
export function billedApart(customerId: number): DomainError {
  const text = 'billing of the customer was interrupted: the worker first bills it separately';
  return new DomainError('customer.billedApart', text, { value: String(customerId) });
}

const heldCustomers = given(
  Customer,
  {
    customerId: 'id',
    code: 'billingHeldCode',
    text: 'billingHeldText',
  },
  { rows: '$1' },
);

/** Holds customers locked by this transaction; an earlier hold keeps its time. */
export async function hold(
  context: OperationContext,
  held: readonly HeldCustomer[],
): Promise<void> {
  if (held.length === 0) return;
  await context.tx.query(
    `update customer c set billing_held_at = coalesce(c.billing_held_at, $2),
            billing_held_code = r.code, billing_held_text = r.text, version = c.version + 1
     from ${heldCustomers.recordset}
     where c.id = r."customerId"`,
    [JSON.stringify(held), context.time.now],
  );
  context.lines.push(...held.map((each) => holdLine(context.tenant.label, each)));
}

export function holdLine(tenant: string, { customerId, code }: HeldCustomer): WorkLine {
  return { work: 'hold', tenant, customerId, code };
}

/** A customer whose tax provider has answered a call of generateInvoice. */
export interface AnsweredCustomer {
  readonly customerId: number;
  /** The customer is held, because the provider refused its data before. */
  readonly wasRefused: boolean;
}

/** The customer no longer waits for its tax provider, nor is it held because of it. */
export async function endWaiting(
  context: OperationContext,
  { customerId, wasRefused }: AnsweredCustomer,
): Promise<void> {
  const { tx } = context;
  const hasWaited = await endWait(tx, customerId);
  if (wasRefused) {
    tx.send(
      `update customer set billing_held_at = null, billing_held_code = null,
         billing_held_text = null, version = version + 1
       where id = $1`,
      [customerId],
      'release-answered-customer',
    );
  }
  if (!hasWaited && !wasRefused) return;
  const orders = await openOrdersOf(tx, [customerId]);
  enqueue(
    context,
    orders.map((objectId) => ({ kind: 'order', objectId })),
  );
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
