/** The kinds of single value that a tenant file knows: each says in words what it takes. */
import { z } from 'zod';
import { isDate } from '../../../domain/calendar/calendar.ts';
import {
  compare,
  formatDecimal,
  isCurrency,
  isDecimal,
  parseDecimal,
} from '../../../domain/money/money.ts';
import { electronicAddressPattern } from '../../../domain/customers/electronic-address.ts';
import { isMailAddress } from '../../../domain/mail/kinds.ts';
import { bicFrom, ibanFrom } from '../../../domain/money/bank-account.ts';
import { isTimezone } from '../../../domain/calendar/zone.ts';
import { filledPrefix } from '../../../domain/invoices/number-series.ts';
import { faultOfNetwork } from '../../access/networks.ts';
import { pictureOf } from '../../../providers/invoice-documents/logo.ts';

const TEXT_LENGTH_MAX = 255;
const LONG_TEXT_LENGTH_MAX = 4_000;
// XML 1.0 cannot contain these characters, and jsonb refuses some of them.
// oxlint-disable-next-line no-control-regex
const forbiddenInXml = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/;

/** A value read from its text; `kind` completes both "must be ..." and the documentation. */
function scalar<Value>(
  kind: string,
  read: (text: string) => Value | undefined,
  hintOf: (text: string) => string = () => '',
) {
  return z
    .string()
    .transform((text, context) => {
      const value = isStorable(text) ? read(text) : undefined;
      if (value !== undefined) return value;
      context.addIssue({ code: 'custom', message: `must be ${kind}${hintOf(text)}` });
      return z.NEVER;
    })
    .meta({ kind });
}

function isStorable(text: string): boolean {
  return text.isWellFormed() && !forbiddenInXml.test(text);
}

function when(holds: (text: string) => boolean) {
  return (text: string): string | undefined => (holds(text) ? text : undefined);
}

function trimmed(lengthMax: number) {
  return (text: string): string | undefined => {
    const value = text.trim();
    return value !== '' && value.length <= lengthMax ? value : undefined;
  };
}

export const text = () =>
  scalar(`text, 1 to ${TEXT_LENGTH_MAX} characters`, trimmed(TEXT_LENGTH_MAX));
export const longText = () =>
  scalar(`text, 1 to ${LONG_TEXT_LENGTH_MAX} characters`, trimmed(LONG_TEXT_LENGTH_MAX));

const ACCOUNTING_CODE_LENGTH_MAX = 20;

/** Of an account in the books of the tenant. */
export const accountingCode = () =>
  scalar(
    `text, 1 to ${ACCOUNTING_CODE_LENGTH_MAX} characters`,
    trimmed(ACCOUNTING_CODE_LENGTH_MAX),
  );

export const flag = () =>
  scalar('true or false', (text) => ({ true: true, false: false })[text] ?? undefined);

export function whole(min: number, max: number) {
  const read = (text: string): number | undefined => {
    const value = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    return value >= min && value <= max ? value : undefined;
  };
  return scalar(`a whole number from ${min} to ${max}`, read, commaHint);
}

/** What a number with a comma is told: `9,90` is 9.90 to some and 990 to others. */
export const COMMA_HINT = 'decimals follow a point, and a number has no commas';

const numberWithCommas = /^[+-]?\d+(?:,\d+)+(?:\.\d+)?$/;

function commaHint(text: string): string {
  return numberWithCommas.test(text.trim()) ? `, not ${text.trim()}: ${COMMA_HINT}` : '';
}

/** Decimals are kept as their shortest text: `49.00` becomes `49`. */
function decimalWhere(kind: string, holds: (decimal: string) => boolean) {
  const read = (text: string): string | undefined => {
    if (!isDecimal(text)) return undefined;
    const decimal = formatDecimal(parseDecimal(text));
    return holds(decimal) ? decimal : undefined;
  };
  return scalar(kind, read, commaHint);
}

export const decimal = () =>
  decimalWhere(
    'a decimal of 0 or more with up to 6 decimals',
    (decimal) => compare(decimal, '0') >= 0,
  );

export const amount = () =>
  decimalWhere('a decimal above 0 with up to 6 decimals', (decimal) => compare(decimal, '0') > 0);

export const percent = () =>
  decimalWhere(
    'a percentage from 0 to 100 with up to 6 decimals',
    (decimal) => compare(decimal, '0') >= 0 && compare(decimal, '100') <= 0,
  );

export const date = () => scalar('a date that exists, YYYY-MM-DD', when(isDate));
export const currency = () => scalar('a currency code of ISO 4217', when(isCurrency));
export const timezone = () => scalar('an IANA time zone such as Europe/Berlin', when(isTimezone));
export const country = () =>
  scalar(
    'a country code of two capital letters',
    when((text) => /^[A-Z]{2}$/.test(text)),
  );

const instantPattern =
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})$/;

/** Stored in UTC: `2027-01-01T12:00:00Z`. */
export const instant = () =>
  scalar('an instant such as 2027-01-01T12:00:00Z', (text) => {
    if (!instantPattern.test(text)) return undefined;
    try {
      return Temporal.Instant.from(text).toString();
    } catch {
      return undefined;
    }
  });

const secondsOf = new Map([
  ['s', 1],
  ['m', 60],
  ['h', 3_600],
]);

/** The seconds of a duration. @example durationSeconds('30m') // 1800 */
export function durationSeconds(text: string): number {
  const [, count, unit = ''] = /^(\d{1,6})([smh])$/.exec(text) ?? [];
  return Number(count) * (secondsOf.get(unit) ?? Number.NaN);
}

export function duration(secondsMax: number) {
  const kind = `a duration such as 90s, 30m or 2h, at most ${secondsMax / 3_600}h`;
  return scalar(
    kind,
    when((text) => durationSeconds(text) <= secondsMax),
  );
}

/** Whether a text is the address of a page, without credentials. */
export function isWebAddress(text: string): boolean {
  const url = URL.parse(text);
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:';
  // URL.parse forgives spaces and lets credentials in; both only ever mean a mistake here.
  return isWeb && url.username === '' && url.password === '' && !/\s/.test(text);
}

export const webAddress = () =>
  scalar(
    'an address that begins with https:// or http://, without credentials',
    when((text) => text.length <= 2_000 && isWebAddress(text)),
  );

/** The file stores the picture itself, so rendering an invoice fetches nothing. */
export const logo = () =>
  scalar(
    'a PNG or JPEG picture: a file beside this one, or a data: URI (or a web address, not printed)',
    when((text) => pictureOf(text) !== undefined || (text.length <= 2_000 && isWebAddress(text))),
  );

export const origin = () =>
  scalar(
    'an origin such as https://www.example.com, without a path',
    when((text) => isWebAddress(text) && URL.parse(text)?.origin === text),
  );

const loopbackHost = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Where secrets are sent: encrypted, unless they stay on this machine. */
export const serviceOrigin = () =>
  scalar(
    'an address that begins with https:// (on this machine also http://), without a path',
    when((text) => {
      const url = URL.parse(text);
      if (!isWebAddress(text) || url?.origin !== text) return false;
      return url.protocol === 'https:' || loopbackHost.test(url.hostname);
    }),
  );

/** Where what runs in browsers comes from: as `serviceOrigin`, and with a path. */
export const serviceAddress = () =>
  scalar(
    'an address that begins with https:// (on this machine also http://), without credentials',
    when((text) => {
      const url = URL.parse(text);
      if (text.length > 2_000 || !isWebAddress(text) || !url || url.hash !== '') return false;
      return url.protocol === 'https:' || loopbackHost.test(url.hostname);
    }),
  );

/** It is shown to everybody, so a secret key in its place is refused. */
export const publishableKey = () =>
  scalar(
    'a publishable key of Stripe, which begins with pk_',
    when((text) => /^pk_\w{1,250}$/.test(text)),
  );

/** Each fault of a network has words of its own. */
export const network = () =>
  z
    .string()
    .transform((text, context) => {
      const fault = faultOfNetwork(text);
      if (fault === undefined) return text;
      context.addIssue({ code: 'custom', message: fault });
      return z.NEVER;
    })
    .meta({ kind: 'a network in CIDR notation, such as 203.0.113.0/24 or 2001:db8::/32' });

export const email = () => scalar('an e-mail address', when(isMailAddress));

/** As the VAT directive writes it: the country's two letters, then the national number. */
export const taxId = () =>
  scalar(
    'a VAT number that begins with the two letters of its country, such as DE123456789',
    when((text) => /^[A-Z]{2}[A-Z0-9+*]{2,13}$/.test(text)),
  );

/** A scheme of the code list EAS, and an identifier. */
export const electronicAddress = () =>
  scalar(
    'an electronic address: a scheme of the list EAS and an identifier, such as 9930:DE123456789',
    when((text) => electronicAddressPattern.test(text)),
  );

export const iban = () => scalar('an IBAN whose check digits fit', ibanFrom);
export const bic = () => scalar('a BIC of 8 or 11 letters and digits', bicFrom);

/** First label of a host name. */
export const label = () =>
  scalar(
    'a host name label: lower-case letters, digits and inner hyphens, at most 63 characters',
    when((text) => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(text)),
  );

export const username = () =>
  scalar(
    'a user name of 1 to 255 characters without a colon or blanks around it',
    when((text) => trimmed(TEXT_LENGTH_MAX)(text) === text && !text.includes(':')),
  );

export function choice<const Values extends readonly string[]>(values: Values) {
  const message = `must be one of ${values.join(', ')}`;
  return z.enum(values, { error: ({ input }) => (input === undefined ? undefined : message) });
}

/**
 * An object of which one key alone may be written as its value: `1001` for `{ start: 1001 }`.
 *
 * @param abbreviated the schema of that value
 */
export function abbreviable<Value, Full extends z.ZodObject>(
  abbreviated: z.ZodType<Value>,
  full: Full,
) {
  return z
    .unknown()
    .transform((written, context): Value | z.output<Full> => {
      const read = (typeof written === 'string' ? abbreviated : full).safeParse(written);
      if (read.success) return read.data;
      for (const issue of read.error.issues) context.addIssue({ ...issue });
      return z.NEVER;
    })
    .meta({ kind: `${String(abbreviated.meta()?.['kind'])}, or see below`, full });
}

const PREFIX_LENGTH_MAX = 10;

export const numberPrefix = () =>
  scalar(
    `ASCII letters, digits and - _ . /, with {YYYY} or {YY} for the year, at most ${PREFIX_LENGTH_MAX} characters once that is filled in`,
    when(
      (text) =>
        /^(?:[\w./-]|\{YYYY\}|\{YY\})+$/.test(text) &&
        filledPrefix(text, 2_000).length <= PREFIX_LENGTH_MAX,
    ),
  );

const variableMessage = 'must be the name of an environment variable (letters, digits, _)';
const secretMessage = 'must be a text, or env: with the name of an environment variable';

/** A secret: literally, or the name of the environment variable that holds it at apply. */
export const secret = () =>
  z
    .union(
      [
        z
          .string()
          .min(1, 'must not be empty')
          .max(LONG_TEXT_LENGTH_MAX, 'is too long for a secret'),
        z.strictObject({ env: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, variableMessage) }),
      ],
      {
        error: ({ input }) => (input === undefined ? undefined : secretMessage),
      },
    )
    .meta({ kind: 'a secret: `{ env: NAME }`, or the text itself' });
export type Secret = z.output<ReturnType<typeof secret>>;
