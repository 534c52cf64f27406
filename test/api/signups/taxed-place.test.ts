/** What an address that a visitor types has to say where taxes go by place. */
import test from 'ava';
import { likeDemo } from './calls.ts';
import {
  ada,
  faultsIn,
  fill,
  gold,
  hidden,
  linkOf,
  openPages,
  rowOf,
  valueIn,
  visit,
  type Link,
} from './page-calls.ts';

const api = await openPages();

type Fields = Readonly<Record<string, string>>;

async function enter(own: typeof api, fields: Fields) {
  const link = await linkOf(own);
  return { link, answer: await fill(own, link.path, { ...ada, ...gold, ...fields }) };
}

const reviewOf = (link: Link) => visit(api, `${link.path}?step=review`);

const refused: readonly (readonly [what: string, fields: Fields, fault: string, says: string])[] = [
  ['no country', { country: '' }, 'country', 'Please choose one.'],
  ['no state where a rate of the country has one', { state: '' }, 'state', 'Please choose one.'],
  ['a state of no country', { state: 'Narnia' }, 'state', 'Please choose a state from the list.'],
  [
    'a state of another country',
    { country: 'CA' },
    'state',
    'Please choose a state from the list.',
  ],
];

for (const [what, fields, fault, says] of refused) {
  test(`${what} is asked for again`, async (t) => {
    const { answer } = await enter(api, fields);
    t.is(answer.status, 400, answer.body);
    t.deepEqual(faultsIn(answer), [fault]);
    t.true(answer.body.includes(says), answer.body);
  });
}

test('the name of a state counts as its code, and is taxed', async (t) => {
  const { link, answer } = await enter(api, { state: 'new york' });
  t.is(answer.status, 303, answer.body);
  t.is((await rowOf(api, link))['state'], 'NY');
  const review = await reviewOf(link);
  t.true(review.body.includes('$73.44'), review.body);
  t.false(review.body.includes('Without tax'));
});

test('states are chosen from a list where the country has one, and typed elsewhere', async (t) => {
  const link = await linkOf(api, { country: 'US', state: 'New York' });
  const page = await visit(api, link.path);
  t.regex(page.body, /<select id="state"/);
  t.is(valueIn(page, 'state'), 'NY');
  t.true(page.body.includes('<option value="NJ">New Jersey</option>'));
  const german = await visit(api, (await linkOf(api, { country: 'DE', state: 'BY' })).path);
  t.regex(german.body, /<input id="state"[^>]* value="BY"/);
});

test('a country without rates of states needs none, and the review says that it is untaxed', async (t) => {
  const { link, answer } = await enter(api, { country: 'DE', state: '' });
  t.is(answer.status, 303, answer.body);
  t.true((await reviewOf(link)).body.includes('Without tax'));
});

test('a state without a rate is taken, and the review says that it is untaxed', async (t) => {
  const { link } = await enter(api, { state: 'NJ' });
  t.true((await reviewOf(link)).body.includes('Without tax'));
});

test('a link that hides the address is priced by what the caller sent', async (t) => {
  const { country: _country, state: _state, ...without } = hidden;
  const link = await linkOf(api, { ...without, extCustomerRef: 'C-nowhere' });
  const review = await visit(api, link.path);
  t.is(review.status, 200, review.body);
  t.true(review.body.includes('Without tax'));
});

test('a tenant without taxes asks for no place', async (t) => {
  const own = await api.another({ file: { ...likeDemo.file, tax: { type: 'none' } } });
  const { link, answer } = await enter(own, { country: '', state: '' });
  t.is(answer.status, 303, answer.body);
  const review = await visit(own, `${link.path}?step=review`);
  t.false(review.body.includes('Without tax'));
});
