/** The calls of the interface as the documentation names them: addresses of pages, titles. */
import { callersOf } from '../../domain/access/rights.ts';
import type { XmlRoute } from '../calls/route-types.ts';
import { templated } from './schemas.ts';

type Named = Pick<XmlRoute, 'method' | 'path' | 'selection'>;

/** An object of a list whose address is a call itself: `/commissionPlans/:id`. */
const OF_LIST = /^\/\w+s\/:id$/;

/**
 * `GET /customer/:id/billingContact` → `get-customer-billing-contact`. The forms of a call, which address
 * the same object by its id or by a parameter, have one name, and one page.
 */
export const slugOf = ({ method, path, selection }: Named): string =>
  formSlugOf({ method, path: OF_LIST.test(path) ? path : path.replace('/:id', ''), selection });

/** The name of one form: `get-customer-id-billing-contact`. */
export function formSlugOf({ method, path, selection: { values } }: Named): string {
  return [method, ...path.split('/'), values[0] ?? '']
    .map((word) =>
      word
        .replace(':', '')
        .replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-')
        .toLowerCase(),
    )
    .filter(Boolean)
    .join('-');
}

/** Below `/docs`: where the examples of a form belong; each form has a customer of its own. */
export const formPageOf = (route: Named): string => `calls/${formSlugOf(route)}`;

export const hrefOf = (route: Named): string => `/docs/calls/${slugOf(route)}`;

/** A call of the documentation: the forms in which it can be made, that by id first. */
export interface Call {
  readonly href: string;
  readonly forms: readonly [XmlRoute, ...XmlRoute[]];
}

export function callsIn(routes: readonly XmlRoute[]): Call[] {
  const byHref = new Map<string, Call>();
  for (const route of routes) {
    const href = hrefOf(route);
    const known = byHref.get(href);
    if (known === undefined) byHref.set(href, { href, forms: [route] });
    else {
      const [first, ...others] = known.forms;
      const isById = route.path.includes('/:id');
      const forms = isById ? [route, first, ...others] : [first, ...others, route];
      byHref.set(href, { href, forms: forms as [XmlRoute, ...XmlRoute[]] });
    }
  }
  return [...byHref.values()];
}

/**
 * The parameter that selects the call. Customer calls document an action as `actionName`, others as
 * `action`; every call accepts both.
 */
export function selectorOf({ path, selection: { names } }: Omit<Named, 'method'>): string {
  const isCustomers = path.startsWith('/customer') && names.includes('actionName');
  return isCustomers ? 'actionName' : (names[0] ?? '');
}

/** `/order/{id}?action=suspend`. */
export function addressOf(route: Omit<Named, 'method'>): string {
  const [first] = route.selection.values;
  return templated(route.path) + (first === undefined ? '' : `?${selectorOf(route)}=${first}`);
}

/** Who may call it, in Markdown; the guide `users-and-rights` says what rights are. */
export const rightInWords = ({ right }: Pick<XmlRoute, 'right'>): string =>
  `Only ${callersOf[right]} may make this call.`;

/** The summary; calls that share one are told apart by their methods. */
export function titleOf({ forms: [first] }: Call, all: readonly Call[]): string {
  const isAlone = all.every(
    ({ forms: [other] }) => other === first || other.summary !== first.summary,
  );
  return isAlone ? first.summary : `${first.summary} (with ${first.method})`;
}

/** How a form names its object, as a parameter of the query. */
export function nameOfForm({ path, query }: XmlRoute): string {
  if (path.includes('/:id')) return 'by id';
  const named = Object.keys(query.shape);
  if (named.includes('orderNumber')) return 'by order number';
  if (named.includes('invoiceNumber')) return 'by invoice number';
  if (named.includes('contractCode')) return 'by code';
  return named.includes('extRefId') ? 'by your reference' : 'by external reference';
}
