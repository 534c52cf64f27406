/** Shows the first page of an account: what the customer has, what it pays next, and what is open. */
import { showsPart } from '../../../../domain/self-service/switches.ts';
import { readHome } from '../../../../operations/self-service/home.ts';
import { readMethods } from '../../../../operations/payment-methods/methods-on-file.ts';
import { readNextBill } from '../../../../operations/self-service/next-bill.ts';
import { listOwnOrders } from '../../../../operations/self-service/orders-own.ts';
import type { PageAnswer } from '../../../calls/answer.ts';
import { readingMore } from '../../../calls/services.ts';
import { accountView, shown, type Visit } from '../page/visit.ts';
import { renderHome } from './render.ts';

export async function showHome(visit: Visit): Promise<PageAnswer> {
  const { dependencies, call, account, session, today } = visit;
  const { customerId } = account;
  const { tenant } = call;
  const read = await readingMore(dependencies, tenant, async (tx) => ({
    ...(await readHome(tx, account, today)),
    ...(await listOwnOrders(dependencies, { tx, customerId, today })),
    methods: await readMethods(tx, customerId),
  }));
  const { balances, invoices, orders, methods } = read;
  const nextBill = await readNextBill(dependencies, tenant, { customerId, orders, methods });
  const html = renderHome({
    ...accountView(visit),
    today,
    balances,
    invoices: showsPart('invoices', session) ? invoices : null,
    orders,
    nextBill,
  });
  return shown(visit, 200, html);
}
