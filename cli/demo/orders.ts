/** Shows what the demo's customers order, and when each order is billed. */
import type { MadeCustomer } from './cast.ts';
import { heading, say, strong, table, explain } from './words.ts';

export function showOrders(customers: readonly MadeCustomer[]): void {
  heading('Seven customers order');
  for (const { name, story } of customers) explain(`${strong(name)} ${story}.`);
  say('');
  explain(
    'An order that is due on its first day is billed at the next 00:00 of the tenant’s day, so ' +
      'that orders made one after the other share their invoice. Hence the first invoices are ' +
      'dated a day later. With generateInvoice=true they would be made at once.',
  );
  say('');
  const rows = customers.flatMap(({ name, orders }) =>
    orders.map((order) => [
      order.orderNumber,
      name,
      order.plan,
      order.startDate,
      order.nextBillableDate,
    ]),
  );
  const titles = ['Order', 'Customer', 'Plan', 'Starts', 'Next billed'];
  say(
    ...table(
      titles.map((title) => ({ title })),
      rows,
    ),
    '',
  );
  const reasons = new Map(
    customers.flatMap(({ orders }) => orders.map(({ plan, why }) => [plan, why] as const)),
  );
  for (const [plan, why] of reasons) explain(`${strong(plan)} is ${why}.`);
}
