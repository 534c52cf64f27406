/** The page on which the sandbox asks a payer: it stands for that of a bank. */
import { localeOf } from '../../../domain/invoices/formats.ts';
import { DEFAULT_STYLESHEET } from '../../../domain/hosted-pages/address.ts';
import {
  sandboxChallenges,
  type ShownChallenge,
} from '../../../providers/gateway/sandbox/challenges.ts';
import type { PageAnswer } from '../../calls/answer.ts';
import { formRoute, pageRoute, tokenOf, unknownPage } from '../../calls/page-route.ts';
import type { Route } from '../../calls/route-types.ts';
import type { RouteDependencies } from '../../calls/services.ts';
import { senderOf } from '../../pages/sender.ts';
import { pageForm, type AskedPage } from '../page-writes.ts';
import { renderChallenge } from './render.ts';

const PATH = '/sandbox/:token';
const FORM = 'challenge';

export function sandboxPageRoutes(dependencies: RouteDependencies): Route[] {
  const challenges = sandboxChallenges(dependencies.db, dependencies.vault);
  return [
    pageRoute({
      path: PATH,
      async handler(call) {
        const shown = await challenges.read(call.tenant.id, tokenIn(call));
        if (shown === undefined) throw unknownPage();
        return page(dependencies, call, shown);
      },
    }),
    formRoute(dependencies.formKeys, {
      path: PATH,
      forms: [FORM],
      async handler(call) {
        const token = tokenIn(call);
        if ((await challenges.read(call.tenant.id, token)) === undefined) throw unknownPage();
        const { fields } = await call.form();
        const answer = fields.get('answer') === 'confirm' ? 'confirm' : 'refuse';
        const answered = await challenges.answer(call.tenant.id, token, answer);
        if (answered === undefined) throw unknownPage();
        return { to: answered.returnUrl };
      },
    }),
  ];
}

function tokenIn(call: AskedPage | Parameters<typeof tokenOf>[0]): string {
  const token = tokenOf(call);
  if (!/^[\w-]{43}$/.test(token)) throw unknownPage();
  return token;
}

function page(
  dependencies: RouteDependencies,
  call: AskedPage,
  { isOver, ...shown }: ShownChallenge,
): PageAnswer {
  const { tenant, locale } = call;
  const html = renderChallenge({
    locale: localeOf(locale, null),
    ...senderOf(tenant),
    cssUrl: DEFAULT_STYLESHEET,
    ...shown,
    form: isOver ? null : pageForm(dependencies, call, { form: FORM }),
  });
  return { status: 200, html, cssUrl: DEFAULT_STYLESHEET, leadsTo: [] };
}
