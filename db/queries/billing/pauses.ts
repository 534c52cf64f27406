/** Reads the pauses of a customer's service. */
import type { IsoDate, ServicePause } from '../../../domain/model.ts';
import type { Tx } from '../../connection/tenancy.ts';

/** Pauses of all orders of a customer, without those of single orders. */
export async function pausesOfCustomer(tx: Tx, customerId: number): Promise<ServicePause[]> {
  return tx.query<ServicePause>(
    `select suspended_on as "suspendedOn", resumed_on as "resumedOn" from service_pause
     where customer_id = $1 and order_id is null order by suspended_on, id`,
    [customerId],
    'pauses-of-customer',
  );
}

/** An order to which its pauses, and those of its customer, are added. */
export interface Pausable {
  readonly customer_id: number;
  readonly pauses: ServicePause[];
}

/** @param orders by id */
export async function addPauses(tx: Tx, orders: ReadonlyMap<number, Pausable>): Promise<void> {
  const customerIds = new Set([...orders.values()].map((order) => order.customer_id));
  const pauses = await tx.query<{
    readonly customer_id: number;
    readonly order_id: number | null;
    readonly suspended_on: IsoDate;
    readonly resumed_on: IsoDate | null;
  }>(
    `select customer_id, order_id, suspended_on, resumed_on from service_pause
     where customer_id = any($1) order by suspended_on, id`,
    [[...customerIds]],
    'pauses-of-customers',
  );
  for (const pause of pauses) {
    const served = { suspendedOn: pause.suspended_on, resumedOn: pause.resumed_on };
    if (pause.order_id !== null) {
      orders.get(pause.order_id)?.pauses.push(served);
      continue;
    }
    for (const order of orders.values()) {
      if (order.customer_id === pause.customer_id) order.pauses.push(served);
    }
  }
}
