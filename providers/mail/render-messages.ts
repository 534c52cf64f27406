/** The messages between a process and its processes that render the templates of tenants. */
import type { MailContent, RenderedMail, TemplateFault } from './templates.ts';

/** The processor time of one mail. */
export const RENDER_MS_MAX = 1_000;

export interface RenderJob {
  readonly kind: 'render';
  readonly content: MailContent;
  /** The templates of the tenant; absent if they are those of the job before. */
  readonly own?: readonly (readonly [name: string, text: string])[];
}

export type FromRenderer =
  | { readonly kind: 'ready' }
  | { readonly kind: 'begins'; readonly template: string }
  | { readonly kind: 'rendered'; readonly mail: RenderedMail }
  | { readonly kind: 'failed'; readonly fault: TemplateFault };
