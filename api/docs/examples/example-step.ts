/** One documented call: what it sends, and which calls have to come before it. */
import type { Method } from '../../calls/call.ts';

/**
 * In `path` and `request`, `{ref}` stands for the customer's reference on the page, `{year}` and
 * `{comingYear}` for years by the tenant's clock, so that no date is ever past, and another name in
 * braces for a value that an earlier step keeps.
 */
export interface Step {
  /** Also the name of the file with its answer. */
  readonly name: string;
  readonly summary: string;
  /** The row of the route table that it demonstrates. */
  readonly method: Method;
  readonly route: string;
  readonly action?: string;
  readonly mode?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly request?: string;
  /** 200 by default. */
  readonly status?: number;
  /** Values of the answer for other steps: a name, and the text before the value's first place. */
  readonly keeps?: Readonly<Record<string, string>>;
  /** Steps that must come first, besides those that keep a value of its path or body. */
  readonly needs?: readonly string[];
  /** A user with the right `admin` sends it. */
  readonly isOfAdmin?: boolean;
  /** It repeats the call of that step under the same Idempotency-Key. */
  readonly keyOf?: string;
  /** Lines of the shell before the call, each a command. */
  readonly prepares?: string;
}

/** The names in braces, in order. */
export const placeholdersOf = (text: string): string[] =>
  [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
