/** The fields of the forms that need no session, all of which are required. */
import type { Fields } from '../../../pages/form.ts';
import { passwordFields } from '../profile/profile-form.ts';

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
