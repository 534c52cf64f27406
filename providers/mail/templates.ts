/** The port to the rendering of mails: templates, what they render, and what can be wrong with them. */
import { mailKinds } from '../../domain/mail/kinds.ts';
import type { MailPage } from '../../domain/mail/page.ts';

/** The texts of templates, by their file names: `newInvoice.de.html.liquid`. */
export type Templates = ReadonlyMap<string, string>;

export interface RenderedMail {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
}

/** What is rendered: a page, and the address of the logo for the HTML (null without one). */
export interface MailContent {
  readonly page: MailPage;
  readonly logo: string | null;
}

/**
 * Renders one mail. Throws a TemplateError, or an UnavailableError if too many wait.
 *
 * @param own the tenant's templates; without any, the delivered ones render the mail
 * @param lane the tenant, whose mails wait for each other
 */
export type RenderMail = (
  own: Templates,
  content: MailContent,
  lane: string,
) => Promise<RenderedMail>;

/** Renders samples of every kind of mail; empty if all of them work. */
export type CheckTemplates = (own: Templates) => Promise<readonly TemplateMistake[]>;

export const SUFFIX = '.liquid';
export const mailFormats = ['subject', 'html', 'text'] as const;
export type MailFormat = (typeof mailFormats)[number];

export const TEMPLATE_LENGTH_MAX = 100_000;
export const TEMPLATES_MAX = 100;

const nameForm = new RegExp(
  `^(?:(mail|${mailKinds.join('|')})(?:\\.([a-z]{2,3}))?\\.(?:${mailFormats.join('|')})` +
    `|frame\\.(?:html|text))\\${SUFFIX}$`,
);

/** Whether a file of the folder is a template: `newInvoice.de.html.liquid`. */
export function isTemplateName(name: string): boolean {
  return nameForm.test(name);
}

export const templateNames =
  `mail or ${mailKinds.join(', ')}, then perhaps a language such as .de, then ` +
  `${mailFormats.map((format) => `.${format}`).join(', ')}, then ${SUFFIX}; or frame.html${SUFFIX}, ` +
  `frame.text${SUFFIX}`;

/** The language in the name of a template; undefined if it is for all. */
export function languageOfTemplate(name: string): string | undefined {
  return nameForm.exec(name)?.[2];
}

export interface TemplateMistake {
  readonly name: string;
  readonly message: string;
}

/** Which limit a mail has met. */
export type RenderLimit = 'time' | 'memory' | 'size';

/** An error of a template, without its values. */
export interface TemplateFault {
  readonly message: string;
  /** The template that was rendered, and the one in which the mistake is, if Liquid knows it. */
  readonly template: string;
  readonly file: string | null;
  /** The name that is not defined. */
  readonly variable: string | null;
  /** Null for a mistake in the template. */
  readonly limit: RenderLimit | null;
}

/** A template that has a mistake, or met a limit. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
  readonly fault: TemplateFault;

  constructor(fault: TemplateFault) {
    super(`${fault.template} ${fault.message}`);
    this.fault = fault;
  }
}

/** Why a mail is never sent: `content.time newInvoice.html.liquid`. */
export function limitCode(limit: RenderLimit, template: string): string {
  return `content.${limit} ${template}`;
}
