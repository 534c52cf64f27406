/** The calls of the interface as the documentation names them: addresses of pages, titles. */
import { callersOf } from '../../domain/access/rights.ts';
import type { XmlRoute } from '../calls/route-types.ts';
import { templated } from './schemas.ts';

type Named = Pick<XmlRoute, 'method' | 'path' | 'selection'>;

/** `GET /customer/:id/billingContact` → `get-customer-id-billing-contact`. */
export function slugOf({ method, path, selection: { values } }: Named): string {
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

/** Below `/docs`. */
export const pageOf = (route: XmlRoute): string => `calls/${slugOf(route)}`;

export const hrefOf = (route: XmlRoute): string => `/docs/${pageOf(route)}`;

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

/** The summary; calls that share one are told apart by what addresses the object, or the method. */
export function titleOf(route: XmlRoute, all: readonly XmlRoute[]): string {
  const alike = all.filter(({ summary }) => summary === route.summary);
  if (alike.length === 1) return route.summary;
  const forms = new Set(alike.map(formOf));
  const methods = new Set(alike.map(({ method }) => method));
  const marks = [
    ...(forms.size > 1 ? [formOf(route)] : []),
    ...(methods.size > 1 ? [`with ${route.method}`] : []),
  ];
  return `${route.summary} (${marks.join(', ')})`;
}

function formOf({ path, query }: XmlRoute): string {
  if (path.includes('/:id')) return 'by id';
  const named = Object.keys(query.shape);
  if (named.includes('orderNumber')) return 'by order number';
  return named.includes('invoiceNumber') ? 'by invoice number' : 'by external reference';
}
