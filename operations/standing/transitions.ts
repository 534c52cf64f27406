/** Changes of a customer's status: recorded as they happen, read newest first. */
import type { CustomerStatus, IsoDate } from '../../domain/model.ts';
import { CustomerTransition } from '../../db/entities/index.ts';
import type { Customer } from '../../db/entities/index.ts';
import { takeIds } from '../../db/queries/billing/write.ts';
import type { Page, Reader } from '../context/listing.ts';
import type { OperationContext } from '../context/context.ts';

export interface TransitionView {
  readonly id: number;
  readonly dateTransitioned: IsoDate;
  readonly previousStatus: CustomerStatus;
  readonly newStatus: CustomerStatus;
  readonly customer: {
    readonly id: number;
    readonly name: string;
    readonly status: CustomerStatus;
    readonly extCustomerRef: string | null;
  };
}

/** Records a transition before the customer's status changes; the same status is no transition. */
export async function noteTransition(
  { tx, time }: Pick<OperationContext, 'tx' | 'time'>,
  customer: Customer,
  newStatus: CustomerStatus,
): Promise<void> {
  if (customer.status === newStatus) return;
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
}

export interface TransitionFilter extends Page {
  /** Both days included. */
  readonly startDate: IsoDate;
  readonly endDate: IsoDate;
}

export function listTransitions(tx: Reader, filter: TransitionFilter): Promise<TransitionView[]> {
  return tx.query<TransitionView>(
    `select t.id, t.transitioned_on as "dateTransitioned", t.previous_status as "previousStatus",
       t.new_status as "newStatus", json_build_object('id', c.id, 'name', c.name,
         'status', c.status, 'extCustomerRef', c.ext_customer_ref) as customer
     from customer_transition t
     join customer c on c.tenant_id = t.tenant_id and c.id = t.customer_id
     where t.transitioned_on between $1 and $2
     order by t.transitioned_on desc, t.transitioned_at desc, t.id desc limit $3 offset $4`,
    [filter.startDate, filter.endDate, filter.max, filter.offset],
    'list-transitions',
  );
}
