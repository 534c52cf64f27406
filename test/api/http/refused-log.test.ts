/** The log's line of a call: the codes of a refused one, the wait of a heavy one for its turn. */

import { Writable } from 'node:stream';
import test from 'ava';
import pino from 'pino';
import { createAdmission } from '../../../api/access/admission.ts';
import { startTenantApi } from '../tenant-api.ts';

interface Line {
  readonly path: string;
  readonly status: number;
  readonly codes?: readonly string[];
  readonly waited?: number;
  readonly busy?: string;
}

const lines: Line[] = [];
const destination = new Writable({
  write(chunk: Buffer, _encoding, done) {
    lines.push(JSON.parse(chunk.toString()) as Line);
    done();
  },
});
const api = await startTenantApi({ ownDatabase: true, log: pino({ level: 'info' }, destination) });

const twoMistakes =
  '<customer><extCustomerRef>C1</extCustomerRef><locale>nowhere</locale><colour>red</colour></customer>';

const refusals: readonly (readonly [
  what: string,
  call: () => Promise<{ readonly status: number; readonly body: string }>,
  status: number,
])[] = [
  ['a body with two mistakes', () => api.call('POST', '/customers', { body: twoMistakes }), 400],
  ['an unknown object', () => api.call('GET', '/customer/987654321'), 404],
  ['an unknown path', () => api.call('GET', '/nothing'), 404],
  ['an unknown parameter', () => api.call('GET', '/orders?colour=red'), 400],
  ['a wrong password', () => api.call('GET', '/plans', { auth: 'api@test:wrong' }), 401],
];

for (const [what, call, status] of refusals) {
  test.serial(`${what}`, async (t) => {
    const answer = await call();
    t.is(answer.status, status, answer.body);
    const codes = new Set(
      [...answer.body.matchAll(/<error code="([^"]+)"/g)].map(([, code = '']) => code),
    );
    t.true(codes.size > 0);
    const line = lines.at(-1);
    t.like(line, { status, codes: [...codes] });
  });
}

test.serial('a repeated request that gets the refusal of the first', async (t) => {
  const headers = { 'Idempotency-Key': 'one' };
  for (const _ of [1, 2]) {
    const { status } = await api.call('POST', '/customers', { body: twoMistakes, headers });
    t.is(status, 400);
  }
  t.is(lines.at(-1)?.status, 400);
  t.deepEqual(lines.at(-1)?.codes, lines.at(-2)?.codes);
  t.true((lines.at(-1)?.codes ?? []).length > 0);
});

test.serial('a call that succeeds has none', async (t) => {
  t.is((await api.call('GET', '/plans')).status, 200);
  t.is(lines.at(-1)?.codes, undefined);
});

test.serial(
  'a heavy call says how long it has waited for its turn, a light one does not',
  async (t) => {
    t.is((await api.get('/orders?max=101')).status, 200);
    t.is(typeof lines.at(-1)?.waited, 'number');
    t.is((await api.get('/orders?max=100')).status, 200);
    t.is(lines.at(-1)?.waited, undefined);
  },
);

test.serial('a call that is refused for load is one line, without a stack', async (t) => {
  const full = createAdmission({ bytesMax: -1 });
  const busy = await startTenantApi({
    ownDatabase: true,
    log: pino({ level: 'info' }, destination),
    admission: full,
  });
  const before = lines.length;
  const answer = await busy.get('/plans');
  t.is(answer.status, 503);
  t.is(answer.headers['retry-after'], '1');
  const [line, ...more] = lines.slice(before);
  t.deepEqual(more, []);
  t.like(line, { status: 503, codes: ['service.unavailable'] });
  t.is(line?.busy, 'the memory for bodies and answers in progress is full');
  t.false('error' in (line ?? {}));
});
