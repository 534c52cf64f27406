/** The pages that lead to a session: the login, and a new password for one that was forgotten. */
import type { Route } from '../../../calls/route-types.ts';
import type { RouteDependencies } from '../../../calls/services.ts';
import type { ContactLogins } from '../../../access/contact-logins.ts';
import { loginRoutes } from './login.ts';
import { newPasswordRoutes } from './new-password.ts';
import { resetRequestRoutes } from './reset-request.ts';

export function doorRoutes(dependencies: RouteDependencies, logins: ContactLogins): Route[] {
  return [
    ...loginRoutes(dependencies, logins),
    ...resetRequestRoutes(dependencies),
    ...newPasswordRoutes(dependencies),
  ];
}
