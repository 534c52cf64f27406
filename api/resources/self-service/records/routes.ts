/** The pages that only show: statements, invoices, payments, and the documents of the latter two. */
import { invoicePage } from '../../../../domain/invoices/page.ts';
import { pdfNameOf } from '../../../../domain/invoices/pdf-name.ts';
import { receiptNameOf, receiptPage } from '../../../../domain/self-service/receipt.ts';
import { showsPart } from '../../../../domain/self-service/switches.ts';
import { statementPeriod } from '../../../../domain/self-service/statement-period.ts';
import { messages } from '../../../../messages/messages.ts';
import type { Tx } from '../../../../db/connection/tenancy.ts';
import {
  type DocumentChoice,
  readDocumentSource,
  readFrozenParties,
} from '../../../../operations/invoices/page-source.ts';
import {
  listAccountInvoices,
  readAccountInvoice,
} from '../../../../operations/self-service/invoices.ts';
import { isOfSession } from '../../../../operations/self-service/pay.ts';
import {
  listAccountPayments,
  readAccountPayment,
} from '../../../../operations/self-service/payments.ts';
import { readStatement } from '../../../../operations/self-service/statements.ts';
import { drawInvoice, drawReceipt } from '../../../../providers/invoice-documents/pdf/drawing.ts';
import type { PageAnswer } from '../../../calls/answer.ts';
import { unknownPage } from '../../../calls/page-route.ts';
import type { Route } from '../../../calls/route-types.ts';
import { type RouteDependencies, readingMore } from '../../../calls/services.ts';
import { gatewayScriptOf } from '../../../pages/gateway-fields.ts';
import { payerPlace } from '../../payer-action/place.ts';
import { partPage, switchedOff } from '../page/part-routes.ts';
import { type Visit, accountView, parameterOf, shown } from '../page/visit.ts';
import { beforeOf } from './list.ts';
import { renderInvoice, renderInvoices } from './render-invoices.ts';
import { hasReceipt, renderPayment, renderPayments } from './render-payments.ts';
import { renderStatement } from './render-statement.ts';

export function recordRoutes(dependencies: RouteDependencies): Route[] {
  return [
    partPage(dependencies, {
      path: '/statements',
      allows: (session) => showsPart('statements', session),
      show: showStatement,
    }),
    ...invoiceRoutes(dependencies),
    ...paymentRoutes(dependencies),
  ];
}

const reading = <Result>({ dependencies, call }: Visit, read: (tx: Tx) => Promise<Result>) =>
  readingMore(dependencies, call.tenant, read);

async function showStatement(visit: Visit): Promise<PageAnswer> {
  const { account, today } = visit;
  const asked = { from: parameterOf(visit, 'from'), to: parameterOf(visit, 'to') };
  const { period, faults: problems } = statementPeriod(asked, today);
  const view = accountView(visit);
  if (period === null) {
    return shown(visit, 400, renderStatement({ ...view, asked, problems, shown: null }));
  }
  const before = beforeOf(parameterOf(visit, 'before'));
  const { customerId, currency } = account;
  const statement = await reading(visit, (tx) =>
    readStatement(tx, { customerId, currency, ...period, before }),
  );
  const isContinued = before !== null;
  const html = renderStatement({
    ...view,
    asked: period,
    problems: [],
    shown: { ...statement, period, isContinued },
  });
  return shown(visit, 200, html);
}

function invoiceRoutes(dependencies: RouteDependencies): Route[] {
  return [
    partPage(dependencies, {
      path: '/invoices',
      allows: (session) => showsPart('invoices', session),
      async show(visit) {
        const { account, today } = visit;
        const before = beforeOf(parameterOf(visit, 'before'));
        const list = await reading(visit, (tx) =>
          listAccountInvoices(tx, account.customerId, before),
        );
        const html = renderInvoices({ ...accountView(visit), ...list, before, today });
        return shown(visit, 200, html);
      },
    }),
    partPage(dependencies, {
      path: '/invoices/:id',
      allows: (session) => showsPart('invoices', session) && !session.pdfMode,
      async show(visit) {
        const { listed, document } = await readDocument(visit);
        return shown(visit, 200, renderInvoice({ ...accountView(visit), listed, document }));
      },
    }),
    invoiceFile(dependencies, '/invoices/:id.pdf'),
    invoiceFile(dependencies, '/invoices/:id/cancellation.pdf', 'cancellation'),
  ];
}

function invoiceFile(
  dependencies: RouteDependencies,
  path: string,
  which?: DocumentChoice['document'],
): Route {
  return partPage(dependencies, {
    path,
    allows: (session) => showsPart('invoices', session),
    async show(visit) {
      const { document } = await readDocument(visit, which);
      const file = await drawInvoice(document, String(visit.call.tenant.id));
      return { file, type: 'application/pdf', name: pdfNameOf(document) };
    },
  });
}

async function readDocument(visit: Visit, document?: DocumentChoice['document']) {
  const { call, account } = visit;
  const { id, tenant } = call;
  const { listed, source } = await reading(visit, async (tx) => {
    const invoice = await readAccountInvoice(tx, { customerId: account.customerId, id });
    if (invoice === undefined) throw unknownPage();
    const choice = { address: { id }, document };
    return { listed: invoice, source: await readDocumentSource(tx, tenant, choice) };
  });
  if (source === undefined) throw unknownPage();
  return { listed, document: invoicePage(source, messages) };
}

function paymentRoutes(dependencies: RouteDependencies): Route[] {
  return [
    partPage(dependencies, {
      path: '/payments',
      allows: (session) => showsPart('payments', session),
      async show(visit) {
        const before = beforeOf(parameterOf(visit, 'before'));
        const list = await reading(visit, (tx) =>
          listAccountPayments(tx, visit.account.customerId, before),
        );
        return shown(visit, 200, renderPayments({ ...accountView(visit), ...list, before }));
      },
    }),
    partPage(dependencies, {
      path: '/payments/:id',
      allows: () => true,
      async show(visit) {
        const own = await shownPayment(visit);
        if ('to' in own) return own;
        const { payment, isOwn } = own;
        // Whoever has just paid sees that it worked; the receipt itself is PDF only.
        if (visit.session.pdfMode && hasReceipt(payment) && !isOwn) throw switchedOff();
        const page = shown(visit, 200, renderPayment({ ...accountView(visit), ...own }));
        return own.challenge === null ? page : { ...page, ...gatewayScriptOf(visit.call.tenant) };
      },
    }),
    partPage(dependencies, {
      path: '/payments/:id.pdf',
      allows: () => true,
      async show(visit) {
        const { tenant } = visit.call;
        const source = await reading(visit, async (tx) => {
          const { payment } = await readShownPayment(tx, visit);
          if (!hasReceipt(payment)) throw unknownPage();
          return { payment, ...(await readFrozenParties(tx, payment, 'payment')) };
        });
        const page = receiptPage(source, messages);
        const file = await drawReceipt(page, String(tenant.id));
        return { file, type: 'application/pdf', name: receiptNameOf(page) };
      },
    }),
  ];
}

/** The payer of its own payment is led on if the gateway asks for him, and comes back here. */
async function shownPayment(visit: Visit) {
  const { dependencies, call } = visit;
  const first = await reading(visit, (tx) => readShownPayment(tx, visit));
  const { isOwn, payment } = first;
  const isAsked = payment.status === 'ActionRequired' && payment.isPayerPresent;
  if (!isAsked || !isOwn) return { ...first, challenge: null };
  const place = await payerPlace(dependencies, call.tenant, payment.id);
  if ('to' in place) return place;
  const { tenant, path: to } = call;
  if ('clientSecret' in place) return { ...first, challenge: { ...place, tenant, to } };
  return { ...(await reading(visit, (tx) => readShownPayment(tx, visit))), challenge: null };
}

/** A session that shows no payments still shows its own. */
async function readShownPayment(tx: Tx, { session, account, call }: Visit) {
  const { customerId } = account;
  const payment = await readAccountPayment(tx, { customerId, id: call.id });
  const isOwn =
    payment !== undefined &&
    (await isOfSession(tx, { sessionId: session.id, paymentId: payment.cascadeId }));
  if (!isOwn && !showsPart('payments', session)) throw switchedOff();
  if (payment === undefined) throw unknownPage();
  return { payment, isOwn };
}
