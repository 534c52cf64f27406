/** Makes the routes of the pages below a session's token, and of their forms. */
import { type Session, SessionEnded } from '../../../../operations/self-service/click.ts';
import type { PageAnswer } from '../../../calls/answer.ts';
import { RequestError } from '../../../calls/errors.ts';
import { type SubmittedForm, formRoute, pageRoute } from '../../../calls/page-route.ts';
import type { PageRoute, ShowRefusal } from '../../../calls/route-types.ts';
import type { RouteDependencies } from '../../../calls/services.ts';
import { type Visit, accountView, loginOf, shown, visitOf } from './visit.ts';
import { noticeOf } from '../../../pages/answers.ts';
import { noticePart } from '../../../pages/notice.ts';
import { inAccount } from './account.ts';
import { RELOAD_MARK } from './reload-mark.ts';

interface SharedPart {
  /** Below the token: `/invoices/:id`; empty for the first page. */
  readonly path: string;
  /** By the switches of the session; without them 403 `page.switchedOff`. */
  readonly allows: (session: Session) => boolean;
}

export interface PartPage extends SharedPart {
  readonly show: (visit: Visit) => Promise<PageAnswer>;
}

export interface PartForm extends SharedPart {
  /** The names of the forms that are posted to the address. */
  readonly forms: readonly string[];
  readonly waitsForOthers?: boolean;
  readonly take: (visit: Visit, form: SubmittedForm) => Promise<PageAnswer>;
}

const pathOf = (path: string): string => `/widget/customerHome/:token${path}`;

export function partPage(dependencies: RouteDependencies, part: PartPage): PageRoute {
  return pageRoute({
    path: pathOf(part.path),
    showRefusal: refusalsInAccount(dependencies),
    async handler(call) {
      const visit = await visitOf(dependencies, call);
      if ('to' in visit) return visit;
      refuseSwitchedOff(part, visit);
      return part.show(visit);
    },
  });
}

/** A form is a click of a person; once the session has ended, nothing of it is done. */
export function partForm(dependencies: RouteDependencies, part: PartForm): PageRoute {
  const { path, forms, waitsForOthers = false } = part;
  return formRoute(dependencies.formKeys, {
    path: pathOf(path),
    showRefusal: refusalsInAccount(dependencies),
    forms,
    waitsForOthers,
    async handler(call) {
      const visit = await visitOf(dependencies, call);
      if ('to' in visit) return visit;
      refuseSwitchedOff(part, visit);
      const form = await call.form();
      try {
        return await part.take(visit, form);
      } catch (error) {
        if (error instanceof SessionEnded) return loginOf(error);
        throw error;
      }
    },
  });
}

function refuseSwitchedOff({ allows }: SharedPart, { session }: Visit): void {
  if (!allows(session)) throw switchedOff();
}

export function switchedOff(): RequestError {
  const message = 'The session does not show this page';
  return new RequestError(403, { code: 'page.switchedOff', message });
}

/* Shows a refusal within a session: with the account's head, its menu, and a way back. */

function refusalsInAccount(dependencies: RouteDependencies): ShowRefusal {
  return async (call, refusal) => {
    // A refused call is no click, so that no flood of them keeps a session open.
    const asked = { ...call, parameters: { [RELOAD_MARK]: '1' } };
    const visit = await visitOf(dependencies, asked);
    if ('to' in visit) return undefined;
    const { home } = visit;
    // The address of a form may be none of a page, and its content is over.
    const view = { ...accountView(visit), address: home };
    const key = noticeOf(refusal);
    // A form is opened again where it was; whatever is not there, or not shown, leads home.
    const isForm = key === 'formExpired' || key === 'foreign' || key === 'tooMany';
    const link = isForm && !call.path.endsWith('/logout') ? call.path : home;
    const part = noticePart({ locale: view.locale, key, link });
    return shown(visit, refusal.status, inAccount(view, { part: null, ...part }));
  };
}
