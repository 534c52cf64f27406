/** The call that makes a link to the page of an invoice. */
import test from 'ava';
import { customerOf, openSelfService, withProfiles } from '../self-service/calls.ts';
import { buttonIn, invoiced } from '../self-service/pay-calls.ts';
import { keptOfLinks, refused } from '../tenant-api.ts';
import { askLink, linkRows, linked, setLinks, show, urlIn } from './calls.ts';

const api = await openSelfService();

test('each call makes a new link, which pays for 90 days, by id and by number', async (t) => {
  const link = await linked(api);
  const { own, invoiceId } = link;
  const answer = await askLink(own, invoiceId);
  t.is(answer.status, 200, answer.body);
  t.is(answer.headers['cache-control'], 'no-store');
  t.regex(
    answer.body,
    /<payLink><url>http:\/\/[\w-]+\.localhost(:\d+)?\/pay\/[\w-]{43}<\/url><validUntil>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ<\/validUntil><\/payLink>/,
  );
  const [number] = await own.asOwner<{ number: string }>(
    `select invoice_number as number from invoice where id = ${invoiceId}`,
  );
  const byNumber = await own.get(`/invoice/payLink?invoiceNumber=${number?.number}`);
  t.is(byNumber.status, 200, byNumber.body);
  t.not(urlIn(byNumber), urlIn(answer));
  const rows = await linkRows(own);
  t.is(rows.length, 3);
  for (const { days } of rows) t.true(Math.abs(Number(days) - 90) < 0.01, String(days));
  // Each of them shows the invoice.
  for (const each of [answer, byNumber]) {
    t.is((await show({ ...link, path: new URL(urlIn(each)).pathname })).status, 200);
  }
});

test('a link writes: HEAD is 405, and the audit log has it', async (t) => {
  const { own, invoiceId } = await linked(api);
  const path = `/invoice/${invoiceId}/payLink`;
  const head = await own.call('HEAD', path);
  t.is(head.status, 405);
  t.is(head.headers.allow, 'GET');
  t.is((await linkRows(own)).length, 1);
  const written = await own.asOwner(
    `select username, method, path, status from audit_log
     where tenant_id = ${own.tenantId} and action = 'write' and method = 'GET'`,
  );
  t.deepEqual(written, [
    { username: 'api@test', method: 'GET', path: `/rest${path}`, status: 200 },
  ]);
});

test('the same Idempotency-Key gets the same link, of which nothing is in clear', async (t) => {
  const { own, invoiceId } = await linked(api);
  const keyed = { headers: { 'idempotency-key': 'k' } };
  const first = await askLink(own, invoiceId, keyed);
  const again = await askLink(own, invoiceId, keyed);
  t.is(first.status, 200, first.body);
  t.is(again.headers['idempotency-replayed'], 'true');
  t.is(again.body, first.body);
  t.is((await linkRows(own)).length, 2);
  const token = urlIn(first).slice(-43);
  const kept = await keptOfLinks(own, 'pay_link');
  t.is(kept.length, 1);
  t.false(JSON.stringify(kept).includes(token));
});

test('a cancelled or carried over invoice is not payable; a paid one has a link', async (t) => {
  const link = await linked(api);
  const { own, id, invoiceId } = link;
  const set = (assignments: string) =>
    own.asOwner(`update invoice set ${assignments} where id = ${invoiceId}`);
  await set(
    `status = 'CarriedOver', carried_over_from = status, carried_open = outstanding_balance,
     outstanding_balance = 0`,
  );
  refused(t, await askLink(own, invoiceId), 400, 'invoice.notPayable');
  // A link of before shows the document, of which nothing is open.
  const shown = await show(link);
  t.is(shown.status, 200);
  t.regex(shown.body, /Nothing is open of this document\./);
  t.is(buttonIn(shown), undefined);
  await set(
    `status = 'Outstanding', carried_over_from = null, outstanding_balance = carried_open,
     carried_open = null`,
  );
  t.true((await own.remove(`/invoice/${invoiceId}`)).status < 300);
  refused(t, await askLink(own, invoiceId), 400, 'invoice.notPayable');
  const paid = await invoiced({ own, id }, '0.00');
  t.is((await askLink(own, paid)).status, 200);
});

test('an unknown invoice is 404, another tenant’s, too', async (t) => {
  const { own } = await linked(api);
  const other = await api.another(withProfiles);
  const hers = await invoiced({ own: other, id: await customerOf(other, 'Bea') }, '10.00');
  refused(t, await askLink(own, '999999999'), 404, 'invoice.unknown');
  refused(t, await askLink(own, hers), 404, 'invoice.unknown');
  refused(t, await own.get('/invoice/payLink?invoiceNumber=9999'), 404, 'invoice.unknown');
  refused(t, await own.get('/invoice/payLink'), 400, 'query.required invoiceNumber');
});

test('links that ended long ago are deleted when others are made', async (t) => {
  const link = await linked(api);
  const { own, invoiceId } = link;
  await setLinks(own, `expires_at = now() - interval '29 days'`);
  await askLink(own, invoiceId);
  t.is((await linkRows(own)).length, 2);
  t.is((await show(link)).status, 410);
  await setLinks(own, `expires_at = expires_at - interval '2 days'`);
  await askLink(own, invoiceId);
  t.is((await linkRows(own)).length, 2);
  t.is((await show(link)).status, 404);
});
