/** Renders the page that says why there is no other one: an unknown or old link, a refused form. */
import type { PageWords } from '../../domain/text/messages.ts';
import { messagesOf } from '../../messages/messages.ts';
import { framed, linkable } from './frame.ts';
import { templatesOf } from './templates.ts';

/** What a page says that shows nothing else. */
export type NoticeKey = keyof PageWords['notice'];

export interface NoticeView {
  readonly locale: string;
  /** Null where no tenant is known. */
  readonly sender: string | null;
  readonly logo: string | null;
  readonly cssUrl: string;
  readonly key: NoticeKey;
  /** Where to go on. */
  readonly link?: string | null;
}

const render = templatesOf();

export function renderNotice(view: NoticeView): string {
  return framed({ ...view, ...noticePart(view) });
}

/** What stands in the frame of all pages, or in an account. */
export function noticePart({
  locale,
  key,
  link = null,
}: Pick<NoticeView, 'locale' | 'key' | 'link'>) {
  const text = messagesOf(locale).page.notice[key];
  const body = render('notice', { text, link: link === null ? null : linkable(link) });
  return { page: `notice notice-${key}`, title: text.title, body };
}
