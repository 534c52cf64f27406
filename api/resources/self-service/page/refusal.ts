/** Shows a refusal within a session: with the account's head, its menu, and a way back. */
import { noticeOf } from '../../../pages/answers.ts';
import { noticePart } from '../../../pages/notice.ts';
import type { ShowRefusal } from '../../../calls/route-types.ts';
import type { RouteDependencies } from '../../../calls/services.ts';
import { inAccount } from './account.ts';
import { RELOAD_MARK } from './reload-mark.ts';
import { accountView, shown, visitOf } from './visit.ts';

export function refusalsInAccount(dependencies: RouteDependencies): ShowRefusal {
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
