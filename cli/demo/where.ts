/** Where to look after the demo: pages, the Web UI, mails, the documentation. */
import { text, type RestTarget, done } from '../rest.ts';
import type { Books } from './books.ts';
import { heading, pointTo } from './words.ts';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../../config.ts';
import { MAIL_FOLDER } from '../../providers/mail/open-mailer.ts';

export interface Demo {
  readonly target: RestTarget;
  /** By its own name, as a browser reaches it. */
  readonly tenantAddress: string;
  /** The system may send callbacks to this machine. */
  readonly hasReceiver: boolean;
  /** Of the Web UI's pages of workflows. */
  readonly workflowsAddress: string | undefined;
}

export async function showWhere(
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

/* Says where the mails to the demo's customers are. */

/** Nothing where a server sends them. */
function pointToMails(): void {
  const folder = join(loadConfig().dataDir, MAIL_FOLDER);
  const count = mailsIn(folder);
  if (count === 0) return;
  pointTo(`${count} mails to the customers, as files that any mail program opens:`, folder);
}

/** Those of all runs of the demo. */
function mailsIn(folder: string): number {
  try {
    return readdirSync(folder).filter((name) => /^demo\..*\.eml$/.test(name)).length;
  } catch {
    return 0;
  }
}

/* The demo's hosted pages: one on which a new customer orders and pays, and a customer's account. */

/** Of tenants/demo.yaml, which lets this site frame the pages, and be led to at their end. */
const SITE = 'https://www.demo.example';

/** Returns the address of the page, which takes an order for 30 minutes. */
async function startSignup(target: RestTarget): Promise<string> {
  const parameters = new URLSearchParams({
    successURL: `${SITE}/welcome`,
    failURL: `${SITE}/plans`,
    cssURL: '/css/signup.css',
    contractCode: 'GOLD',
    couponCode: 'WELCOME10',
    state: 'NY',
    country: 'US',
    format: 'xml',
  });
  return text(await done(target, 'GET', `/rest/signup/start?${parameters.toString()}`), 'url');
}

/** Returns the address of a customer's account, in which everything can be done, for 30 minutes. */
async function openAccount(target: RestTarget, customerId: string): Promise<string> {
  const parameters = new URLSearchParams({
    customerId,
    cssURL: '/css/signup.css',
    loginUrl: `${SITE}/login`,
    profile: 'FULL',
    format: 'xml',
  });
  return text(await done(target, 'GET', `/rest/widget/start?${parameters.toString()}`), 'url');
}
