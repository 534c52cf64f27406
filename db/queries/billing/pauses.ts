/** Reads the pauses of a customer's service. */
import type { ServicePause } from '../../../domain/model.ts';
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
