/** How a secret of a sales agent is shown: by its last four characters. */

const SHOWN_LENGTH = 4;
const MASK = '*****';

/** What may be stored beside a sealed secret. @example lastFourOf('123456789') // '6789' */
export function lastFourOf(clear: string): string {
  return clear.slice(-SHOWN_LENGTH);
}

/** @example maskedText('6789') // '*****6789' */
export function maskedText(lastFour: string): string {
  return `${MASK}${lastFour}`;
}
