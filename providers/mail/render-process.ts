/**
 * Entry of a process that renders the templates of tenants. Any template may block it or exhaust its
 * memory, and it holds nothing but the mail that it renders.
 */
import { guardProcess } from '../process-guard.ts';
import { createRenderer, type Renderer } from './render.ts';
import { RENDER_MS_MAX, type FromRenderer, type RenderJob } from './render-messages.ts';
import type { RenderedMail, RenderLimit, TemplateFault } from './templates.ts';

/** Subject, HTML and text together. */
const MAIL_BYTES_MAX = 1_000_000;

let renderer: Renderer = createRenderer(new Map());

function answerTo({ content, own }: RenderJob): FromRenderer {
  let template = '';
  try {
    if (own !== undefined) renderer = createRenderer(new Map(own));
    const mail = renderer.render(content, (name) => {
      template = name;
      say({ kind: 'begins', template });
    });
    if (bytesOf(mail) <= MAIL_BYTES_MAX) return { kind: 'rendered', mail };
    const message = `makes a mail of more than ${MAIL_BYTES_MAX} bytes`;
    const longest = { template, file: null, variable: null };
    return { kind: 'failed', fault: { ...longest, message, limit: 'size' } };
  } catch (error) {
    return { kind: 'failed', fault: faultOf(error, template) };
  }
}

function bytesOf({ subject, html, text }: RenderedMail): number {
  return [subject, html, text].reduce((sum, part) => sum + Buffer.byteLength(part), 0);
}

interface LiquidFault {
  readonly message?: unknown;
  readonly token?: { readonly file?: string };
  readonly originalError?: { readonly message?: string; readonly variableName?: string };
}

/** What Liquid says of its own limits. */
const limits: Readonly<Record<string, RenderLimit>> = {
  'memory alloc limit exceeded': 'memory',
  'parse length limit exceeded': 'size',
};

function faultOf(error: unknown, template: string): TemplateFault {
  const { message, token, originalError } = error as LiquidFault;
  return {
    message: String(message),
    template,
    file: token?.file ?? null,
    variable: originalError?.variableName ?? null,
    limit: limits[originalError?.message ?? String(message)] ?? null,
  };
}

function say(message: FromRenderer): void {
  process.send?.(message);
}

const { limited } = guardProcess(RENDER_MS_MAX);
process.on('message', (job) => say(limited(() => answerTo(job as RenderJob))));
say({ kind: 'ready' });
