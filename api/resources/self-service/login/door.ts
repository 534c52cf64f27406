/** What the pages without a session have in common. */
import { localeOf } from '../../../../domain/invoices/formats.ts';
import { DEFAULT_STYLESHEET } from '../../../../domain/hosted-pages/address.ts';
import type { ShownPage } from '../../../calls/answer.ts';
import type { PageView } from '../../../pages/view.ts';
import type { AskedPage } from '../../page-writes.ts';

export const LOGIN_PATH = '/widget/login';
export const RESET_REQUEST_PATH = '/widget/login/reset';
/** The login says that the password was changed; every other parameter is passed over. */
export const AFTER_RESET = `${LOGIN_PATH}?reset=done`;

/** In the language of the browser: nobody is known yet. */
export function doorView({ tenant, locale }: AskedPage): PageView {
  return { locale: localeOf(locale, null), sender: tenant.name, cssUrl: DEFAULT_STYLESHEET };
}

export const doorPage = (status: number, html: string): ShownPage => ({
  status,
  html,
  cssUrl: DEFAULT_STYLESHEET,
  leadsTo: [],
});
