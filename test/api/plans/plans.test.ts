/** Plans through the interface: read in every form, never written. */
import test from 'ava';
import { golden, refused, startTenantApi, valueOf, valuesOf } from '../tenant-api.ts';

const { get, post, put, remove } = await startTenantApi();

test('a plan is read with charges and tiers, by id and by code', async (t) => {
  const byCode = await get('/plan?contractCode=METERED');
  t.is(byCode.status, 200);
  golden(t, 'plan', byCode);
  const id = valueOf(byCode.body, 'contractOffering@id');
  t.is((await get(`/plan/${id}`)).body, byCode.body);
});

test('plans are listed by ascending id, with pages, and without charges if asked', async (t) => {
  const all = await get('/plans');
  t.deepEqual(valuesOf(all.body, 'contractCode'), ['GOLD', 'METERED', 'SEATS', 'ANNUAL']);
  t.is(valuesOf(all.body, 'priceCode').length, 6);
  t.deepEqual(valuesOf((await get('/plans?offset=1&max=2')).body, 'contractCode'), [
    'METERED',
    'SEATS',
  ]);
  const bare = await get('/plans?excludeCharges=1');
  t.is(valuesOf(bare.body, 'contractCode').length, 4);
  t.false(bare.body.includes('contractCharge'));
  t.is((await get('/plans?excludeCharges=0')).body, all.body);
  refused(t, await get('/plans?excludeCharges=perhaps'), 400, 'query.invalid excludeCharges');
});

test('an unknown plan is 404, a missing address 400', async (t) => {
  refused(t, await get('/plan/999999'), 404, 'plan.unknown');
  refused(t, await get('/plan?contractCode=SILVER'), 404, 'plan.unknown');
  refused(t, await get('/plan'), 400, 'query.required contractCode');
  const long = `/plan?contractCode=${'x'.repeat(256)}`;
  refused(t, await get(long), 400, 'query.tooLong contractCode');
});

test('plans cannot be written', async (t) => {
  const body = '<contractOffering/>';
  for (const answer of [
    await post('/plans', body),
    await put('/plan/1', body),
    await remove('/plan/1'),
    await put('/plan?contractCode=GOLD', body),
  ]) {
    refused(t, answer, 405, 'path.method');
    t.is(answer.headers.allow, 'GET, HEAD');
  }
});
