/** Where a form of orders leads: to what is open to be paid, or to the list with what was done. */
import type { OpenInvoices } from '../../../../operations/self-service/orders-own.ts';
import { showsPart } from '../../../../domain/self-service/switches.ts';
import type { LedElsewhere } from '../../../calls/answer.ts';
import { partAddress } from '../page/account.ts';
import type { Visit } from '../page/visit.ts';
import type { Doing } from './views.ts';

/** More of them make an address too long: the page to pay then offers all that is open. */
const NAMED_MAX = 50;

export function leadOf(
  { home, session }: Visit,
  done: Doing,
  open: OpenInvoices | null,
): LedElsewhere {
  if (open === null || !showsPart('pay', session)) {
    return { to: `${partAddress(home, 'orders')}?done=${done}` };
  }
  const query = new URLSearchParams({ currency: open.currency, done });
  if (open.ids.length <= NAMED_MAX) for (const id of open.ids) query.append('invoice', String(id));
  return { to: `${partAddress(home, 'pay')}?${query.toString()}` };
}
