/** Usage records through the interface: uploads, lists, deletions. */
import test from 'ava';
import { refused, startTenantApi, valueOf, valuesOf } from '../tenant-api.ts';
import { listOf, withOrder } from './bodies.ts';

const api = await startTenantApi();

test('an upload is answered in the order sent, each record as GET shows it', async (t) => {
  const own = await withOrder(api);
  const made = await own.post(
    '/activities',
    listOf(
      `<extRefId>B</extRefId><orderNumber>1001</orderNumber><quantity>70</quantity>
       <chargeDate>2027-01-06</chargeDate>`,
      `<extRefId>A</extRefId><extCustomerRef>C1</extCustomerRef><priceCode>MINUTES</priceCode>
       <amount>7.5</amount><chargeDate>2027-01-05</chargeDate><invoiceText>Calls</invoiceText>`,
    ),
  );
  t.is(made.status, 201, made.body);
  t.deepEqual(valuesOf(made.body, 'extRefId'), ['B', 'A']);
  t.deepEqual(valuesOf(made.body, 'quantity'), ['70', '1']);
  const listed = await own.get('/activities');
  t.deepEqual(valuesOf(listed.body, 'extRefId'), ['A', 'B'], listed.body);
  const records = (body: string) => body.match(/<activity .*?<\/activity>/g) ?? [];
  t.deepEqual(records(listed.body), records(made.body).toReversed());
  t.is(valueOf(made.body, 'activity@id') === undefined, false);
});

test('a record is deleted by its id or its reference', async (t) => {
  const own = await withOrder(api);
  const made = await own.post(
    '/order/activities?orderNumber=1001',
    listOf('<extRefId>A</extRefId><quantity>1</quantity>', '<quantity>2</quantity>'),
  );
  t.is(made.status, 201, made.body);
  t.is((await own.remove('/activity?extRefId=A')).status, 200);
  const id = valueOf((await own.get('/activities')).body, 'activity@id');
  t.is((await own.remove(`/activity/${id}`)).status, 200);
  refused(t, await own.remove(`/activity/${id}`), 404, 'activity.unknown');
  t.regex((await own.get('/activities')).body, /<list\/>/);
});
