/** The errors of hosted sign-ups. */

/**
 * A part of the catalogue in `domain/error-codes.ts`.
 *
 * @example signupErrors['signup.unknown'].kind // 'notFound'
 */
export const signupErrors = {
  'signup.unknown': { kind: 'notFound', meaning: 'There is no such signup.' },
} as const;
