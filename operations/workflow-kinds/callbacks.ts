/** The workflow of an endpoint for callbacks: it runs while something is to be sent. */
import { hasSomething } from '../../db/queries/callbacks/endpoints.ts';
import { objectWorkflow } from './description.ts';

export const callbacks = objectWorkflow({
  priority: 4,
  title: (endpointId) => `Callbacks to endpoint ${endpointId}`,
  idInput: 'endpointId',
  facts: null,
  phase: 'Delivering',
  needed: `select e.id, e.id as number,
      case when e.is_on then 'on' else 'off' end as status
    from callback_endpoint e where e.tenant_id = $1 and ${hasSomething}`,
  isOwned: false,
  isPaced: false,
});
