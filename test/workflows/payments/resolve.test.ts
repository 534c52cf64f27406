/** A payment that a gateway does not answer says so, and a person closes it with a reason. */

import test from 'ava';
import type { WorkflowHandle } from '@temporalio/client';
import { resolve, awaitOutcome, type Resolution } from '../../../workflows/contract/contract.ts';
import { openGateways } from '../../../operations/gateway-calls/gateways.ts';
import { gatewayAdapters } from '../../../providers/gateway/adapters.ts';
import { recordAnswer } from '../../../operations/gateway-calls/record-answer.ts';
import { attributesOf, detailsOf, isRunning, openTenant, until } from '../harness.ts';
import { SECRET_KEY } from '../../support/tenants.ts';
import { startHarness } from '../setup.ts';
import { PATIENT_MS, cards, openTill, payment, unreachable } from './till.ts';

/** Longer than the slow charge, so it does not time out. */
const harness = await startHarness({ timeLimitMs: 120_000 });

async function stuck() {
  const books = await openTenant(harness, {});
  const till = openTill(harness, books);
  const ada = await books.customer();
  const id = await till.create({ customerId: ada, amount: '20.00', by: unreachable });
  await books.deliver(payment(id));
  const workflow = till.workflow(id);
  await until('it asks', async () => (await attributesOf(workflow)).startsWith('Phase=Asking'));
  return { books, till, ada, id, workflow };
}

/** Refused only while the gateway is being asked; it is accepted between two attempts. */
async function resolved(workflow: WorkflowHandle, given: Resolution): Promise<unknown> {
  for (;;) {
    try {
      return await workflow.executeUpdate(resolve, { args: [{ by: 'Anna', ...given }] });
    } catch (error) {
      if (!/being asked/.test(String((error as Error).cause))) throw error;
    }
  }
}

// Before the other tests, which would take its time, and finished before the worker has to stop.
test.serial('a slow payment shows its present step', async (t) => {
  const books = await openTenant(harness, {});
  const till = openTill(harness, books);
  const slow = { number: cards.good, holder: 'SLOW ANSWER 20' };
  const customerId = await books.customer();
  const id = await till.create({ customerId, amount: '20.00', by: slow });
  await books.deliver(payment(id));
  await until('the engine hears of it', async () => {
    const steps = await stepsOf(till.workflow(id)).catch((): string[] => []);
    return steps.includes('calls charge at sandbox');
  });
  t.deepEqual(await till.payments(), ['Pending Charging 20.00']);
});

test('a payment without an answer shows why and since when; resolved as approved it is Paid', async (t) => {
  const { books, till, id, workflow } = await stuck();
  t.is(await attributesOf(workflow), 'Phase=Asking FailureCode=gateway.unavailable');
  const details = await detailsOf(workflow);
  t.regex(details, /- without an answer since \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC: asked \d+ times/);
  t.notRegex(details, /stuck/, 'a minute has not passed');
  t.true(details.includes(`payment ${id} the gateway cannot be reached`), details);
  const settlement = await resolved(workflow, {
    outcome: 'approved',
    reason: 'seen at the bank',
    transactionId: 'pi_3Mt',
  });
  t.deepEqual(settlement, { paymentId: String(id), status: 'Paid' });
  t.deepEqual(await till.payments(), ['Paid 20.00, 20.00 left']);
  const [kept] = await books.read((tx) =>
    tx.query<{ ofPayment: string; ofResult: string }>(
      `select p.transaction_id as of_payment, r.transaction_id as of_result
       from payment p join processor_result r on r.payment_id = p.id`,
    ),
  );
  t.deepEqual(kept, { ofPayment: 'pi_3Mt', ofResult: 'pi_3Mt' });
  await until('it ends', async () => !(await isRunning(workflow)));
  t.is(await attributesOf(workflow), 'Phase=Paid');
});

test('a payment resolved as declined is Declined, and the next payment has its turn', async (t) => {
  const { till, ada, id, workflow } = await stuck();
  const by = { number: cards.good };
  const next = await till.create({ customerId: ada, amount: '5.00', by });
  const over = till.wait(next, ada);
  await until('it waits', async () =>
    (await attributesOf(till.workflow(next)).catch(() => '')).startsWith('Phase=Waiting'),
  );
  t.true((await detailsOf(till.workflow(next))).includes('waits for another payment'));
  t.deepEqual(await till.payments(), ['Pending Charging 20.00', 'Pending Waiting 5.00']);
  const settlement = await resolved(workflow, { outcome: 'declined', reason: 'never arrived' });
  t.deepEqual(settlement, { paymentId: String(id), status: 'Declined' });
  await over;
  t.deepEqual(await till.payments(), ['Declined 20.00 resolved', 'Paid 5.00, 5.00 left']);
  await until('it ends', async () => !(await isRunning(workflow)));
  t.is(await attributesOf(workflow), 'Phase=Declined FailureCode=resolved');
});

test('a payment is resolved with a reason, to one of two outcomes, and only while it is stuck', async (t) => {
  const { till, ada, workflow } = await stuck();
  const refused = async (given: unknown, why: RegExp) => {
    const error = await t.throwsAsync(
      workflow.executeUpdate(resolve, { args: [{ by: 'Anna', ...(given as Resolution) }] }),
    );
    t.regex(String(error?.cause), why);
  };
  await refused({ outcome: 'approved', reason: ' ' }, /reason is required/);
  await refused({ outcome: 'approved' }, /reason is required/);
  await refused({ outcome: 'approved', reason: 'x'.repeat(256) }, /reason is required/);
  await refused({ outcome: 'maybe', reason: 'who knows' }, /approved or declined/);
  await refused(null, /approved or declined/);
  const telling = 'by the card 4111-1111 1111 1111';
  await refused({ outcome: 'declined', reason: telling }, /number of a card/);
  const approved = { outcome: 'approved', reason: 'seen at the bank' };
  await refused({ ...approved, transactionId: '' }, /transactionId must be the id/);
  await refused({ ...approved, transactionId: 7 }, /transactionId must be the id/);
  await refused({ ...approved, outcome: 'declined', transactionId: 'pi_1' }, /what was approved/);
  t.deepEqual(await till.payments(), ['Pending Charging 20.00']);
  const waiting = await till.create({ customerId: ada, amount: '1.00', by: unreachable });
  const over = till.wait(waiting, ada, PATIENT_MS);
  const other = till.workflow(waiting);
  await until('it waits', async () =>
    (await attributesOf(other).catch(() => '')).startsWith('Phase=Waiting'),
  );
  const error = await t.throwsAsync(
    other.executeUpdate(resolve, {
      args: [{ outcome: 'approved', reason: 'too soon', by: 'Anna' }],
    }),
  );
  t.regex(String(error?.cause), /only what a gateway does not answer|being asked/);
  await other.terminate();
  await workflow.terminate();
  await over;
});

test('a payment in processing refuses to be resolved, and says what to wait for', async (t) => {
  const books = await openTenant(harness, {});
  const till = openTill(harness, books);
  const gateways = openGateways(
    harness.dependencies,
    gatewayAdapters(harness.dependencies, { secretKeys: SECRET_KEY }),
  );
  const account = {
    type: 'ACH',
    abaRoutingNumber: '021000021',
    accountNumber: '000222222226',
    accountName: 'Ada Lovelace',
    accountType: 'Checking',
    institutionName: null,
  } as const;
  const method = await (await gateways.ofTenant(books.tenantId)).store(account, 'takes days');
  const by = { by: 'vaulted', type: 'ACH', gateway: 'sandbox', method, saveAs: null } as const;
  const id = await till.create({ customerId: await books.customer(), amount: '20.00', by });
  await books.deliver(payment(id));
  const workflow = till.workflow(id);
  const accepted = 'Phase=Processing';
  await until('it is accepted', async () => (await attributesOf(workflow)) === accepted);
  const error = await t.throwsAsync(
    resolved(workflow, { outcome: 'approved', reason: 'seen at the bank' }),
  );
  const why = new RegExp(`payment ${id} cannot be resolved: it is Processing, .* says on 20`);
  t.regex(String(error?.cause), why);
  t.deepEqual(await till.payments(), ['Pending Processing 20.00']);
  t.is(await attributesOf(workflow), accepted);
  await workflow.terminate();
});

test('a payment whose key belongs to another call says so, asks no more, and is resolved', async (t) => {
  const books = await openTenant(harness, {});
  const till = openTill(harness, books);
  const by = { number: cards.good };
  const id = await till.create({ customerId: await books.customer(), amount: '20.00', by });
  await till.chargedElsewhere(id, '9');
  await books.deliver(payment(id));
  const workflow = till.workflow(id);
  const held = 'Phase=Asking FailureCode=gateway.difference';
  await until('it is held', async () => (await attributesOf(workflow)) === held);
  const details = await detailsOf(workflow);
  const why = 'the gateway has a charge over 9.00 USD under the key, not 20.00 USD';
  t.true(details.includes(`payment ${id} is held: ${why}`), details);
  t.regex(
    details,
    /- its call at the gateway is another one: compare them, then send the Update resolve, /,
  );
  t.regex(details, /- next: looks again at /);
  t.notRegex(details, /asks the gateway again/);
  t.deepEqual(await till.charges(), ['Approved 9.00']);
  const given = { outcome: 'declined', reason: 'of another installation' } as const;
  t.like(await resolved(workflow, given), { status: 'Declined' });
  t.deepEqual(await till.charges(), ['Approved 9.00']);
});

test('an approval after a resolve as declined shows in its workflow, which is started once more', async (t) => {
  const { books, till, id, workflow } = await stuck();
  await resolved(workflow, { outcome: 'declined', reason: 'never arrived' });
  await until('it ends', async () => !(await isRunning(workflow)));
  const [row] = await books.read((tx) =>
    tx.query<{ key: string }>('select gateway_key as key from payment'),
  );
  const call = {
    operation: 'charge',
    cascadeId: id,
    paymentId: id,
    gateway: 'stripe',
    idempotencyKey: row?.key ?? '',
    token: 'pm_test',
    methodType: 'CreditCard',
    amount: '20.00',
    currency: 'USD',
    description: '',
    savesMethod: false,
    isOnFile: false,
    mandate: null,
    returnSealed: null,
    endsIfAsked: false,
    mayBeLess: false,
  } as const;
  const answer = {
    outcome: 'approved',
    transactionId: 'pi_late',
    errorCode: '0',
    errorMessage: null,
    isHardDecline: false,
    avsCode: null,
    cvvCode: null,
    approvalCode: null,
    responseMs: 90_000,
    statusMessage: null,
  } as const;
  const { nudges } = await recordAnswer(harness.dependencies, books.tenantId, call, answer);
  for (const each of nudges) await books.deliver(each);
  const shown = 'Phase=Declined FailureCode=gateway.lateApproval';
  await until('it shows', async () => (await attributesOf(workflow)) === shown);
  await until('it ends', async () => !(await isRunning(workflow)));
  t.true((await detailsOf(workflow)).includes('after it was declined here: transaction pi_late'));
  t.deepEqual(await till.payments(), ['Declined 20.00 resolved']);
});

test('after 24 attempts it continues as new, keeps its count, and can still end', async (t) => {
  const { till, ada, id, workflow } = await stuck();
  const first = await workflow.describe();
  const waited = workflow.executeUpdate(awaitOutcome);
  await until('it is another run', async () => {
    // Refused at the moment of the change.
    await workflow.signal('nudge').catch(() => undefined);
    return (await workflow.describe()).runId !== first.runId;
  });
  t.deepEqual(await waited, { paymentId: String(id), status: 'Pending' });
  await until('it asks again', async () => /asked \d+ times/.test(await detailsOf(workflow)));
  const [, asked] = /asked (\d+) times/.exec(await detailsOf(workflow)) ?? [];
  t.true(Number(asked) > 24, asked);
  t.is(await attributesOf(workflow), 'Phase=Asking FailureCode=gateway.unavailable');
  t.deepEqual(await resolved(workflow, { outcome: 'declined', reason: 'given up' }), {
    paymentId: String(id),
    status: 'Declined',
  });
  t.is((await till.payments()).length, 1, String(ada));
});

/** The last heartbeats of its pending activities, as the Web UI shows them. */
async function stepsOf(workflow: WorkflowHandle): Promise<string[]> {
  const { raw } = await workflow.describe();
  const told = (raw.pendingActivities ?? []).flatMap(
    (each) => each.heartbeatDetails?.payloads ?? [],
  );
  return told.map(({ data }) => JSON.parse(Buffer.from(data ?? []).toString()) as string);
}
