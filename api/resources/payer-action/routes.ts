/** The page of an action link: an absent payer confirms a payment that waits for him. */
import { localeOf } from '../../../domain/invoices/formats.ts';
import { formatAmount } from '../../../domain/money/money.ts';
import { DEFAULT_STYLESHEET } from '../../../domain/hosted-pages/address.ts';
import {
  findAction,
  readAction,
  type ShownAction,
} from '../../../operations/action-links/links.ts';
import { makePayLinks } from '../../../operations/pay-links/links.ts';
import { inOperation } from '../../../operations/context/context.ts';
import { confirmWaiting, lookAtWaiting } from '../../../operations/gateway-calls/waiting.ts';
import type { PageAnswer } from '../../calls/answer.ts';
import { formRoute, pageRoute, tokenOf, unknownPage } from '../../calls/page-route.ts';
import type { Route } from '../../calls/route-types.ts';
import { readingMore, type RouteDependencies } from '../../calls/services.ts';
import { gatewayScriptOf } from '../../pages/gateway-fields.ts';
import { renderNotice } from '../../pages/notice.ts';
import { senderOf } from '../../pages/sender.ts';
import { formProblem, type PageProblem } from '../../pages/view.ts';
import { pageForm, pageWrite, type AskedPage } from '../page-writes.ts';
import { pageUrl, placeOfFound } from './place.ts';
import { renderAction } from './render.ts';

const PATH = '/action/:token';
const FORM = 'action';
const OTHER = 'other';

export function payerActionRoutes(dependencies: RouteDependencies): Route[] {
  return [
    pageRoute({
      path: PATH,
      handler: (call) => showAction(dependencies, call),
    }),
    formRoute(dependencies.formKeys, {
      path: PATH,
      forms: [FORM, OTHER],
      waitsForOthers: true,
      async handler(call) {
        const { paymentId } = await found(dependencies, call);
        const { form, shown } = await call.form();
        if (form === OTHER) return payOtherwise(dependencies, call, paymentId);
        return confirm(dependencies, call, { paymentId, shownAmount: shown });
      },
    }),
  ];
}

async function found(dependencies: RouteDependencies, call: AskedPage) {
  const token = tokenOf(call);
  const row = /^[\w-]{43}$/.test(token)
    ? await readingMore(dependencies, call.tenant, (tx) => findAction(tx, token))
    : undefined;
  if (row === undefined) throw unknownPage();
  return row;
}

/** A payer who comes back from his confirmation sees how it ended: its gateway is asked at once. */
async function showAction(dependencies: RouteDependencies, call: AskedPage): Promise<PageAnswer> {
  const { paymentId, isBegun } = await found(dependencies, call);
  const { tenant } = call;
  if (isBegun) await lookAtWaiting(dependencies, dependencies, tenant.id, paymentId);
  return shownAgain(dependencies, call, { paymentId, status: 200, problems: [] });
}

interface Again {
  readonly paymentId: number;
  readonly status: number;
  readonly problems: readonly PageProblem[];
  /** The gateway's script on the page lets the payer authenticate. */
  readonly clientSecret?: string | null;
}

async function shownAgain(
  dependencies: RouteDependencies,
  call: AskedPage,
  { paymentId, status, problems, clientSecret = null }: Again,
): Promise<PageAnswer> {
  const { tenant } = call;
  const shown = await inOperation(dependencies, tenant.id, (context) =>
    readAction(context, paymentId),
  );
  if (shown === undefined) return over(call);
  const amount = formatAmount(shown.currency, shown.amount);
  const form = pageForm(dependencies, call, { form: FORM, shown: amount, problems });
  const isOfOne = shown.invoices.length === 1;
  const other = isOfOne ? pageForm(dependencies, call, { form: OTHER }) : null;
  const { timezone } = tenant;
  const challenge = clientSecret === null ? null : { tenant, clientSecret, to: call.path };
  const html = renderAction({
    ...shown,
    ...pageView(call, shown),
    form,
    other,
    timezone,
    challenge,
  });
  const own = challenge === null ? {} : gatewayScriptOf(tenant);
  return { status, html, cssUrl: DEFAULT_STYLESHEET, leadsTo: [], ...own };
}

function pageView({ tenant }: AskedPage, { locale, countryCode }: ShownAction) {
  return {
    locale: localeOf(locale, countryCode),
    ...senderOf(tenant),
    cssUrl: DEFAULT_STYLESHEET,
  };
}

const LOGIN = '/widget/login';

function over({ tenant, locale }: AskedPage): PageAnswer {
  const html = renderNotice({
    locale: localeOf(locale, null),
    ...senderOf(tenant),
    cssUrl: DEFAULT_STYLESHEET,
    key: 'actionOver',
    link: LOGIN,
  });
  return { status: 410, html, cssUrl: DEFAULT_STYLESHEET, leadsTo: [] };
}

/** Of one invoice there is the page of its pay link. */
async function payOtherwise(
  dependencies: RouteDependencies,
  call: AskedPage,
  paymentId: number,
): Promise<PageAnswer> {
  const path = await pageWrite(dependencies, call, async (context) => {
    const shown = await readAction(context, paymentId);
    const [invoice, ...further] = shown?.invoices ?? [];
    if (invoice === undefined || further.length > 0) return undefined;
    return makePayLinks(context, [invoice.id]).get(invoice.id);
  });
  return path === undefined ? over(call) : { to: path };
}

async function confirm(
  dependencies: RouteDependencies,
  call: AskedPage,
  { paymentId, shownAmount }: { readonly paymentId: number; readonly shownAmount: string },
): Promise<PageAnswer> {
  const { tenant, path } = call;
  // An entry in the audit log; the confirmation has transactions of its own.
  await pageWrite(dependencies, call, () => Promise.resolve());
  const confirmed = await confirmWaiting(dependencies, dependencies, tenant.id, {
    paymentId,
    shownAmount,
    returnUrl: pageUrl(dependencies, tenant, path),
  });
  const again = (status: number, ...problems: readonly PageProblem[]) =>
    shownAgain(dependencies, call, { paymentId, status, problems });
  if (confirmed.is === 'moved') return again(409, formProblem('action.moved'));
  const place = await placeOfFound(dependencies, tenant, confirmed);
  if ('to' in place) return place;
  if ('clientSecret' in place) {
    return shownAgain(dependencies, call, { paymentId, status: 200, problems: [], ...place });
  }
  return place.is === 'over' ? { to: path } : again(503, formProblem('tryAgain'));
}
