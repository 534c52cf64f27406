/** Takes the user name or address of somebody who forgot the password; the answer tells nothing. */
import { useForm } from '../../../../operations/hosted-pages/forms.ts';
import { hasResets, requestResets } from '../../../../operations/self-service/password-reset.ts';
import { formRoute, pageRoute, unknownPage } from '../../../calls/page-route.ts';
import type { Route } from '../../../calls/route-types.ts';
import { type RouteDependencies, readingMore } from '../../../calls/services.ts';
import { noting, readFields } from '../../../pages/form.ts';
import { shownAgain } from '../../../pages/typed-text.ts';
import type { PageProblem } from '../../../pages/view.ts';
import { pageWrite, type AskedPage, pageForm } from '../../page-writes.ts';
import { doorPage, doorView, LOGIN_PATH, RESET_REQUEST_PATH, resetRequestFields } from './door.ts';
import { renderResetRequest, renderResetRequested } from './render.ts';

const FORM = 'reset-request';

export function resetRequestRoutes(dependencies: RouteDependencies): Route[] {
  const refuseWithoutMails = async ({ tenant }: AskedPage): Promise<void> => {
    if (!(await readingMore(dependencies, tenant, hasResets))) throw unknownPage();
  };
  return [
    pageRoute({
      path: RESET_REQUEST_PATH,
      async handler(call) {
        await refuseWithoutMails(call);
        return requestPage(dependencies, call);
      },
    }),
    formRoute(dependencies.formKeys, {
      path: RESET_REQUEST_PATH,
      forms: [FORM],
      needsOrigin: true,
      async handler(call) {
        await refuseWithoutMails(call);
        const { id, fields } = await call.form();
        const { problems, refuse } = noting();
        const { name } = readFields(resetRequestFields, fields, { refuse });
        if (problems.length > 0 || name === null) {
          return requestPage(dependencies, call, { problems, name: name ?? '' });
        }
        await pageWrite(dependencies, call, async (context) => {
          if (await useForm(context, id)) await requestResets(context, name);
        });
        const view = { ...doorView(call), loginAddress: LOGIN_PATH };
        return doorPage(200, renderResetRequested(view));
      },
    }),
  ];
}

interface Refused {
  readonly problems: readonly PageProblem[];
  readonly name: string;
}

function requestPage(
  dependencies: RouteDependencies,
  call: AskedPage,
  { problems, name }: Refused = { problems: [], name: '' },
) {
  const form = pageForm(dependencies, call, { form: FORM, problems });
  const view = { ...doorView(call), form, name: shownAgain(name), loginAddress: LOGIN_PATH };
  return doorPage(problems.length === 0 ? 200 : 400, renderResetRequest(view));
}
