/** The page of a hosted sign-up: one address, whose content follows the signup's row. */
import { formRoute, pageRoute } from '../../../calls/page-route.ts';
import type { Route } from '../../../calls/route-types.ts';
import type { RouteDependencies } from '../../../calls/services.ts';
import { confirmPageRoutes } from './confirm.ts';
import { enterForm } from './enter.ts';
import { payForm } from './pay.ts';
import { placeOf } from './place.ts';
import { showSignup } from './show.ts';
import { visitOf } from './visit.ts';

const PATH = '/signup/:token';

export function signupPageRoutes(dependencies: RouteDependencies): Route[] {
  return [
    ...confirmPageRoutes(dependencies),
    pageRoute({
      path: PATH,
      handler: async (call) => showSignup(await visitOf(dependencies, call)),
    }),
    formRoute(dependencies.formKeys, {
      path: PATH,
      forms: ['details', 'pay'],
      waitsForOthers: true,
      async handler(call) {
        const visit = await visitOf(dependencies, call);
        const place = placeOf(visit.row, visit.now);
        // A form is late, or comes twice: the page says what is.
        if (place.is === 'led' || place.is === 'gone') return showSignup(visit);
        const form = await call.form();
        if (place.is === 'working' || place.is === 'mailed') return { to: call.path };
        return form.form === 'details' ? enterForm(visit, form) : payForm(visit, form);
      },
    }),
  ];
}
