/** What the pages without a session have in common. */
import { DEFAULT_STYLESHEET } from '../../../../domain/hosted-pages/address.ts';
import { localeOf } from '../../../../domain/invoices/formats.ts';
import type { ShownPage } from '../../../calls/answer.ts';
import type { Fields } from '../../../pages/form.ts';
import { senderOf } from '../../../pages/sender.ts';
import type { PageView } from '../../../pages/view.ts';
import type { AskedPage } from '../../page-writes.ts';
import { passwordFields } from '../profile/profile-form.ts';

export const LOGIN_PATH = '/widget/login';
export const RESET_REQUEST_PATH = '/widget/login/reset';
/** The login says that the password was changed; every other parameter is passed over. */
export const AFTER_RESET = `${LOGIN_PATH}?reset=done`;

/** In the language of the browser: nobody is known yet. */
export function doorView({ tenant, locale }: AskedPage): PageView {
  return { locale: localeOf(locale, null), ...senderOf(tenant), cssUrl: DEFAULT_STYLESHEET };
}

export const doorPage = (status: number, html: string): ShownPage => ({
  status,
  html,
  cssUrl: DEFAULT_STYLESHEET,
  leadsTo: [],
});

/* The fields of the forms that need no session, all of which are required. */

const name = { autocomplete: 'username', isLiteral: true, isRequired: true } as const;

export const loginFields = {
  username: { ...name, label: 'username', holds: 'anything' },
  password: {
    label: 'password',
    autocomplete: 'current-password',
    type: 'password',
    isRequired: true,
  },
} as const satisfies Fields;

export const resetRequestFields = {
  name: { ...name, label: 'usernameOrEmail' },
} as const satisfies Fields;

export const newPasswordFields = {
  newPassword: { ...passwordFields.newPassword, isRequired: true },
} as const satisfies Fields;
