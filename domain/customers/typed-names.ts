/** Names that people type on pages, which mails repeat to whoever has the address that they typed. */

export const NAME_LENGTH_MAX = 60;

/** Top-level domains that mail programs make links of, whatever their case. */
const KNOWN = 'com|net|org|info|biz|app|dev|xyz|top|site|online|shop|club|link|live';
const schemed = /:\/\/|\bwww\.|\bmailto:/i;
const known = new RegExp(String.raw`[\p{L}\p{N}]\.(?:${KNOWN})(?![\p{L}\p{N}])`, 'iu');
/** Of any other domain: a name such as `St.John` or `Co.KG` goes on in capitals. */
const small = /[\p{L}\p{N}]\.[a-z]{2,}(?![\p{L}\p{N}])/u;

/**
 * Whether a mail program may make a link of a name.
 *
 * @example hasWebAddress('Win at evil.example') // true; 'J. R. Smith' has none
 */
export function hasWebAddress(name: string): boolean {
  return [schemed, known, small].some((form) => form.test(name));
}
