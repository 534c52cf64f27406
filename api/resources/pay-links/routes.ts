/** The page by which whoever has its link pays one invoice, its document, and its form. */
import { invoicePage } from '../../../domain/invoices/page.ts';
import { pdfNameOf } from '../../../domain/invoices/pdf-name.ts';
import { messages } from '../../../messages/messages.ts';
import { isOfLink, readLinkedDocument } from '../../../operations/pay-links/page.ts';
import { PayRefused } from '../../../operations/self-service/card-limits.ts';
import {
  paymentOfForm,
  refuseUnpayable,
  type ToCharge,
} from '../../../operations/self-service/pay.ts';
import { drawInvoice } from '../../../providers/invoice-documents/pdf/drawing.ts';
import type { PageAnswer } from '../../calls/answer.ts';
import { formRoute, pageRoute, type SubmittedForm, unknownPage } from '../../calls/page-route.ts';
import type { Route } from '../../calls/route-types.ts';
import { readingMore, type RouteDependencies } from '../../calls/services.ts';
import { noting } from '../../pages/form.ts';
import { readNewMethod } from '../../pages/new-method.ts';
import { formProblem, type ProblemKey } from '../../pages/view.ts';
import { pageWrite, tooManyCards } from '../page-writes.ts';
import { payOnPage } from '../payment-methods/page-payment.ts';
import { tryCard } from '../payment-methods/try-card.ts';
import { switchedOff } from '../self-service/page/part-routes.ts';
import { shownTotal, takenIn } from '../self-service/pay/pay-form.ts';
import { FORM, showLinked } from './show.ts';
import { type LinkVisit, linkVisitOf } from './visit.ts';

const PATH = '/pay/:token';

export function payLinkPageRoutes(dependencies: RouteDependencies): Route[] {
  return [
    pageRoute({
      path: PATH,
      async handler(call) {
        const visit = await linkVisitOf(dependencies, call);
        return 'html' in visit ? visit : showLinked(visit, { status: 200, problems: [] });
      },
    }),
    pageRoute({
      path: `${PATH}.pdf`,
      async handler(call) {
        const visit = await linkVisitOf(dependencies, call);
        return 'html' in visit ? visit : documentOf(visit);
      },
    }),
    formRoute(dependencies.formKeys, {
      path: PATH,
      forms: [FORM],
      waitsForOthers: true,
      async handler(call) {
        const visit = await linkVisitOf(dependencies, call);
        if ('html' in visit) return visit;
        if (!visit.switches.allowPayments) throw switchedOff();
        return takePay(visit, await call.form());
      },
    }),
  ];
}

async function documentOf({ dependencies, call, linked }: LinkVisit): Promise<PageAnswer> {
  const { tenant } = call;
  const source = await readingMore(dependencies, tenant, (tx) =>
    readLinkedDocument(tx, tenant, linked.invoiceId),
  );
  if (source === undefined) throw unknownPage();
  const page = invoicePage(source, messages);
  const file = await drawInvoice(page, String(tenant.id));
  return { file, type: 'application/pdf', name: pdfNameOf(page) };
}

/*
 * Takes the form that pays: it is checked, the card goes to the vault, and one transaction makes the
 * payment, which its workflow charges.
 */

async function takePay(visit: LinkVisit, form: SubmittedForm): Promise<PageAnswer> {
  const again = (status: number, key: ProblemKey) =>
    showLinked(visit, { status, problems: [formProblem(key)], typed: form.fields });
  const { call, linked, payer, today } = visit;
  const charge: ToCharge = {
    payer,
    ownerId: linked.customerId,
    ids: [linked.invoiceId],
    isShown: (invoices) => shownTotal(invoices) === form.shown,
  };
  try {
    const before = await madeBefore(visit, form, charge);
    if (before !== undefined) return { to: addressOf(visit, before) };
    const { problems, refuse } = noting();
    const { tenant } = call;
    const taken = takenIn(visit, linked.currency);
    const method = readNewMethod(form.fields, { tenant, today, taken }, refuse);
    if (problems.length > 0) {
      return await showLinked(visit, { status: 400, problems, typed: form.fields });
    }
    const tried = await tryCard(visit, { key: `payLink/${linked.invoiceId}/${form.id}`, method });
    if ('problem' in tried) {
      const { status, problem } = tried;
      return await showLinked(visit, { status, problems: [problem], typed: form.fields });
    }
    return await payOnPage(
      visit,
      {
        ...charge,
        formKey: form.id,
        method: { by: 'vaulted', ...tried.method, saveAs: null },
      },
      {
        store: (operation, options) => pageWrite(visit.dependencies, call, operation, options),
        addressOf: (paymentId) => addressOf(visit, paymentId),
      },
    );
  } catch (error) {
    if (!(error instanceof PayRefused)) throw tooManyCards(error);
    const { payingId } = error;
    if (payingId === null) return again(409, 'invoices.moved');
    const { invoiceId } = linked;
    const isOfPage = await readingMore(visit.dependencies, call.tenant, (tx) =>
      isOfLink(tx, { invoiceId, paymentId: payingId }),
    );
    return isOfPage ? { to: addressOf(visit, payingId) } : again(409, 'invoices.underWay');
  }
}

/** What a form says is worth nothing if it comes too late: so it calls nobody before this look. */
function madeBefore(
  { dependencies, call, now }: LinkVisit,
  { id }: SubmittedForm,
  charge: ToCharge,
): Promise<number | undefined> {
  return readingMore(dependencies, call.tenant, async (tx) => {
    const paymentId = await paymentOfForm(tx, id);
    if (paymentId === undefined) await refuseUnpayable({ tx, realNow: now }, charge);
    return paymentId;
  });
}

const addressOf = ({ call: { path } }: LinkVisit, paymentId: number): string =>
  `${path}?payment=${paymentId}`;
