/** The forms of hosted pages, each with the key by which it is taken. */
import { tokenOf } from '../calls/page-route.ts';
import type { RouteDependencies } from '../calls/services.ts';
import type { FormView, PageProblem } from '../pages/view.ts';
import type { AskedPage } from './page-writes.ts';

interface FormOfPage {
  readonly form: string;
  /** What the page shows and the form relies on; up to 150 bytes. */
  readonly shown?: string;
}

export interface FormOptions extends FormOfPage {
  readonly problems?: readonly PageProblem[];
  /** Where it is posted; the page's own path by default. */
  readonly action?: string;
}

type Needed = Pick<RouteDependencies, 'formKeys'>;

export function pageFormKey(
  { formKeys }: Needed,
  call: AskedPage,
  { form, shown = '' }: FormOfPage,
): string {
  return formKeys.issue({ tenantId: call.tenant.id, token: tokenOf(call) }, { form, shown });
}

export function pageForm(
  dependencies: Needed,
  call: AskedPage,
  { problems = [], action = call.path, ...form }: FormOptions,
): FormView {
  return { action, key: pageFormKey(dependencies, call, form), problems };
}
