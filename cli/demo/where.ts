/** Where to look after the demo: pages, the Web UI, mails, the documentation. */
import { text, type RestTarget } from '../rest.ts';
import type { Books } from './books.ts';
import { pointToMails } from './mails.ts';
import { openAccount, startSignup } from './pages.ts';
import { heading, pointTo } from './words.ts';

export interface Demo {
  readonly target: RestTarget;
  /** By its own name, as a browser reaches it. */
  readonly tenantAddress: string;
  /** The system may send callbacks to this machine. */
  readonly hasReceiver: boolean;
  /** Of the Web UI's pages of workflows. */
  readonly workflowsAddress: string | undefined;
}

export async function tellWhere(
  { target, tenantAddress, workflowsAddress }: Demo,
  books: readonly Books[],
): Promise<void> {
  const [first] = books;
  const invoice = first?.invoices.at(-1);
  const order = first?.customer.orders[0];
  heading('Where to look');
  if (invoice !== undefined) {
    const credentials = `user ${target.username}, password ${target.password}`;
    pointTo(
      `Invoice ${text(invoice, 'invoiceNumber')} as a page (${credentials}):`,
      `${tenantAddress}/rest/invoice/${text(invoice, '@id')}?format=html`,
    );
  }
  if (workflowsAddress !== undefined && order) {
    pointTo(
      `Order ${order.orderNumber} in the Temporal Web UI, with what comes next:`,
      `${workflowsAddress}/${encodeURIComponent(`order/demo/${order.id}`)}`,
    );
  }
  pointTo(
    'A page to sign up on, open for 30 minutes (card 4111 1111 1111 1111, any code, a later month):',
    await startSignup(target),
  );
  const debtor = books.find(({ balance }) => Number(balance) > 0) ?? first;
  if (debtor !== undefined) {
    pointTo(
      `The account of ${debtor.customer.name}, who can pay, change orders and more:`,
      await openAccount(target, debtor.customer.id),
    );
  }
  pointToMails();
  pointTo('Every call, with an example:', `${target.apiUrl}/docs`);
  pointTo('The next four months:', 'npm run demo');
}
