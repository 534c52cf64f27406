/** Turns what a page's route gives, or why it is refused, into an answer with a page's headers. */
import { DEFAULT_STYLESHEET } from '../../domain/hosted-pages/address.ts';
import { localeOf } from '../../domain/invoices/formats.ts';
import type { Dependencies, TenantInfo } from '../../operations/context/context.ts';
import { allowedOrigins } from '../../operations/hosted-pages/tenant-origin.ts';
import type { Answer, PageAnswer } from '../calls/answer.ts';
import type { RequestError } from '../calls/errors.ts';
import { type GatewayScript, gatewaySources } from './gateway-sources.ts';
import { renderNotice, type NoticeKey } from './notice.ts';
import { senderOf } from './sender.ts';

const HTML_TYPE = 'text/html; charset=utf-8';

type Reading = Pick<Dependencies, 'db' | 'realNow'>;

export interface PageAnswers {
  readonly answerOf: (tenant: TenantInfo, page: PageAnswer) => Promise<Answer>;
  /** Never fails. */
  readonly refusalOf: (asked: AskedPage, refusal: RequestError) => Promise<Answer>;
}

export interface AskedPage {
  /** Undefined for a host that belongs to none. */
  readonly tenant: TenantInfo | undefined;
  /** As `acceptedLocale` gives it. */
  readonly locale: string;
  /** The path of the page. */
  readonly path: string;
}

export function pageAnswers(dependencies: Reading): PageAnswers {
  return {
    async answerOf(tenant, page) {
      const ancestors = await allowedOrigins(dependencies, tenant.id);
      if ('to' in page) {
        const headers = pageHeaders({ cssUrl: DEFAULT_STYLESHEET, leadsTo: [], ancestors });
        return htmlAnswer(303, '', { ...headers, Location: page.to });
      }
      if ('file' in page) {
        const headers = pageHeaders({ cssUrl: DEFAULT_STYLESHEET, leadsTo: [], ancestors });
        const disposition = `inline; filename="${page.name}"`;
        const { file: body, type, cachedSeconds } = page;
        const kept = cachedSeconds === undefined ? {} : keptFor(cachedSeconds);
        const own = { ...headers, ...kept, 'Content-Disposition': disposition };
        return { status: 200, type, headers: own, body };
      }
      const { status, html, cssUrl, leadsTo, gatewayScript } = page;
      return htmlAnswer(
        status,
        html,
        pageHeaders({ cssUrl, leadsTo, ancestors, ...(gatewayScript && { gatewayScript }) }),
      );
    },
    async refusalOf({ tenant, locale, path }, refusal) {
      const ancestors = tenant === undefined ? [] : await orNone(dependencies, tenant.id);
      const headers = pageHeaders({ cssUrl: DEFAULT_STYLESHEET, leadsTo: [], ancestors });
      const key = noticeOf(refusal);
      const html = renderNotice({
        locale: localeOf(locale, null),
        ...(tenant === undefined ? { sender: null, logo: null } : senderOf(tenant)),
        cssUrl: DEFAULT_STYLESHEET,
        key,
        link: ['unknown', 'forbidden', 'gone'].includes(key) ? null : path,
      });
      return htmlAnswer(refusal.status, html, { ...refusal.headers, ...headers });
    },
  };
}

/** The database may be why the page is refused. */
async function orNone(dependencies: Reading, tenantId: number): Promise<readonly string[]> {
  return allowedOrigins(dependencies, tenantId).catch(() => []);
}

/** Why, for people: the texts of the refusal itself are for those who call the interface. */
export function noticeOf({ status, errors }: RequestError): NoticeKey {
  switch (status) {
    case 401:
    case 404:
      return 'unknown';
    case 410:
      return 'gone';
    case 403:
      return noticesOfForms.get(errors[0]?.code ?? '') ?? 'forbidden';
    case 405:
      return 'notAllowed';
    case 413:
      return 'tooLong';
    case 429:
      return 'tooMany';
    case 503:
      return 'unavailable';
    default:
      return status < 500 ? 'wrongType' : 'failed';
  }
}

const noticesOfForms: ReadonlyMap<string, NoticeKey> = new Map([
  ['page.foreignPost', 'foreign'],
  ['page.formKey', 'formExpired'],
]);

const keptFor = (seconds: number) => ({ 'Cache-Control': `public, max-age=${seconds}` });

const htmlAnswer = (status: number, body: string, headers: Answer['headers']): Answer => ({
  status,
  type: HTML_TYPE,
  headers,
  body,
});

/* The headers that every hosted page has, its refusals and redirects included. */

interface PageSources {
  /** Of the stylesheet: absolute, or a path of this host. */
  readonly cssUrl: string;
  /** The addresses that the answers to its forms may lead to, beside this host. */
  readonly leadsTo: readonly string[];
  /** The origins whose frames may show it. */
  readonly ancestors: readonly string[];
  /** Of the gateway's own fields on it. */
  readonly gatewayScript?: GatewayScript;
}

function pageHeaders(sources: PageSources): Readonly<Record<string, string>> {
  return {
    'Content-Security-Policy': policyOf(sources),
    // Without a referrer at all, the Origin of our own forms would be null.
    'Referrer-Policy': 'same-origin',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Robots-Tag': 'noindex',
  };
}

function policyOf({ cssUrl, leadsTo, ancestors, gatewayScript }: PageSources): string {
  const styles = ["'self'", ...originsOf([cssUrl])].join(' ');
  const gateway = gatewayScript && gatewaySources(gatewayScript);
  return [
    "default-src 'none'",
    "base-uri 'none'",
    ["script-src 'self'", ...(gateway?.scripts ?? [])].join(' '),
    ["connect-src 'self'", ...(gateway?.connections ?? [])].join(' '),
    ...(gateway ? [`frame-src ${gateway.frames.join(' ')}`] : []),
    `style-src ${styles}`,
    `font-src ${styles}`,
    `img-src ${styles}`,
    // Chrome checks where the answer to a form redirects as well.
    `form-action ${["'self'", ...originsOf(leadsTo)].join(' ')}`,
    `frame-ancestors ${ancestors.length === 0 ? "'none'" : ancestors.join(' ')}`,
  ].join('; ');
}

/** An origin has no character that could end a directive. */
function originsOf(addresses: readonly string[]): string[] {
  const absolute = addresses.filter((address) => URL.canParse(address));
  return [...new Set(absolute.map((address) => new URL(address).origin))];
}
