/**
 * Which calls are admitted, in which order, and how long a kind of call stays heavy; no test waits
 * for real time.
 */
import test from 'ava';
import {
  createAdmission,
  LIGHT_BODY_BYTES_MAX,
  STREAM_BYTES,
  type AdmissionOptions,
  type AdmittedCall,
  createHeavyCalls,
  FORGOTTEN_BYTES_PER_SECOND,
  LIGHT_MOVED_BYTES_MAX,
  REMEMBERED_BYTES_MAX,
  ACTIVE_MS,
  REST_MS_MAX,
} from '../../../api/access/admission.ts';

const busy = { name: 'UnavailableError' };
const MEGABYTE = 1_024 * 1_024;

function made(options: Partial<AdmissionOptions> = {}) {
  let nowMs = 0;
  const rests: Rest[] = [];
  const sleep = (ms: number): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    rests.push({ ms, end: resolve });
    return promise;
  };
  const admission = createAdmission({ clock: () => nowMs, sleep, ...options });
  const begun: string[] = [];

  /** Admitted as `name`; runs until the test ends it. */
  function call(name: string, given: Partial<AdmittedCall> & { body?: number; moved?: number }) {
    const { body = 0, moved = 0, ...rest } = given;
    const gate = Promise.withResolvers<void>();
    const light = { isHeavy: false, waitsForOthers: false, isStream: false };
    const asked = { tenantId: 1, kind: 'GET', ...light, ...rest };
    const ended = admission.admit(asked, async (visit) => {
      visit.hold(body);
      await visit.begin(body);
      begun.push(name);
      await gate.promise;
      admission.noteMoved(moved);
    });
    ended.catch(() => undefined);
    return {
      ended,
      end: async (): Promise<void> => {
        gate.resolve();
        await ended;
        await nextTurn();
      },
    };
  }
  let told = 0;
  /**
   * The calls that began since the last check, by name, because their order does not matter without
   * a queue.
   */
  async function began(): Promise<string[]> {
    await nextTurn();
    const since = begun.slice(told);
    told = begun.length;
    return since.toSorted();
  }
  return { admission, began, call, rests, pass: (ms: number) => (nowMs += ms) };
}

interface Rest {
  readonly ms: number;
  readonly end: () => void;
}

const nextTurn = (): Promise<unknown> => new Promise(setImmediate);

test('heavy calls of a tenant run one after the other, beside light ones and other tenants', async (t) => {
  const { began, call } = made();
  const first = call('heavy', { isHeavy: true });
  const second = call('heavy of the same', { isHeavy: true, kind: 'POST' });
  call('large body of the same', { body: LIGHT_BODY_BYTES_MAX + 1 });
  call('light', { body: LIGHT_BODY_BYTES_MAX });
  call('heavy of another', { isHeavy: true, tenantId: 2 });
  t.deepEqual(await began(), ['heavy', 'heavy of another', 'light']);
  await first.end();
  t.deepEqual(await began(), ['heavy of the same']);
  await second.end();
  t.deepEqual(await began(), ['large body of the same']);
});

test('after a heavy call its tenant rests for as long while other tenants call', async (t) => {
  const { began, call, pass, rests } = made();
  call('light of another', { tenantId: 2 });
  const first = call('a1', { isHeavy: true });
  call('a2', { isHeavy: true });
  t.deepEqual(await began(), ['a1', 'light of another']);
  pass(300);
  await first.end();
  call('light', {});
  call('b1', { tenantId: 2, isHeavy: true });
  call('c1', { tenantId: 3, isHeavy: true });
  t.deepEqual(await began(), ['b1', 'c1', 'light'], 'the rest occupies no place of other tenants');
  t.deepEqual(
    rests.map(({ ms }) => ms),
    [300],
  );
  rests[0]?.end();
  t.deepEqual(await began(), [], 'both places are occupied');
});

test('the rest ends, and is never longer than its limit', async (t) => {
  const { began, call, pass, rests } = made();
  const first = call('a1', { isHeavy: true });
  t.deepEqual(await began(), ['a1']);
  call('a2', { isHeavy: true });
  pass(10 * REST_MS_MAX);
  call('light of another', { tenantId: 2 });
  await first.end();
  t.deepEqual(await began(), ['light of another']);
  t.is(rests[0]?.ms, REST_MS_MAX);
  rests[0]?.end();
  t.deepEqual(await began(), ['a2']);
});

test('a tenant that is alone does not rest', async (t) => {
  const { began, call, pass, rests } = made();
  call('light of another', { tenantId: 2 });
  pass(1);
  const first = call('a1', { isHeavy: true });
  t.deepEqual(await began(), ['a1', 'light of another']);
  call('a2', { isHeavy: true });
  pass(ACTIVE_MS);
  await first.end();
  t.deepEqual(await began(), ['a2']);
  t.deepEqual(rests, []);
});

test('at most two heavy calls run at once, and tenants take turns', async (t) => {
  const { began, call } = made();
  const first = call('a1', { tenantId: 1, isHeavy: true });
  const second = call('b1', { tenantId: 2, isHeavy: true });
  call('a2', { tenantId: 1, isHeavy: true });
  call('a3', { tenantId: 1, isHeavy: true });
  call('c1', { tenantId: 3, isHeavy: true });
  t.deepEqual(await began(), ['a1', 'b1']);
  await second.end();
  t.deepEqual(await began(), ['c1']);
  await first.end();
  t.deepEqual(await began(), ['a2']);
});

test('a kind of call that moved much is heavy for that tenant until it is forgotten', async (t) => {
  const { began, call, pass } = made();
  await call('much', { moved: 2 * MEGABYTE }).end();
  const again = call('again', {});
  const third = call('third', {});
  call('another kind', { kind: 'POST' });
  call('another tenant', { tenantId: 2 });
  t.deepEqual(await began(), ['again', 'another kind', 'another tenant', 'much']);
  await again.end();
  await third.end();
  pass((2 * MEGABYTE * 1_000) / FORGOTTEN_BYTES_PER_SECOND);
  call('later', {});
  call('beside', {});
  t.deepEqual(await began(), ['beside', 'later', 'third']);
});

test('a call that moved much makes only its own kind heavy: another kind stays light', async (t) => {
  const { began, call } = made();
  const light = call('light', { kind: 'light', moved: LIGHT_MOVED_BYTES_MAX });
  await call('much', { kind: 'much', moved: 2 * MEGABYTE }).end();
  await light.end();
  t.deepEqual(await began(), ['light', 'much']);
  call('a', { kind: 'much' });
  call('b', { kind: 'much' });
  call('c', { kind: 'light' });
  call('d', { kind: 'light' });
  t.deepEqual(await began(), ['a', 'c', 'd']);
});

test('a call that waits for a gateway does not occupy a place for heavy calls', async (t) => {
  const { began, call } = made();
  call('heavy', { isHeavy: true });
  call('payment', { isHeavy: true, waitsForOthers: true });
  t.deepEqual(await began(), ['heavy', 'payment']);
});

test('a call that waits for its turn elsewhere keeps no other call out meanwhile', async (t) => {
  const calls = { placesMax: 1, waitingMax: 8, waitMs: 60_000 };
  const { admission, began, call } = made({ calls });
  const asked = {
    tenantId: 1,
    kind: 'POST',
    isHeavy: false,
    waitsForOthers: false,
    isStream: false,
  };
  const [turn, rest] = [Promise.withResolvers<string>(), Promise.withResolvers<void>()];
  const said: string[] = [];
  const login = admission.admit(asked, async (visit) => {
    said.push(await visit.stepOut(() => turn.promise));
    await rest.promise;
  });
  const other = call('other', {});
  t.deepEqual(await began(), ['other']);
  turn.resolve('hashed');
  await nextTurn();
  t.deepEqual(said, [], 'it waits for a place again');
  await other.end();
  t.deepEqual(said, ['hashed']);
  call('last', {});
  t.deepEqual(await began(), [], 'it has a place');
  rest.resolve();
  await login;
  t.deepEqual(await began(), ['last']);
});

test('a flood of one tenant waits, and the others are admitted', async (t) => {
  const calls = {
    placesMax: 3,
    lanePlacesMax: 2,
    waitingMax: 2,
    laneWaitingMax: 1,
    waitMs: 60_000,
  };
  const { began, call } = made({ calls });
  const first = call('a1', {});
  call('a2', {});
  call('a3', {});
  await t.throwsAsync(call('a4', {}).ended, busy);
  call('b1', { tenantId: 2 });
  t.deepEqual(await began(), ['a1', 'a2', 'b1']);
  await first.end();
  t.deepEqual(await began(), ['a3']);
});

test('bodies beyond the bytes of a tenant, or of all tenants, are refused until others end', async (t) => {
  const { call } = made({ bytesMax: 300, tenantBytesMax: 200 });
  const first = call('a1', { body: 150 });
  await t.throwsAsync(call('a2', { body: 51 }).ended, busy);
  call('b1', { tenantId: 2, body: 150 });
  await t.throwsAsync(call('c1', { tenantId: 3, body: 1 }).ended, busy);
  await first.end();
  await call('a2', { body: 51 }).end();
  t.pass();
});

test('an answer that nobody reads counts until its connection ends', async (t) => {
  const { admission, call } = made({ tenantBytesMax: 200 });
  const release = admission.hold(1, 500);
  await t.throwsAsync(call('a1', {}).ended, busy);
  await call('b1', { tenantId: 2 }).end();
  release();
  release();
  await call('a1', { body: 200 }).end();
  await t.throwsAsync(call('a1', { body: 201 }).ended, busy);
});

test('a call that fails returns everything that it occupied', async (t) => {
  const { admission, call } = made({ tenantBytesMax: 200 });
  const asked = { tenantId: 1, kind: 'GET', isHeavy: true, waitsForOthers: false, isStream: false };
  const failing = admission.admit(asked, async (visit) => {
    visit.hold(200);
    await visit.begin(200);
    throw new Error('failed');
  });
  await t.throwsAsync(failing, { message: 'failed' });
  await call('next', { isHeavy: true, body: 200 }).end();
});

test('no more is remembered of a kind of call than is forgotten within a minute', (t) => {
  let nowMs = 0;
  const heavy = createHeavyCalls(() => nowMs);
  heavy.noteMoved('a', 1_000 * MEGABYTE);
  nowMs = (REMEMBERED_BYTES_MAX * 1_000) / FORGOTTEN_BYTES_PER_SECOND - 1;
  t.true(heavy.isHeavy('a'));
  nowMs += 1;
  t.false(heavy.isHeavy('a'));
});

test('streams have places of their own: they delay neither calls nor streams of other tenants', async (t) => {
  const few = { placesMax: 2, lanePlacesMax: 1, waitingMax: 8, waitMs: 60_000 };
  const one = { ...few, placesMax: 1 };
  const { began, call } = made({ calls: one, streams: few });
  const slow = call('slow stream', { isStream: true });
  call('next stream', { isStream: true });
  call('call', {});
  call('stream of another', { isStream: true, tenantId: 2 });
  t.deepEqual(await began(), ['call', 'slow stream', 'stream of another']);
  await slow.end();
  t.deepEqual(await began(), ['next stream']);
});

test('an answer that is sent after its call keeps its place and bytes until then', async (t) => {
  const streams = { placesMax: 1, waitingMax: 0, waitMs: 60_000 };
  const { admission } = made({ streams, tenantBytesMax: STREAM_BYTES });
  const asked = { tenantId: 1, kind: 'GET', isHeavy: false, waitsForOthers: false, isStream: true };
  const sent = Promise.withResolvers<void>();
  await admission.admit(asked, (visit) => Promise.resolve(visit.stay(sent.promise)));
  const next = () => admission.admit(asked, () => Promise.resolve('begun'));
  await t.throwsAsync(next(), busy);
  const light = { ...asked, isStream: false };
  await t.throwsAsync(
    admission.admit(light, (visit) => Promise.resolve(visit.hold(1))),
    busy,
  );
  sent.resolve();
  await nextTurn();
  t.is(await next(), 'begun');
});
