/** What every hosted page is rendered from. */
import type { PageWords } from '../../domain/text/messages.ts';
import type { FormFields } from '../calls/route-types.ts';
import type { Sender } from './sender.ts';

/** Selects what a page says of a field or a form. */
export type ProblemKey = keyof PageWords['problem'];

/** Why a field, or the form as a whole, was not taken: by a text of the page, or a refusal's code. */
export type PageProblem = OfField & ({ readonly key: ProblemKey } | { readonly code: string });

interface OfField {
  /** The name of the field; null for the form as a whole. */
  readonly field: string | null;
}

export const formProblem = (key: ProblemKey): PageProblem => ({ field: null, key });

export interface FormView {
  /** The address that the form is posted to: a path of this host. */
  readonly action: string;
  /** Signed; each page has a new one. */
  readonly key: string;
  readonly problems: readonly PageProblem[];
}

export interface PageView extends Sender {
  /** As `localeOf` gives it: `de-AT`. */
  readonly locale: string;
  /** An absolute address, or a path of this host. */
  readonly cssUrl: string;
}

/** How a page with a form is shown: at first, or again with what was typed. */
export interface ShownForm {
  readonly status: number;
  readonly problems: readonly PageProblem[];
  readonly typed?: FormFields;
}
