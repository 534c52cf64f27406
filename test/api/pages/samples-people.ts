/** Views of the profile and of the pages without a session, one for each thing that they can show. */
import {
  renderLogin,
  renderNewPassword,
  renderResetRequest,
  renderResetRequested,
  type LoginView,
} from '../../../api/resources/self-service/login/render.ts';
import {
  renderProfile,
  type ProfileView,
} from '../../../api/resources/self-service/profile/render.ts';
import type { AccountView } from '../../../api/resources/self-service/page/account.ts';
import { formProblem } from '../../../api/pages/view.ts';

const form = { action: '/widget/login', key: 'k1.k2', problems: [] } as const;

export const profileIn = (account: AccountView): ProfileView => ({
  ...account,
  form: { ...form, action: `${account.home}/profile` },
  values: {
    companyName: 'Miller & Sons',
    firstName: 'Jane',
    lastName: 'Miller',
    email: 'jane@example.com',
    street1: '350 5th Ave',
    city: 'New York',
    state: 'NY',
    zip: '10118',
    country: 'US',
  },
  asked: { country: true, statesOf: ['US'] },
  username: 'jane.miller',
  asksPassword: true,
  message: null,
});

/** Every page by its name. */
export function peoplePages(account: AccountView): Readonly<Record<string, string>> {
  const { locale, sender, logo, cssUrl } = account;
  const page = { locale, sender, logo, cssUrl };
  const login: LoginView = {
    ...page,
    form,
    username: '',
    wasReset: false,
    resetAddress: '/widget/login/reset',
  };
  const profile = profileIn(account);
  const refused = { ...form, problems: [formProblem('login.refused')] };
  const request = { ...page, form, name: '', loginAddress: '/widget/login' };
  return {
    login: renderLogin(login),
    'login-refused': renderLogin({ ...login, form: refused, username: 'jane.miller' }),
    'login-after-reset': renderLogin({ ...login, wasReset: true, resetAddress: null }),
    'reset-request': renderResetRequest(request),
    'reset-requested': renderResetRequested(request),
    'new-password': renderNewPassword({ ...page, form, username: 'jane.miller' }),
    'new-password-weak': renderNewPassword({
      ...page,
      form: { ...form, problems: [{ field: 'newPassword', key: 'passwd.weak' }] },
      username: 'jane.miller',
    }),
    profile: renderProfile(profile),
    'profile-saved': renderProfile({ ...profile, message: 'saved' }),
    'profile-without-login': renderProfile({ ...profile, username: null, asksPassword: false }),
    'profile-faulty': renderProfile({
      ...profile,
      form: {
        ...profile.form,
        problems: [
          { field: null, key: 'profile.changed' },
          { field: 'firstName', key: 'required' },
          { field: 'oldPassword', key: 'password.wrong' },
        ],
      },
    }),
  };
}
