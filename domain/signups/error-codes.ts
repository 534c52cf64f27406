/** The errors of hosted sign-ups. */

/**
 * A part of the catalogue in `domain/error-codes.ts`.
 *
 * @example signupErrors['signup.unknown'].kind // 'notFound'
 */
export const signupErrors = {
  'signup.unknown': { kind: 'notFound', meaning: 'There is no such signup.' },
  'signup.tooManyDeclines': {
    kind: 'tooMany',
    meaning: 'Too many cards were declined from this network, of this customer or in this session.',
  },
} as const;
