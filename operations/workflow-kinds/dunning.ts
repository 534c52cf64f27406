/** The workflow of a customer's dunning: it wakes on the days of steps and retries. */
import { objectWorkflow } from './description.ts';

export const dunning = objectWorkflow({
  priority: 3,
  title: (customerId) => `Dunning of customer ${customerId}`,
  idInput: 'customerId',
  facts: `select json_build_object('customerId', c.id, 'customerRef', c.ext_customer_ref)
    from customer c where c.tenant_id = o.tenant_id and c.id = o.object_id`,
  needed: `select d.customer_id as id, d.customer_id, d.customer_id as number, c.status
    from dunning d
    join customer c on c.tenant_id = d.tenant_id and c.id = d.customer_id
    where d.tenant_id = $1 and d.closed_on is null and not d.awaits_run`,
  isOwned: true,
  isPaced: true,
});
