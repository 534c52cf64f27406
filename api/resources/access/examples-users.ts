/** Examples: the users of a tenant, and what its admins do with them. */
import type { Step } from '../../docs/examples/example-step.ts';

export const userSteps: readonly Step[] = [
  {
    name: 'users',
    summary: 'The users of the tenant',
    method: 'GET',
    route: '/users',
    path: '/users',
    isOfAdmin: true,
  },
  {
    name: 'users-page',
    summary: 'The second of them alone',
    method: 'GET',
    route: '/users',
    path: '/users?offset=1&max=1',
    isOfAdmin: true,
    keeps: { user: '<user id="' },
  },
  {
    name: 'users-refused',
    summary: 'A user without the right to the call is refused, whatever it asks for',
    method: 'GET',
    route: '/users',
    path: '/users?max=many',
    status: 403,
  },
  {
    name: 'user-suspend',
    summary: 'Suspend a user whose password may be known to others',
    method: 'POST',
    route: '/user/:id',
    action: 'suspend',
    path: '/user/{user}?action=suspend',
    isOfAdmin: true,
  },
  {
    name: 'user-enable',
    summary: 'Enable it again, once the tenant file has a new password',
    method: 'POST',
    route: '/user/:id',
    action: 'enable',
    needs: ['user-suspend'],
    path: '/user/{user}?action=enable',
    isOfAdmin: true,
  },
];
