/** What every hosted page is rendered from. */
import type { FormFields } from '../calls/route-types.ts';

/** Why a field, or the form as a whole, was not taken. */
export interface PageProblem {
  /** The name of the field; null for the form as a whole. */
  readonly field: string | null;
  /** A key of the words, which name the field and say what to do. */
  readonly key: string;
}

export interface FormView {
  /** The address that the form is posted to: a path of this host. */
  readonly action: string;
  /** Signed; each page has a new one. */
  readonly key: string;
  readonly problems: readonly PageProblem[];
}

export interface PageView {
  /** As `localeOf` gives it: `de-AT`. */
  readonly locale: string;
  /** The name of the tenant. */
  readonly sender: string;
  /** An absolute address, or a path of this host. */
  readonly cssUrl: string;
}

/** How a page with a form is shown: at first, or again with what was typed. */
export interface ShownForm {
  readonly status: number;
  readonly problems: readonly PageProblem[];
  readonly typed?: FormFields;
}
