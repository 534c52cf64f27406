/** The event batch.finished: its document is that of a GET, without addresses and without a customer. */
import test from 'ava';
import { eventXml } from '../../../api/resources/callbacks/documents.ts';
import { inTenant } from '../../../db/connection/tenancy.ts';
import { inOperation, tenantInfo } from '../../../operations/context/context.ts';
import { raise } from '../../../operations/events/raise.ts';
import { readEventViews, keepEventDocuments } from '../../../operations/feed/event-views.ts';
import { sequenceTenant } from '../../../operations/events/sequencer.ts';
import { callbackSecret } from '../../support/receiver.ts';
import { startTenantApi, valueOf, type TenantApi } from '../tenant-api.ts';
import { end, queued } from './calls.ts';

const url = 'https://hooks.example.com/';
const callbacks = [{ url, secret: callbackSecret, events: ['batch.finished'] }];
const api = await startTenantApi({ file: { callbacks } });

const dependenciesOf = (own: TenantApi) => ({
  db: own.db,
  realNow: Date.now,
  keepDocuments: keepEventDocuments,
});

const finish = (own: TenantApi, id: string): Promise<void> =>
  inOperation(dependenciesOf(own), own.tenantId, (context) => {
    raise(context, [{ type: 'batch.finished', customerId: null, objectId: Number(id) }]);
    return Promise.resolve();
  });

test('the kept document of a finished job is that of its GET, without an address', async (t) => {
  const { id } = await queued(api, 'Customer', '<jobId>cus-1</jobId>');
  await end(api, id, 'PartialSuccess', 'success_count = 2, fail_count = 1, version = version + 1');
  await finish(api, id);
  const [kept] = await api.asOwner<{ document: unknown; object_version: number }>(
    `select d.document, e.object_version from event e
     join event_document d on d.tenant_id = e.tenant_id and d.event_id = e.id
     where e.tenant_id = ${api.tenantId} and e.type = 'batch.finished'`,
  );
  const { body, headers } = await api.get(`/batchProcess?id=${id}`);
  const shown = body.replace(/<downloadUrl>.*<\/downloadUrl>/, '<downloadUrl/>');
  t.not(shown, body);
  t.is(eventXml('batchProcess', kept?.document), shown);
  t.is(headers.etag, `"${kept?.object_version}"`);
  const tenant = await tenantInfo(dependenciesOf(api), api.tenantId);
  const today = await inTenant(api.db, api.tenantId, (tx) =>
    readEventViews(dependenciesOf(api), tx, tenant, { kind: 'batchProcess', ids: [Number(id)] }),
  );
  t.is(eventXml('batchProcess', today.get(Number(id))), shown);
});

test('the feed names the job, and no customer', async (t) => {
  const own = await api.another();
  const { id } = await queued(own);
  await end(own, id);
  await finish(own, id);
  const sequencing = {
    dependencies: dependenciesOf(own),
    relayDb: own.db,
    dispatch: () => undefined,
    onError: () => undefined,
    hooks: [],
  };
  await sequenceTenant(sequencing, own.tenantId);
  const { body } = await own.get('/events');
  t.is(valueOf(body, 'event@type'), 'batch.finished');
  t.true(body.includes(`<customer/><object id="${id}" type="batchProcess"/>`), body);
});
