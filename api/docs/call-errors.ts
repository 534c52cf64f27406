/** Which error codes a call may answer with: those of its subject, and those of every such call. */
import type { XmlRoute } from '../calls/route-types.ts';
import { addressOf } from './calls.ts';
import { type CatalogueEntry, errorCatalogue } from './errors.ts';
import type { z } from 'zod';
import { statusCodec } from '../calls/status-schema.ts';

interface Rule {
  readonly codes: readonly string[];
  /** Of the method and the address: `POST /order/{id}?action=suspend`. */
  readonly calls: RegExp;
}

/** Calls that bill what is due, or can be asked to. */
const BILLING =
  /^POST \/(orders(?!\S*rateOrder)|changeOrder|payments|customers\?actionName=add|order\S*generateInvoice)/;
/** Calls that rate what is due. */
const RATING = new RegExp(String.raw`${BILLING.source}|^GET /customer\S*/nextInvoice`);
/** Calls that ask the tenant's tax provider, if it has one. */
const TAXING = new RegExp(
  String.raw`${RATING.source}|^GET /quote|^POST /orders\S*rateOrder|^POST /invoices`,
);
/** Calls that read the lines of an order. */
const ORDER_BODIES = /^(POST \/(orders|changeOrder)|POST \/customers\?actionName=add|PUT \/order)/;
/** Calls that price an order: those, and quotes. */
const PRICING = new RegExp(String.raw`${ORDER_BODIES.source}|^GET /(quote|signup/start)`);
const NOTIFICATION = /^POST \/customers\/notification$/;
const MONEY_IN_OR_OUT = /^POST \/(payments|credits|refunds)/;

/** A code without a rule belongs to the calls of its protocol, see `isOfProtocol`. */
const rules: readonly Rule[] = [
  { codes: ['billing.amountTooLarge', 'customer.billedApart', 'customer.held'], calls: RATING },
  { codes: ['tax.refused', 'tax.unavailable'], calls: TAXING },
  { codes: ['order.notBillable'], calls: BILLING },
  { codes: ['order.tooManyPeriods'], calls: PRICING },
  {
    codes: [
      'coupon.unknown',
      'coupon.notValid',
      'coupon.plan',
      'coupon.currency',
      'coupon.usedUp',
      'coupon.usedByCustomer',
    ],
    calls: PRICING,
  },
  {
    codes: ['quote.moved'],
    calls: /^POST \/(orders(?!\S*rateOrder)|changeOrder|customers\?actionName=add)/,
  },
  {
    codes: ['address.invalid', 'address.notValidated'],
    calls:
      /^(POST \/customers$|PUT \/customer(\/{id})?$|POST \S*updateCustomerRest|(POST|PUT) \S*Contact$)/,
  },
  {
    codes: [
      'activity.tooMany',
      'activity.reference',
      'activity.noMatch',
      'activity.severalMatches',
      'activity.notTaken',
      'activity.outsideTerm',
      'activity.refTaken',
      'activity.correction',
    ],
    calls: /^POST \S*\/activities/,
  },
  {
    codes: ['activity.billed', 'activity.corrected', 'activity.unknown'],
    calls: /^DELETE \/activity/,
  },
  { codes: ['batch.unknown'], calls: /batchProcess(?!\S*BatchInit)/ },
  { codes: ['batch.duplicate'], calls: /^POST \/batchProcess/ },
  { codes: ['batch.noFile', 'batch.child'], calls: /^PUT \/batchProcess/ },
  { codes: ['batch.notDraft'], calls: /^DELETE \/batchProcess/ },
  // Of the addresses of files, which are no calls.
  { codes: ['file.forged', 'file.expired', 'file.used', 'file.missing'], calls: /^$/ },
  // Of the rows of a file: its result has them.
  {
    codes: [
      'import.cells',
      'import.dependent',
      'import.failed',
      'import.repeated',
      'invoice.numberTaken',
    ],
    calls: /^$/,
  },
  {
    codes: ['contact.usernameTaken'],
    calls:
      /^(POST \/customers|PUT \/customer(\/{id})?$|POST \S*updateCustomerRest|(POST|PUT) \S*Contact$|GET \/signup\/start)/,
  },
  { codes: ['contact.exists'], calls: /^POST \S*salesContact/ },
  // Only for operators, by the Update of a workflow.
  { codes: ['callbacks.unknown', 'update.refused'], calls: /^$/ },
  { codes: ['contact.unknown'], calls: /^(GET|PUT|DELETE) \S*(sales|billing)Contact/ },
  { codes: ['customer.inUse'], calls: /^DELETE \/customer(\/{id})?$/ },
  { codes: ['customer.inactive'], calls: ORDER_BODIES },
  {
    codes: ['customer.refTaken'],
    calls: /^(POST \/customers|PUT \/customer(\/{id})?$|POST \S*updateCustomerRest)/,
  },
  {
    codes: ['customer.unknown'],
    calls: new RegExp(
      String.raw`^(\w+ /customer(/|\?|$)|\w+ /customers\S*paymentPlan` +
        String.raw`|POST /(orders|invoices|payments|credits|refunds|\S*notification)|GET /widget/start)`,
    ),
  },
  { codes: ['user.unknown', 'user.self'], calls: /^POST \/user/ },
  { codes: ['event.unknown'], calls: /^POST \/events/ },
  { codes: ['report.unknown'], calls: /^(GET|POST) \/report/ },
  { codes: ['report.tooLarge'], calls: /^GET \/report/ },
  { codes: ['field.notEditable'], calls: /^(PUT \/(order|customer)|POST \S*updateCustomerRest)/ },
  { codes: ['invoice.credited', 'invoice.notCancellable'], calls: /^DELETE \/invoice/ },
  {
    codes: ['creditNote.nothingLeft', 'creditNote.tooHigh', 'invoice.notCreditable'],
    calls: /^POST \/(invoice\S*creditNote|refunds)/,
  },
  { codes: ['invoice.notPayable'], calls: /^GET \/invoice\S*payLink/ },
  { codes: ['invoice.unknown'], calls: /^(\w+ \/invoice(\/|$)|POST \S*\/notification)/ },
  {
    codes: ['metadata.tooMany'],
    calls: new RegExp(
      String.raw`${ORDER_BODIES.source}|^(POST \/(customers|invoices|payments|credits|refunds)(?!\S*(notification|addresses))|PUT \/customer(\/{id})?$|PUT \S*\/metadata|POST \S*updateCustomerRest)`,
    ),
  },
  { codes: ['list.tooLarge'], calls: /^GET \/(orders|invoices)$/ },
  { codes: ['notification.otherCustomer'], calls: NOTIFICATION },
  { codes: ['order.notEditable'], calls: /^PUT \/order/ },
  { codes: ['order.billed', 'order.notChangeable'], calls: /^POST \/changeOrder/ },
  { codes: ['order.changePending'], calls: /^POST \/(changeOrder|order\S*=cancel)/ },
  { codes: ['order.notEnding'], calls: /^POST \/order\S*=keep/ },
  {
    codes: ['order.priceMissing', 'order.priceTooHigh', 'order.unitPriceMissing'],
    calls: PRICING,
  },
  { codes: ['plan.retired', 'quantity.outOfRange'], calls: PRICING },
  { codes: ['priceCode.unknown'], calls: ORDER_BODIES },
  {
    codes: ['order.transition'],
    calls: /^(PUT \/order|POST \/order\S*=(suspend|activate|cancel))/,
  },
  {
    codes: ['order.unknown'],
    calls: /^(\w+ \/order(\/|\?|$)|POST \/changeOrder|POST \S*\/notification)/,
  },
  {
    codes: ['payment.currency', 'payment.date', 'payment.invoice'],
    calls: MONEY_IN_OR_OUT,
  },
  { codes: ['payment.invoice', 'paymentMethod.unknown'], calls: /^POST \/invoice\S*=retry/ },
  {
    codes: ['payment.amount'],
    calls: /^(POST \/(payments|credits|refunds)|(POST|PUT) \S*paymentPlan)/,
  },
  { codes: ['payment.method'], calls: /^(POST \/(payments|refunds)|(PUT|POST) \S*autopay)/ },
  {
    codes: ['payment.rawCard'],
    calls: /^(POST \/(payments|refunds)$|(PUT|POST) \/customer\S*autopay(?!\S*=reorder))/,
  },
  { codes: ['payment.notCancellable'], calls: /^DELETE \/payment/ },
  { codes: ['payment.noAction'], calls: /^GET \/payment\S*actionLink/ },
  { codes: ['payment.refundTooHigh'], calls: /^POST \/refunds/ },
  {
    codes: ['payment.unknown'],
    calls: /^(\w+ \/(payment|credit|refund)\/{id}|POST \S*\/notification)/,
  },
  { codes: ['paymentPlan.exists'], calls: /^POST \S*paymentPlan/ },
  { codes: ['paymentPlan.ended'], calls: /^PUT \S*paymentPlan/ },
  { codes: ['paymentPlan.unknown'], calls: /^(GET|PUT|DELETE) \S*paymentPlan/ },
  {
    codes: ['paymentMethod.declined', 'paymentMethod.actionRequired'],
    calls: /^(PUT|POST) \S*autopay/,
  },
  {
    codes: ['paymentMethod.unknown'],
    calls: /^(POST \/(payments|refunds)|DELETE \S*autopay)/,
  },
  {
    codes: ['plan.unknown'],
    calls: /^(\w+ \/plan(\/|$)|GET \/(quote|signup\/start)|POST \/orders|POST \S*=add|PUT \/order)/,
  },
  { codes: ['signup.unknown'], calls: /^GET \/signup\/verify/ },
  // Of the page, which is no call.
  { codes: ['card.tooManyDeclines'], calls: /^$/ },
  { codes: ['testClock.backwards', 'testClock.tooFar'], calls: /^POST \/testClock/ },
  { codes: ['testClock.unknown'], calls: /testClock/ },
  { codes: ['testClock.advancing'], calls: /^POST \/testClock/ },
];

const ruled = new Map(rules.flatMap(({ codes, calls }) => codes.map((code) => [code, calls])));

export interface CallErrors {
  /** Of the call's own subject. */
  readonly own: readonly CatalogueEntry[];
  /** Of every call of its kind: access, parameters, documents, the service. */
  readonly shared: readonly CatalogueEntry[];
}

export function errorsOfCall(route: XmlRoute): CallErrors {
  const call = `${route.method} ${addressOf(route)}`;
  const entries = errorCatalogue();
  return {
    own: entries.filter(({ code }) => ruled.get(code)?.test(call) ?? false),
    shared: entries.filter(({ code }) => !ruled.has(code) && isOfProtocol(code, route)),
  };
}

function isOfProtocol(code: string, route: XmlRoute): boolean {
  const { isWrite, path, request, isConditional, parameterErrors } = route;
  const [subject = ''] = code.split('.');
  if (parameterErrors.some((each) => each === code)) return true;
  if (['document', 'attribute', 'field'].includes(subject)) return request !== undefined;
  if (subject === 'request') return request !== undefined;
  if (subject === 'idempotency' || code === 'service.outcomeUnknown') return isWrite;
  if (code === 'object.changed') return isConditional;
  if (code === 'object.notFound') return path.includes('/:id');
  return true;
}

/* The statuses of a call's successes, and the documents that it answers with each. */

/** The schemas of the documents by status. */
export type Successes = Readonly<Record<number, readonly z.ZodType[]>>;

export function successesOf({
  status,
  otherStatus,
  validatesAddresses,
  response,
}: XmlRoute): Successes {
  const others = response.others ?? [];
  const shared = [response, ...others.filter((other) => other.status === undefined)];
  const at = (code: number): readonly z.ZodType[] => {
    const only = others.filter((other) => other.status === code);
    return (only.length > 0 ? only : shared).map(({ schema }) => schema);
  };
  const own = at(status);
  const usual = {
    [status]: own,
    ...(otherStatus === undefined ? {} : { [otherStatus]: at(otherStatus) }),
  };
  if (!validatesAddresses) return usual;
  return { ...usual, 200: own, 201: [...(usual[201] ?? []), statusCodec.schema] };
}
