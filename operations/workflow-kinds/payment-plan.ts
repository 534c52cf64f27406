/** The workflow of a payment plan: it wakes on the days of its installments and their retries. */
import { objectWorkflow } from './description.ts';

export const paymentPlan = objectWorkflow({
  priority: 3,
  title: (planId) => `Payment plan ${planId}`,
  idInput: 'planId',
  facts: `select json_build_object('customerId', c.id, 'customerRef', c.ext_customer_ref)
    from payment_plan own
    join customer c on c.tenant_id = own.tenant_id and c.id = own.customer_id
    where own.tenant_id = o.tenant_id and own.id = o.object_id`,
  needed: `select own.id, own.customer_id, own.id as number, 'enabled' as status
    from payment_plan own where own.tenant_id = $1 and own.is_enabled`,
  isOwned: true,
  isPaced: false,
});
