/**
 * PostgreSQL is restored from a backup that is older than Temporal, the gateway and the receivers: the
 * service refuses, and after `npm run restored` nothing is given out again, nobody is charged twice, and
 * receivers take every new event.
 */
import test from 'ava';
import {
  refuseOlderDatabase,
  OlderDatabaseError,
} from '../../../operations/processes/older-database.ts';
import { restore, RestorationError } from '../../../operations/processes/restoration.ts';
import { closeFindings } from '../../../operations/gateway-calls/findings.ts';
import { GatewayError } from '../../../providers/gateway/gateway.ts';
import { audit } from '../../support/audit.ts';
import { testDatabase } from '../../support/database.ts';
import { testServers } from '../../support/servers.ts';
import { administer, databaseUrl } from '../../support/template.ts';
import { opened, openLife, openWorld, webhookIds, type Life } from './life.ts';

/** What an operator does: an account of the money that came in, by hand. */
const faultsOf = async ({ label, dependencies, db }: Life): Promise<string[]> => {
  const report = await audit(dependencies, { relayDb: db.relay, engine: null, only: label });
  return report.tenants.flatMap(({ faults }) =>
    faults.map(({ check, object, detail }) => `${check}: ${object}: ${detail}`),
  );
};

test('a restored database gives nothing out again, and charges nobody twice', async (t) => {
  const world = await openWorld(t);
  const { stripe, receiver, engine } = world;
  const { name, ownerUrl } = await testDatabase(t);
  const first = await opened(ownerUrl);
  const life = await openLife(world, first, name);
  const ada = await life.customer();
  await life.tell();
  const [before, sentBefore] = [await life.given(), receiver.received.length];
  await first.close();

  // The backup, as a copy of the database.
  const { adminUrl } = await testServers('postgres');
  const copy = `${name}_copy`;
  await administer(adminUrl, `create database ${copy} template ${name}`);
  t.teardown(() => administer(adminUrl, `drop database if exists ${copy} with (force)`));

  // What is lost: an order of Ada's that was paid, a new customer with an order, events, callbacks.
  const second = await opened(ownerUrl);
  const lost = await openLife(world, second, name);
  await lost.order(ada);
  const bob = await lost.customer();
  await lost.order(bob);
  t.deepEqual(await lost.pay(), ['was approved', 'was approved']);
  for (let mark = 0; mark < 3; mark += 1) await lost.tell();
  const [given, sent] = [await lost.given(), webhookIds(receiver.received)];
  t.is(stripe.intents().length, 2);
  t.deepEqual(await faultsOf(lost), []);
  await second.close();
  await world.storage.put({ tenantId: lost.tenantId, batchId: 900_000, kind: 'upload' }, chunks());

  const restored = await opened(databaseUrl(adminUrl, copy));
  t.teardown(() => restored.close());
  const error = await t.throwsAsync(refuseOlderDatabase(restored.app, engine), {
    instanceOf: OlderDatabaseError,
  });
  t.regex(error?.message ?? '', /^The database knows less than Temporal \(mark \d+, there \d+\)/);
  t.regex(error?.message ?? '', /npm run restored/);

  const again = await openLife(world, restored, copy);
  const unknown = await t.throwsAsync(again.restore({}), { instanceOf: RestorationError });
  const [, order = '', invoice = ''] = unknown?.message.split('\n') ?? [];
  t.is(order, `  --number '${life.label}/order=LAST'   at least 1002`);
  t.is(invoice, `  --number '${life.label}/invoice/INV-=LAST'   at least 0`);
  await t.throwsAsync(again.restore({ leap: 5, numbers: new Map([['nobody/order', 7]]) }), {
    message: 'There is no such series: nobody/order.',
  });
  const told = { leap: 100, numbers: new Map([[`${life.label}/order`, 1010]]) };
  const plan = await again.restore(told, { isDryRun: true });
  t.like(plan, {
    isNeeded: true,
    isDone: false,
    epoch: 1,
    files: [`${lost.tenantId}/900000-upload.csv`],
  });
  t.deepEqual(await again.given(), before, 'a dry run changes nothing');

  // A gateway that does not answer ends it before anything is changed; a crash ends it in the middle.
  const silent = {
    ...again.gateways,
    named: () => Promise.reject(new GatewayError('unknown', 'timeout')),
  };
  const options = {
    dependencies: { ...again.dependencies, realNow: Date.now },
    relayDb: restored.relay,
    engine,
    storage: world.storage,
    gateways: again.gateways,
    operator: 'an operator',
    given: told,
  };
  await t.throwsAsync(restore({ ...options, gateways: silent }), { message: /--without-gateway/ });
  const killed = {
    ...options,
    // Asked for when the ids are raised, before the first tenant is written.
    get operator(): string {
      throw new Error('killed');
    },
  };
  await t.throwsAsync(restore(killed), { message: 'killed' });
  await t.throwsAsync(refuseOlderDatabase(restored.app, engine), { message: /is not finished/ });

  const done = await again.restore(told);
  t.like(done, { isNeeded: true, isDone: true, epoch: 1 });
  t.deepEqual(
    done.numbers.flatMap(({ lost: own }) => own.map(({ kind, after }) => `${kind} after ${after}`)),
    ['event after 1', 'auditLog after 1', 'order after 1000', 'invoice after 0'],
  );
  t.is(done.unknownCalls.length, 2);
  t.deepEqual(
    done.unknownCalls.map(({ customerId }) => customerId),
    [null, ada],
    'the newest first: nobody knows Bob any more',
  );
  t.true(done.workflows.some(({ workflow }) => workflow.startsWith(`order/${life.label}/`)));
  t.true(await refuseOlderDatabase(restored.app, engine), 'the service starts');
  t.like(await again.restore(told), { isNeeded: false });

  // Life goes on: what was lost happens again.
  await again.order(ada);
  const carl = await again.customer();
  await again.order(carl);
  const [put, paid] = await again.pay();
  t.regex(
    put ?? '',
    /^is put off: stripe has a charge of 10\.00 USD that was approved on .* and that no payment has/,
  );
  t.is(paid, 'was approved');
  await again.tell();
  t.is(stripe.intents().length, 3, 'Ada was charged once, and so were Bob and Carl');

  const fresh = [...(await again.given())].filter((each) => !before.has(each));
  t.deepEqual(
    fresh.filter((each) => given.has(each)),
    [],
  );
  t.true(fresh.includes('order 1011'));
  t.true(fresh.includes('invoice INV-101'));
  const afterwards = webhookIds(receiver.received.slice(sent.length));
  t.deepEqual(
    afterwards.filter((id) => sent.slice(sentBefore).includes(id)),
    [],
  );
  t.true(afterwards.length >= 5);
  t.true(afterwards.every((id) => /^evt_1_\d+$/.test(id)));

  const finding = (id: string, customer: string) =>
    new RegExp(
      `^gateway.unknownCall: lost payment ${id}: stripe has a charge of 10.00 USD${customer}`,
    );
  const faults = await faultsOf(again);
  t.is(faults.length, 2, faults.join('\n'));
  for (const fault of faults) t.regex(fault, finding(String.raw`\d+`, ''));

  // A person looks, and closes the findings: the payment that waited goes on.
  for (const { gatewayKey } of done.unknownCalls) {
    const paymentId = Number(gatewayKey.split('/')[1]);
    const closing = { paymentId, reason: 'refunded by hand', now: new Date() };
    t.true(await again.work((its) => closeFindings(its, closing)));
  }
  t.deepEqual(await again.pay(), ['was approved']);
  await again.tell();
  t.deepEqual(await faultsOf(again), []);
});

async function* chunks(): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode('a,b\n');
}
