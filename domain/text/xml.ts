/** Texts within XML. */

// A parser would read a carriage return as a line feed; characters that XML forbids are dropped.
// oxlint-disable-next-line no-control-regex -- the point is to find them
const special = /[&<>"\r\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/;
// oxlint-disable-next-line no-control-regex -- the same, one by one
const specials = /[&<>"\r\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g;

const replacements: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
};

/** @example escapeText('Meyer & Sons') // 'Meyer &amp; Sons' */
export function escapeText(text: string): string {
  return special.test(text)
    ? text.replace(specials, (character) => replacements[character] ?? '')
    : text;
}
