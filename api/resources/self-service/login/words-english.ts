/** The words of the pages that customers log in by, in English. */
import type { Translated } from '../../../pages/words-english.ts';

export const english = {
  login: 'Log in',
  username: 'User name',
  password: 'Password',
  submitLogin: 'Log in',
  forgotten: 'Forgot your password?',
  wasReset: 'Your password was changed. Please log in with the new one.',
  ask: 'Forgot your password?',
  askLead:
    'Enter your user name or your e-mail address. We will send you a link to choose a new password.',
  name: 'User name or e-mail address',
  submitAsk: 'Send the link',
  askedTitle: 'Please check your mail',
  asked:
    'If we know an account with this name or address, a mail is on its way. Its link works for ' +
    '30 minutes.',
  askedAgain: 'No mail? Look into your spam folder, or ask again later.',
  guarded:
    'Too many wrong passwords were typed for this user name. To log in from here, please choose ' +
    'a new password by a link that we mail.',
  back: 'Back to the login',
  choose: 'Choose a new password',
  chooseFor: 'For the user name {username}',
  newPassword: 'New password',
  newPasswordHint: 'At least 8 characters, with upper and lower case letters and a digit',
  chooseNote: 'Wherever you are logged in, you will have to log in again.',
  submitChoose: 'Save the password',
} as const;

export type LoginWords = Translated<typeof english>;
