/** Finds and locks the customers that rows of invoices name, by id, by reference, or by both. */
import type { InvoiceRow } from '../../domain/imports/rows.ts';
import { readByReference } from '../../db/queries/imports/customers.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import { lockCustomers } from '../context/locks.ts';
import type { CellFault } from './read-rows.ts';

type Naming = Pick<InvoiceRow, 'customerId' | 'extCustomerRef'>;

export interface Named {
  readonly id: number;
  readonly currency: string;
}

export interface NamedCustomers {
  readonly of: (row: Naming) => Named | { readonly fault: CellFault };
}

export async function lockNamed(tx: Tx, rows: readonly Naming[]): Promise<NamedCustomers> {
  const references = rows.flatMap(({ extCustomerRef }) => extCustomerRef ?? []);
  const byReference = await readByReference(tx, [...new Set(references)]);
  const ids = [...rows.flatMap(({ customerId }) => customerId ?? []), ...byReference.values()];
  const locked = await lockCustomers(tx, [...new Set(ids)]);
  const byId = new Map(locked.map((customer) => [customer.id, customer]));
  return {
    of({ customerId, extCustomerRef }) {
      const referred = extCustomerRef === null ? undefined : byReference.get(extCustomerRef);
      if (extCustomerRef !== null && referred === undefined) {
        const message = `there is no customer with extCustomerRef ${extCustomerRef}`;
        return { fault: { code: 'customer.unknown', column: 'extCustomerRef', message } };
      }
      if (customerId !== null && referred !== undefined && customerId !== referred) {
        const message = `customerId ${customerId} is not the customer of extCustomerRef`;
        return { fault: { code: 'field.invalid', column: 'customerId', message } };
      }
      const customer = byId.get(customerId ?? referred ?? 0);
      if (customer !== undefined) return customer;
      const message = `there is no customer with id ${customerId}`;
      return { fault: { code: 'customer.unknown', column: 'customerId', message } };
    },
  };
}
