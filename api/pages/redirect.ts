/** The address of a redirect. */

/**
 * As a header holds it, which is ASCII only.
 *
 * @example asciiAddress('https://www.demo.example/caf\u00e9') // 'https://www.demo.example/caf%C3%A9'
 */
export const asciiAddress = (address: string): string =>
  address.replaceAll(/[^\u0021-\u007e]+/gu, encodeURIComponent);
