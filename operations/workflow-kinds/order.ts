/** The workflow of an order: it wakes on the order's days of action. */
import { paysItself } from '../../db/queries/collection/pays-itself.ts';
import { orderNumberKey } from '../../workflows/contract.ts';
import { objectWorkflow, type CustomerFacts } from './description.ts';

export interface OrderFacts extends CustomerFacts {
  readonly orderNumber: number;
  readonly contractCode: string;
}

export const order = objectWorkflow<OrderFacts>({
  priority: 3,
  title: (orderId, facts) =>
    facts ? `Order ${facts.orderNumber} ${facts.contractCode}` : `Order with id ${orderId}`,
  idInput: 'orderId',
  facts: `select json_build_object('orderNumber', s.order_number, 'customerId', s.customer_id,
      'customerRef', c.ext_customer_ref, 'contractCode', p.contract_code)
    from subscription_order s
    join customer c on c.tenant_id = s.tenant_id and c.id = s.customer_id
    join plan p on p.tenant_id = s.tenant_id and p.id = s.plan_id
    where s.tenant_id = o.tenant_id and s.id = o.object_id`,
  attributes: ({ orderNumber }) => [{ key: orderNumberKey, value: String(orderNumber) }],
  // A Draft waits for nothing; an order that has ended may have an invoice that is to pay itself.
  needed: `select s.id, s.customer_id, s.order_number as number, s.status
    from subscription_order s
    where s.tenant_id = $1 and (s.next_action_on is not null
      or s.status in ('Active', 'Provisioning', 'Suspended')
      or s.id in (select i.autopay_order_id from invoice i
                  where i.tenant_id = $1 and ${paysItself('i')}))`,
  isOwned: true,
  isPaced: true,
});
