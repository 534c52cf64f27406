/**
 * Kills the API with SIGKILL amid 40 forms that pay by pages of self-service, or by pay links, two of
 * them for each invoice. Whoever sends a form again is led to a payment: no invoice is paid twice, and
 * no charge is without its payment.
 */
import test, { type ExecutionContext } from 'ava';
import { SITE, startPath, withProfiles } from '../../api/self-service/calls.ts';
import { card, hiddenIn, type Fields } from '../../api/self-service/pay-calls.ts';
import { send, type Received } from '../../api/support.ts';
import { suffix } from '../../support/temporal.ts';
import { until } from '../../support/until.ts';
import { auditIsClean, endConnections } from './aftermath.ts';
import { gateAtCommit, gateBefore } from './gate.ts';
import { startParts } from './parts.ts';
import { openTestDatabase, openTill } from './till.ts';

/** The waiting time of the API: forms are cut off while they wait. */
const PATIENT = { PAYMENT_WAIT_SECONDS: '60' };
const INVOICES = 20;

const parts = await startParts(PATIENT);
const db = await openTestDatabase(parts, 'sundial_app');
const relayDb = await openTestDatabase(parts, 'sundial_relay');
test.after.always(async () => {
  await parts.stop();
  for (const opened of [db, relayDb]) await opened.close();
});

interface Tab {
  readonly path: string;
  readonly fields: Fields;
}

type Pages = 'self-service' | 'pay links';

/** A tenant whose customers owe 10.00 each, and show that in two sessions each, or by two links. */
async function opened(pages: Pages) {
  const till = await openTill(parts, db, { ...withProfiles, label: `pages-${suffix()}` });
  const port = Number(new URL(parts.apiUrl).port);
  const host = `${till.label}.localhost`;
  const pathOf = async (customerId: number): Promise<string> => {
    if (pages === 'self-service') {
      const start = startPath({ customerId: String(customerId), loginUrl: SITE });
      const { body } = await till.call('GET', start);
      return `${new URL(body).pathname}/pay`;
    }
    const [invoice] = await till.read<{ id: string }>(
      `select id from invoice where customer_id = ${customerId}`,
    );
    const { body } = await till.call('GET', `/invoice/${invoice?.id}/payLink`);
    return new URL(/<url>([^<]*)</.exec(body)?.[1] ?? body).pathname;
  };
  const tab = async (customerId: number): Promise<Tab> => {
    const path = await pathOf(customerId);
    return { path, fields: hiddenIn(await send(port, { path, host, auth: null })) };
  };
  /** Null if an answer never came. */
  const post = ({ path, fields }: Tab): Promise<Received | null> => {
    const body = new URLSearchParams({ ...fields, ...card }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    return send(port, { method: 'POST', path, host, auth: null, headers, body }).catch(() => null);
  };
  const ids = await Promise.all(Array.from({ length: INVOICES }, () => till.customer()));
  const first = await Promise.all(ids.map(tab));
  const second = await Promise.all(ids.map(tab));
  return { ...till, ids, first, second, post };
}

test.serial(
  'the API dies amid payments of pages: each invoice is paid once',
  killed,
  'self-service',
);
test.serial('the API dies amid payments of pay links: each is paid once', killed, 'pay links');

async function killed(t: ExecutionContext, pages: Pages): Promise<void> {
  const { tenantId, ids, first, second, post, read, settled } = await opened(pages);
  const ofTenant = `new.tenant_id = ${tenantId}`;
  // One form waits amid its transaction, then one at its commit, the others anywhere.
  const amid = await gateBefore('self_service_payment', ofTenant, parts.ownerUrl);
  const commit = await gateAtCommit('insert on self_service_payment', ofTenant, parts.ownerUrl);
  for (const gate of [amid, commit]) {
    await gate.close();
    const posts = first.map(post);
    await gate.reached();
    await parts.api.kill();
    await endConnections(parts, 'api');
    await gate.open();
    await gate.end();
    await Promise.all(posts);
    await parts.api.start(PATIENT);
  }
  const posts = first.map(post);
  await until('some are paid', async () => {
    const paid = await read(`select from payment where status = 'Paid'`);
    return paid.length >= 3;
  });
  await parts.api.kill();
  await Promise.all(posts);
  await endConnections(parts, 'api');
  await parts.api.start(PATIENT);
  const answers = await Promise.all([...first, ...second].map(post));
  const statuses = new Set(answers.map((answer) => answer?.status));
  // The second tab of an invoice is told that it is paid, or is being paid.
  t.true(statuses.isSubsetOf(new Set([303, 409])), [...statuses].join());
  await settled(...ids);
  const [books] = await read<{ text: string }>(
    `select concat_ws('; ',
       (select string_agg(distinct status || ' ' || round(amount, 2), ', ') || ' '
          || count(*) from payment),
       'charges ' || (select string_agg(distinct status || ' ' || round(amount, 2), ', ') || ' '
          || count(*) from sandbox_transaction where operation = 'charge'),
       'of payments ' || (select count(distinct p.id) from sandbox_transaction g
          join payment p on p.id::text = split_part(g.idempotency_key, '/', 2)
          join self_service_payment m on m.payment_id = p.id where g.operation = 'charge'),
       'open ' || (select count(*) from invoice where outstanding_balance <> 0)) as text`,
  );
  t.is(books?.text, 'Paid 10.00 20; charges Approved 10.00 20; of payments 20; open 0');
  await auditIsClean(t, parts, { db, relayDb });
}
