/** Reads the pauses of a customer's service. */
import type { ServicePause } from '../../../domain/standing/line.ts';
import type { Tx } from '../../connection/tenancy.ts';
import type * as tables from '../../entities/customers.ts';
import type { RowOf } from '../../entities/rows.ts';

/** Pauses of all orders of a customer, without those of single orders. */
export async function pausesOfCustomer(tx: Tx, customerId: number): Promise<ServicePause[]> {
  return tx.query<ServicePause>(
    `select suspended_on, resumed_on from service_pause
     where customer_id = $1 and order_id is null order by suspended_on, id`,
    [customerId],
    'pauses-of-customer',
  );
}

/** An order to which its pauses, and those of its customer, are added. */
export interface Pausable {
  readonly customerId: number;
  readonly pauses: ServicePause[];
}

/** @param orders by id */
export async function addPauses(tx: Tx, orders: ReadonlyMap<number, Pausable>): Promise<void> {
  const customerIds = new Set([...orders.values()].map((order) => order.customerId));
  const pauses = await tx.query<
    RowOf<typeof tables.ServicePause, 'customerId' | 'orderId' | 'suspendedOn' | 'resumedOn'>
  >(
    `select customer_id, order_id, suspended_on, resumed_on from service_pause
     where customer_id = any($1) order by suspended_on, id`,
    [[...customerIds]],
    'pauses-of-customers',
  );
  for (const pause of pauses) {
    const served = { suspendedOn: pause.suspendedOn, resumedOn: pause.resumedOn };
    if (pause.orderId !== null) {
      orders.get(pause.orderId)?.pauses.push(served);
      continue;
    }
    for (const order of orders.values()) {
      if (order.customerId === pause.customerId) order.pauses.push(served);
    }
  }
}
