/** The workflow of a hosted sign-up: from its link on until it is made, has failed or expired. */
import { objectWorkflow } from './description.ts';

export const signup = objectWorkflow({
  // A visitor waits for it.
  priority: 1,
  title: (signupId) => `Signup ${signupId}`,
  idInput: 'signupId',
  facts: null,
  phase: 'Open',
  needed: `select own.id, own.id as number, own.status
    from signup own where own.tenant_id = $1 and own.status = 'DRAFT'`,
  isOwned: false,
  isPaced: false,
});
