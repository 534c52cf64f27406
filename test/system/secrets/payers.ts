/**
 * Payers on the pages of links: they enter accounts that are debited, right and wrong ones, and a
 * gateway with client secrets asks them.
 */
import type { Database } from '../../../db/connection/database.ts';
import { amount, idOf, pay, token } from '../../api/payments/bodies.ts';
import { formIn, type Fields } from '../../api/self-service/pay-calls.ts';
import { keyIn, submit, visit } from '../../api/signups/page-calls.ts';
import type { Received } from '../../api/support.ts';
import { valueOf } from '../../api/tenant-api.ts';
import type { StripeDouble } from '../../support/stripe/double.ts';
import type { Parts } from '../crash/parts.ts';
import { type Till, openTill } from '../crash/till.ts';
import { debited } from './calls.ts';
import type { Visited } from './pages.ts';
import type { Place } from './places.ts';

const ASKING = '4000002760003184';
const SHOWN = /clientSecret&quot;:&quot;([^&]+)/;

export interface VisitedByPayers extends Visited {
  readonly tenantIds: readonly number[];
}

/** @param double Stripe, of a third tenant; the others have the sandbox, in euros and in dollars */
export async function payByLinks(
  parts: Parts,
  db: Database,
  double: StripeDouble,
): Promise<VisitedByPayers> {
  const port = Number(new URL(parts.apiUrl).port);
  const answers: Place[] = [];
  const statuses = new Set<number>();
  const tokens: string[] = [];
  const note = (where: string, received: Received): Received => {
    statuses.add(received.status);
    answers.push([`link ${where}`, JSON.stringify(received.headers) + received.body]);
    return received;
  };
  /** Of a link that a call has made. */
  const pathOf = ({ body }: Received): string => {
    const { pathname } = new URL(valueOf(body, 'url') ?? body);
    tokens.push(pathname.split('/').at(-1) ?? pathname);
    return pathname;
  };
  const show = async (till: Till, path: string): Promise<Received> =>
    note(path, await visit({ port, label: till.label }, path));
  const send = async (till: Till, path: string, fields: Fields): Promise<Received> => {
    const page = await show(till, path);
    const formKey = keyIn({ ...page, body: formIn(page) });
    return note(
      `${path} sent`,
      await submit({ port, label: till.label }, path, { formKey, ...fields }),
    );
  };
  const invoiceLink = async (till: Till): Promise<string> => {
    const id = await till.customer();
    const [row] = await till.read<{ id: number }>(
      'select id from invoice where customer_id = $1',
      id,
    );
    return pathOf(await till.call('GET', `/invoice/${row?.id}/payLink`));
  };

  const tills = await openTills(parts, db, double);
  const { euros, dollars, stripe } = tills;
  for (const [till, sent] of [
    [euros, debited.wrongIban],
    [euros, debited.iban],
    [dollars, debited.iban],
    [dollars, debited.wrongAccount],
    [dollars, debited.account],
  ] as const) {
    await send(till, await invoiceLink(till), { ...debited.holder, ...sent });
  }

  // The payer is there, and then one is not.
  const linked = await invoiceLink(stripe);
  const entered = double.token({ type: 'card', number: ASKING });
  const { headers } = await send(stripe, linked, { gatewayToken: entered });
  const asked = await show(stripe, String(headers.location));
  const absent = double.method({ type: 'card', number: ASKING });
  const inner = `<customer id="${await stripe.customer()}"/>${amount('10.00')}${token(absent)}`;
  const paymentId = idOf(await stripe.call('POST', '/payments', pay(inner)));
  const action = pathOf(await stripe.call('GET', `/payment/${paymentId}/actionLink`));
  const confirmed = await send(stripe, action, {});
  const secrets = [asked, confirmed].map(({ body }) => SHOWN.exec(body)?.[1] ?? 'none');
  for (const { id, secret } of double.intents()) {
    if (!secrets.includes(secret)) throw new Error(`no page showed the secret of ${id}`);
    double.act(id, 'approve');
  }
  tokens.push(...secrets);
  await show(stripe, String(headers.location));
  await show(stripe, action);
  return {
    answers,
    statuses,
    tokens,
    tenantIds: Object.values(tills).map((each) => each.tenantId),
  };
}

async function openTills(parts: Parts, db: Database, { url }: StripeDouble) {
  const notifications = { from: 'billing@demo.example', enabled: ['debitNotice'] };
  const methods = ['card', 'sepa', 'usBankAccount'];
  const gateway = {
    type: 'stripe',
    secretKey: 'sk_test_1',
    publishableKey: 'pk_test_1',
    actionDays: 3,
    url,
    scriptUrl: `${url}/stripe.js`,
  };
  const ofSandbox = { notifications, gateway: { methods } };
  return {
    euros: await openTill(parts, db, { currency: 'EUR', file: ofSandbox }),
    dollars: await openTill(parts, db, { file: ofSandbox }),
    stripe: await openTill(parts, db, { file: { gateway } }),
  };
}
