/** The page of a mailed link, which takes a new password once. */
import { hashInTurn } from '../../../../operations/access/hash-turns.ts';
import { useForm, wasFormUsed } from '../../../../operations/hosted-pages/forms.ts';
import { pageTokenHash } from '../../../../operations/hosted-pages/tokens.ts';
import {
  findReset,
  resetPassword,
  ResetOver,
  type OpenReset,
} from '../../../../operations/self-service/password-reset.ts';
import { networkPrint } from '../../../access/guesser.ts';
import type { PageAnswer } from '../../../calls/answer.ts';
import { RequestError } from '../../../calls/errors.ts';
import {
  formRoute,
  pageRoute,
  tokenOf,
  unknownPage,
  type FormCall,
} from '../../../calls/page-route.ts';
import type { Route } from '../../../calls/route-types.ts';
import { type RouteDependencies, readingMore } from '../../../calls/services.ts';
import { noting, readFields } from '../../../pages/form.ts';
import { renderNotice } from '../../../pages/notice.ts';
import type { PageProblem } from '../../../pages/view.ts';
import { pageWrite, type AskedPage, pageForm } from '../../page-writes.ts';
import { AFTER_RESET, doorPage, doorView, RESET_REQUEST_PATH, newPasswordFields } from './door.ts';
import { renderNewPassword } from './render.ts';

const PATH = '/widget/reset/:token';
const FORM = 'new-password';

export function newPasswordRoutes(dependencies: RouteDependencies): Route[] {
  return [
    pageRoute({
      path: PATH,
      async handler(call) {
        const reset = await resetOf(dependencies, call);
        return reset === null ? overPage(call) : passwordPage(dependencies, call, { reset });
      },
    }),
    formRoute(dependencies.formKeys, {
      path: PATH,
      forms: [FORM],
      needsOrigin: true,
      async handler(call) {
        const reset = await resetOf(dependencies, call);
        if (reset === null) {
          return (await isRepeat(dependencies, call)) ? { to: AFTER_RESET } : overPage(call);
        }
        const { id, fields } = await call.form();
        const { problems, refuse } = noting();
        const { newPassword: password } = readFields(newPasswordFields, fields, { refuse });
        if (password === null || problems.length > 0) {
          return passwordPage(dependencies, call, { reset, problems });
        }
        return takePassword(dependencies, call, { formKey: id, password });
      },
    }),
  ];
}

/** Null if it is over; throws 404 `page.unknown`. */
async function resetOf(
  { realNow, ...dependencies }: RouteDependencies,
  call: AskedPage,
): Promise<OpenReset | null> {
  const now = new Date(realNow());
  const tokenHash = pageTokenHash(tokenOf(call));
  const reset = await readingMore({ ...dependencies, realNow }, call.tenant, (tx) =>
    findReset(tx, { tokenHash, now }),
  );
  if (reset === undefined) throw unknownPage();
  return reset;
}

/** Whoever sends the form twice is led where the first one leads. */
async function isRepeat(dependencies: RouteDependencies, call: FormCall): Promise<boolean> {
  try {
    const { id } = await call.form();
    return await readingMore(dependencies, call.tenant, (tx) => wasFormUsed(tx, id));
  } catch (error) {
    // The link is over, whatever was sent.
    if (error instanceof RequestError) return false;
    throw error;
  }
}

async function takePassword(
  dependencies: RouteDependencies,
  call: AskedPage,
  { formKey, password }: { readonly formKey: string; readonly password: string },
): Promise<PageAnswer> {
  const { tenant, stepOut } = call;
  const { hashCost } = dependencies;
  const network = networkPrint(dependencies, { tenantId: tenant.id, address: call.address });
  const tokenHash = pageTokenHash(tokenOf(call));
  const passwordHash = await stepOut(() => hashInTurn(password, { hashCost, tenant }));
  try {
    await pageWrite(dependencies, call, async (context) => {
      if (await useForm(context, formKey)) {
        await resetPassword(context, { tokenHash, passwordHash, network });
      }
    });
  } catch (error) {
    if (error instanceof ResetOver) return overPage(call);
    throw error;
  }
  return { to: AFTER_RESET };
}

interface Shown {
  readonly reset: OpenReset;
  readonly problems?: readonly PageProblem[];
}

function passwordPage(
  dependencies: RouteDependencies,
  call: AskedPage,
  { reset: { username }, problems = [] }: Shown,
): PageAnswer {
  const form = pageForm(dependencies, call, { form: FORM, problems });
  const html = renderNewPassword({ ...doorView(call), form, username });
  return doorPage(problems.length === 0 ? 200 : 400, html);
}

function overPage(call: AskedPage): PageAnswer {
  const html = renderNotice({ ...doorView(call), key: 'gone', link: RESET_REQUEST_PATH });
  return doorPage(410, html);
}
