/**
 * Renders mails from templates: those of a tenant, and the delivered ones for all else. The
 * templates are Liquid, which can only format what it is given. Those of tenants are rendered in a
 * process of their own (`render-apart.ts`).
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Liquid } from 'liquidjs';
import type { MailPage } from '../../domain/mail/page.ts';
import {
  SUFFIX,
  type MailContent,
  type MailFormat,
  type RenderedMail,
  type Templates,
} from './templates.ts';

export interface Renderer {
  /** @param onTemplate called with the name of each template before it is rendered */
  readonly render: (content: MailContent, onTemplate?: (name: string) => void) => RenderedMail;
}

/** What Liquid counts: about the characters of the values that some of its tags and filters make. */
const RENDER_MEMORY_MAX = 5_000_000;
const PARSE_CHARACTERS_MAX = 500_000;
const SUBJECT_LENGTH_MAX = 200;

export const delivered: Templates = new Map(
  readdirSync(join(import.meta.dirname, 'templates')).map((name) => [
    name,
    readFileSync(join(import.meta.dirname, 'templates', name), 'utf8'),
  ]),
);

/** A renderer parses each template once, so it is made once for many mails of a tenant. */
export function createRenderer(own: Templates): Renderer {
  const all = new Map([...delivered, ...own]);
  const templates = Object.fromEntries(
    [...all].map(([name, text]) => [name.slice(0, -SUFFIX.length), text]),
  );
  const shared = {
    templates,
    cache: true,
    relativeReference: false,
    strictVariables: true,
    lenientIf: true,
    strictFilters: true,
    ownPropertyOnly: true,
    parseLimit: PARSE_CHARACTERS_MAX,
    memoryLimit: RENDER_MEMORY_MAX,
  } as const;
  const escaping = new Liquid({ ...shared, outputEscape: 'escape' });
  const plain = new Liquid(shared);
  return {
    render({ page, logo }, onTemplate) {
      const scope = { ...page, logo };
      const rendered = (format: MailFormat): string => {
        const engine = format === 'html' ? escaping : plain;
        const template = templateFor(all, page, format);
        onTemplate?.(`${template}${SUFFIX}`);
        return String(engine.renderFileSync(template, scope));
      };
      return {
        // One line: what comes from a customer's name never becomes another header.
        subject: oneLine(rendered('subject')).slice(0, SUBJECT_LENGTH_MAX),
        html: rendered('html'),
        text: `${rendered('text').trim()}\n`,
      };
    },
  };
}

/** The most specific template: of the kind and language, of the kind, of the language, of all. */
function templateFor(all: Templates, page: MailPage, format: MailFormat): string {
  const { language } = new Intl.Locale(page.locale);
  const names = [
    `${page.kind}.${language}.${format}`,
    `${page.kind}.${format}`,
    `mail.${language}.${format}`,
    `mail.${format}`,
  ];
  return names.find((name) => all.has(`${name}${SUFFIX}`)) ?? `mail.${format}`;
}

/** A text without line breaks and other control characters. */
export function oneLine(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replaceAll(/[\u0000-\u0020\u007f\u0085\u2028\u2029]+/g, ' ').trim();
}
