/** The messages between a process and its processes that render the templates of tenants. */
import type { MailContent, RenderedMail } from './render.ts';

/** The processor time of one mail. */
export const RENDER_MS_MAX = 1_000;

export interface RenderJob {
  readonly kind: 'render';
  readonly content: MailContent;
  /** The templates of the tenant; absent if they are those of the job before. */
  readonly own?: readonly (readonly [name: string, text: string])[];
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

export type FromRenderer =
  | { readonly kind: 'ready' }
  | { readonly kind: 'begins'; readonly template: string }
  | { readonly kind: 'rendered'; readonly mail: RenderedMail }
  | { readonly kind: 'failed'; readonly fault: TemplateFault };
