/** Puts a part of an account into what all of its pages share: the name, the menu, the way out. */
import {
  type Switches,
  parts,
  showsPart,
  type Part,
} from '../../../../domain/self-service/switches.ts';
import { messagesOf } from '../../../../messages/messages.ts';
import { framed, linkable } from '../../../pages/frame.ts';
import { templatesOf } from '../../../pages/templates.ts';
import type { PageView } from '../../../pages/view.ts';
import { RELOAD_MARK } from './reload-mark.ts';

/** What every page of a session is rendered from. */
export interface AccountView extends PageView {
  /** The path of the first page; the parts are below it. */
  readonly home: string;
  /** The customer's. */
  readonly name: string;
  readonly switches: Switches;
  /** Signed; ends the session. */
  readonly logOutKey: string;
  /** The path of the page with its query. */
  readonly address: string;
  /** When an idle page loads itself again. */
  readonly reloadSeconds: number;
}

export interface AccountPage {
  /** Null for a page of none, such as a refusal. */
  readonly part: Part | null;
  /** For the style sheet: `page-invoices`. */
  readonly page: string;
  readonly title: string;
  /** A further style sheet: a path of this host. */
  readonly ownCss?: string;
  readonly isFaulty?: boolean;
  /** The page waits for something, and asks again so often. */
  readonly refreshSeconds?: number;
  /** Rendered, and with every value escaped. */
  readonly body: string;
}

const render = templatesOf(import.meta.dirname);

export function inAccount(view: AccountView, { part, body, ...page }: AccountPage): string {
  const own = messagesOf(view.locale).account;
  const { home, name, switches, logOutKey, address, reloadSeconds } = view;
  const reloadTo = linkable(reloadOf(address));
  const menu = switches.showNavigationBar ? menuOf(view, part) : null;
  const bar = render('bar', {
    own,
    name,
    menu,
    here: menu?.find(({ isHere }) => isHere)?.text ?? own.menu,
    logOut: { action: linkable(`${home}/logout`), key: logOutKey },
  });
  const account = render('account', {
    own,
    body,
    reloadAfter: reloadSeconds,
    reloadTo,
    stay: linkable(address),
  });
  const { refreshSeconds = reloadSeconds } = page;
  const frame = { refreshSeconds, refreshTo: reloadTo, script: '/js/account.js' };
  return framed({ ...view, ...page, ...frame, bar, body: account });
}

/** The parts that the session shows. */
export function menuOf({ home, switches, locale }: AccountView, here: Part | null) {
  const own = messagesOf(locale).account;
  return parts
    .filter((part) => showsPart(part, switches))
    .map((part) => ({
      part,
      address: linkable(partAddress(home, part)),
      text: own.part[part],
      isHere: part === here,
    }));
}

/** The path of a part: `home` is above all others. */
export const partAddress = (home: string, part: Part): string =>
  part === 'home' ? home : `${home}/${part}`;

/** The same page, loaded by itself. */
export function reloadOf(address: string): string {
  const [path = '', query = ''] = address.split('?');
  const parameters = new URLSearchParams(query);
  parameters.set(RELOAD_MARK, '1');
  return `${path}?${parameters.toString()}`;
}
