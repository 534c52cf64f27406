/** Changes of a customer's status: recorded as they happen, read newest first. */
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import type { CustomerStatus } from '../../domain/customers/status.ts';
import { CustomerTransition, type Customer } from '../../db/entities/customers.ts';
import { takeIds } from '../../db/queries/billing/write.ts';
import type { Page, Reader } from '../context/listing.ts';
import type { OperationContext } from '../context/context.ts';
import { raise } from '../events/raise.ts';
import type { RowOf } from '../../db/entities/rows.ts';

export interface TransitionView extends RowOf<
  typeof CustomerTransition,
  'id' | 'previousStatus' | 'newStatus'
> {
  readonly dateTransitioned: IsoDate;
  readonly customer: {
    readonly id: number;
    readonly name: string;
    readonly status: CustomerStatus;
    readonly extCustomerRef: string | null;
  };
}

/**
 * Records a transition by hand before the customer's status changes. Returns false for the same
 * status, which is no transition.
 */
export async function noteTransition(
  context: OperationContext,
  customer: Customer,
  newStatus: CustomerStatus,
): Promise<boolean> {
  if (customer.status === newStatus) return false;
  const { tx, time } = context;
  const [id = 0] = await takeIds(tx, 1);
  tx.em.create(CustomerTransition, {
    tenantId: tx.tenantId,
    id,
    customer,
    previousStatus: customer.status,
    newStatus,
    transitionedOn: time.today,
    transitionedAt: time.now,
  });
  raise(context, [
    {
      type: 'customer.transition',
      customerId: customer.id,
      objectId: id,
      detail: { by: 'hand' },
    },
  ]);
  return true;
}

/** Those of the ids that exist, in any order. */
export function readTransitions(tx: Reader, ids: readonly number[]): Promise<TransitionView[]> {
  return tx.query<TransitionView & Record<string, unknown>>(
    `select ${columns} ${from} where t.id = any($1)`,
    [ids],
    'read-transitions',
  );
}

export interface TransitionFilter extends Page {
  /** Both days included. */
  readonly startDate: IsoDate;
  readonly endDate: IsoDate;
}

export function listTransitions(tx: Reader, filter: TransitionFilter): Promise<TransitionView[]> {
  return tx.query<TransitionView>(
    `select ${columns} ${from}
     where t.transitioned_on between $1 and $2
     order by t.transitioned_on desc, t.transitioned_at desc, t.id desc limit $3 offset $4`,
    [filter.startDate, filter.endDate, filter.max, filter.offset],
    'list-transitions',
  );
}

const columns = `t.id, t.transitioned_on as date_transitioned,
  t.previous_status, t.new_status,
  json_build_object('id', c.id, 'name', c.name, 'status', c.status,
    'extCustomerRef', c.ext_customer_ref) as customer`;

const from = `from customer_transition t
  join customer c on c.tenant_id = t.tenant_id and c.id = t.customer_id`;
