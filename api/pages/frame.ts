/** Puts the content of a hosted page into the frame that all pages share. */
import assert from 'node:assert';
import { fill } from '../../domain/text/fill.ts';
import { languageOf } from '../../domain/text/language.ts';
import { messages } from '../../messages/messages.ts';
import { templatesOf } from './templates.ts';

/** What the frame says around a page. */
export interface Frame {
  readonly locale: string;
  /** The name of the tenant; null where there is none. */
  readonly sender: string | null;
  /** A path of this host. */
  readonly logo: string | null;
  readonly cssUrl: string;
  /** A further style sheet: a path of this host. */
  readonly ownCss?: string;
  /** For the style sheet: `page-details`. */
  readonly page: string;
  readonly title: string;
  /** The page has problems, which its title says first. */
  readonly isFaulty?: boolean;
  /** Without a script the page asks again after so many seconds. */
  readonly refreshSeconds?: number;
  /** The address that it asks then: a path of this host; its own without one. */
  readonly refreshTo?: string;
  /** Of this host, beside the script of all pages. */
  readonly script?: string;
  /** What stands before the content: whose account it is, and its menu. Rendered, as the body. */
  readonly bar?: string;
  /** Rendered, and with every value escaped. */
  readonly body: string;
}

const render = templatesOf();

export function framed({ locale, sender, cssUrl, page, body, ...frame }: Frame): string {
  const language = languageOf(locale);
  const { page: words } = messages[language];
  const { title, isFaulty = false, refreshSeconds = null, refreshTo } = frame;
  const { script = null, ownCss = null, logo, bar = null } = frame;
  const named = sender === null ? title : `${title} · ${sender}`;
  return render('frame', {
    language,
    sender,
    logo: logo === null ? null : linkable(logo),
    skip: words.skip,
    bar,
    cssUrl: linkable(cssUrl),
    page,
    title: isFaulty ? fill(words.faultyTitle, { title: named }) : named,
    refresh: refreshSeconds === null ? null : refreshOf(refreshSeconds, refreshTo),
    script,
    ownCss,
    body,
  });
}

function refreshOf(seconds: number, to: string | undefined): string {
  return to === undefined ? String(seconds) : `${seconds};url=${linkable(to)}`;
}

/** An address of the web, or a path of this host: nothing that a browser would run. */
export function linkable(address: string): string {
  assert(/^(https?:\/\/|\/(?!\/)|\?)/.test(address), 'a link leads to a page');
  return address;
}
