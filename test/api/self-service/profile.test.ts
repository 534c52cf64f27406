/** The profile: what is shown and changed of the billing contact, by version, and its password. */
import test from 'ava';
import { faultsIn, submit, titleOf, valueIn } from '../signups/page-calls.ts';
import type { Received } from '../support.ts';
import { startTenantApi, type TenantApi } from '../tenant-api.ts';
import { customerOf, pageOf, setTimes, SITE, visit } from './calls.ts';
import { locationOf, logIn, PASSWORD, personOf, withMails } from './people.ts';

const api = await startTenantApi(withMails);
const rates = [{ country: 'US', percent: '8.875', taxCode: 'STANDARD', name: 'Sales tax' }];
const NEW = 'Another-two-22';

const typed = {
  companyName: 'Field & Sons',
  firstName: 'Ada',
  lastName: 'Field',
  email: 'ada@field.example',
  phone: '+1 212 555 0100',
  street1: '350 5th Ave',
  street2: 'Floor 2',
  city: 'New York',
  state: 'NY',
  zip: '10118',
  country: 'US',
} as const;
type Fields = Readonly<Record<string, string>>;

/** The key of the profile: the first form of the page is that of the way out. */
const keyOf = ({ body }: Received): string =>
  [...body.matchAll(/name="formKey" value="([^"]+)"/g)].at(-1)?.[1] ?? '';

/** A tenant with the customer `ada`, and the path of her profile. */
async function opened(more: object = {}) {
  const own = await api.another({ file: { ...withMails.file, ...more } });
  const id = await personOf(own, 'ada');
  const home = await pageOf(own, { customerId: id });
  return { own, id, home, path: `${home}/profile` };
}

async function save(own: TenantApi, path: string, fields: Fields) {
  const page = await visit(own, path);
  return submit(own, path, { formKey: keyOf(page), ...fields });
}

const contactOf = async (own: TenantApi, id: string): Promise<string> => {
  const { body } = await own.get(`/customer/${id}/billingContact`);
  return body;
};

const eventsOf = (own: TenantApi) =>
  own.asOwner(
    `select type from event where tenant_id = ${own.tenantId} and type = 'customer.updated'`,
  );

test('it shows the billing contact, and stores what is changed, once', async (t) => {
  const { own, id, path } = await opened();
  const page = await visit(own, path);
  t.is(page.status, 200);
  t.is(titleOf(page), 'Your profile');
  t.true(page.body.includes('<dt>User name</dt><dd>ada</dd>'));
  t.is(valueIn(page, 'email'), 'ada@field.example');
  t.is(valueIn(page, 'oldPassword'), '');
  t.is(valueIn(page, 'username'), undefined);
  const fields = { formKey: keyOf(page), ...typed, username: 'eve', login: 'eve' };
  for (let each = 0; each < 2; each += 1) {
    const answer = await submit(own, path, fields);
    t.is(answer.status, 303);
    t.is(locationOf(answer), `${path}?message=saved`);
  }
  t.is((await eventsOf(own)).length, 1);
  const saved = await visit(own, `${path}?message=saved`);
  t.true(saved.body.includes('<p class="message" role="status">Your changes are saved.</p>'));
  for (const [name, value] of Object.entries(typed)) {
    t.is(valueIn(saved, name), value.replace('&', '&amp;'), name);
  }
  const stored = await contactOf(own, id);
  for (const part of [
    '<username>ada</username>',
    '<workPhone>+1 212 555 0100</workPhone>',
    '<street2>Floor 2</street2>',
    '<countryCode>US</countryCode>',
  ]) {
    t.true(stored.includes(part), part);
  }
  // Found by its new name.
  t.true((await own.get('/customers?search=Sons')).body.includes(`id="${id}"`));
});

test('what is not changed is not stored, and what is emptied is cleared', async (t) => {
  const { own, id, path } = await opened();
  await save(own, path, typed);
  const before = await eventsOf(own);
  t.is(locationOf(await save(own, path, typed)), `${path}?message=unchanged`);
  // A browser fills in the present password by itself.
  await save(own, path, { ...typed, oldPassword: 'whatever' });
  t.is((await eventsOf(own)).length, before.length);
  await save(own, path, { ...typed, street2: '' });
  t.true((await contactOf(own, id)).includes('<street2/>'));
});

test('a fault stands beside its field, with what was typed, and nothing is stored', async (t) => {
  const { own, path } = await opened();
  const wrong = {
    ...typed,
    firstName: ' ',
    email: 'ada',
    phone: 'none',
    country: 'Utopia',
    city: 'x'.repeat(256),
    newPassword: 'weak',
  };
  const answer = await save(own, path, wrong);
  t.is(answer.status, 400);
  t.deepEqual(faultsIn(answer), [
    'firstName',
    'email',
    'phone',
    'country',
    'city',
    'oldPassword',
    'newPassword',
  ]);
  t.is(valueIn(answer, 'email'), 'ada');
  t.is(valueIn(answer, 'street1'), '350 5th Ave');
  t.false(answer.body.includes('value="weak"'));
  const card = await save(own, path, { ...typed, companyName: '4111 1111 1111 1111' });
  t.deepEqual([card.status, faultsIn(card)], [400, ['companyName']]);
  t.false(card.body.includes('4111'));
  const names = { companyName: 'Win at evil.example', firstName: 'x'.repeat(61) };
  const mailed = await save(own, path, { ...typed, ...names });
  t.deepEqual([mailed.status, faultsIn(mailed)], [400, ['companyName', 'firstName']]);
  t.deepEqual(await eventsOf(own), []);
});

test('a customer that was changed meanwhile is shown again: 409, and what was typed', async (t) => {
  const { own, id, path } = await opened();
  const formKey = keyOf(await visit(own, path));
  await own.put(`/customer/${id}`, '<customer><name>New</name></customer>');
  const answer = await submit(own, path, { formKey, ...typed });
  t.is(answer.status, 409);
  t.true(answer.body.includes('Your details were changed elsewhere meanwhile'));
  t.is(valueIn(answer, 'city'), 'New York');
  t.false((await contactOf(own, id)).includes('New York'));
  t.is((await submit(own, path, { formKey: keyOf(answer), ...typed })).status, 303);
  t.true((await contactOf(own, id)).includes('New York'));
});

test('of two forms of one version at once, one is stored', async (t) => {
  const { own, path } = await opened();
  const keys = [keyOf(await visit(own, path)), keyOf(await visit(own, path))];
  const answers = await Promise.all(
    keys.map((formKey, each) => submit(own, path, { formKey, ...typed, city: `City ${each}` })),
  );
  t.deepEqual(
    answers.map(({ status }) => status).toSorted((one, other) => one - other),
    [303, 409],
  );
  t.is((await eventsOf(own)).length, 1);
});

test('a new password needs the old one, and ends the other sessions', async (t) => {
  const { own, id, home, path } = await opened();
  const other = await pageOf(own, { customerId: id });
  await save(own, path, typed);
  const wrong = await save(own, path, { ...typed, oldPassword: 'Wrong-1-x', newPassword: NEW });
  t.deepEqual([wrong.status, faultsIn(wrong)], [400, ['oldPassword']]);
  t.is((await visit(own, other)).status, 200);
  const right = await save(own, path, { ...typed, oldPassword: PASSWORD, newPassword: NEW });
  t.is(locationOf(right), `${path}?message=saved`);
  t.is((await visit(own, home)).status, 200);
  t.is(locationOf(await visit(own, other)), `${SITE}/login`);
  t.is((await logIn(own, 'ada')).status, 400);
  t.is((await logIn(own, 'ada', NEW)).status, 303);
});

test('wrong old passwords are limited as those of the login are, and together with them', async (t) => {
  const { own, path } = await opened();
  for (let each = 0; each < 10; each += 1) {
    const fields = { ...typed, oldPassword: `Wrong-${each}`, newPassword: NEW };
    t.is((await save(own, path, fields)).status, 400);
  }
  const limited = await save(own, path, { ...typed, oldPassword: PASSWORD, newPassword: NEW });
  t.is(limited.status, 429);
  t.truthy(limited.headers['retry-after']);
  t.is((await logIn(own, 'ada')).status, 429);
});

test('without a login or a password there is none to change', async (t) => {
  const own = await api.another(withMails);
  for (const username of ['', '<username>bo</username>']) {
    const contact = `<billingContact><firstName>Bo</firstName>${username}</billingContact>`;
    const { body } = await own.post('/customers', `<customer>${contact}</customer>`);
    const [, id = body] = /<customer id="(\d+)"/.exec(body) ?? [];
    const path = `${await pageOf(own, { customerId: id })}/profile`;
    const page = await visit(own, path);
    t.is(valueIn(page, 'newPassword'), undefined);
    t.is((await save(own, path, { ...typed, oldPassword: '', newPassword: NEW })).status, 303);
    t.is(
      (
        await own.asOwner(
          `select from contact where customer_id = ${id} and password_hash is not null`,
        )
      ).length,
      0,
    );
  }
});

test('an address that the tenant has validated is refused beside its field', async (t) => {
  const { own, id, path } = await opened({
    tax: { type: 'table', validateAddresses: true, rates },
  });
  const answer = await save(own, path, { ...typed, zip: '1', street1: 'Utopia' });
  t.is(answer.status, 400);
  t.deepEqual(faultsIn(answer), ['zip']);
  t.false((await contactOf(own, id)).includes('Utopia'));
  t.is((await save(own, path, typed)).status, 303);
});

test('a name of a country that the interface gave stays until another is chosen', async (t) => {
  const { own, id, path } = await opened();
  await own.put(
    `/customer/${id}/billingContact`,
    '<billingContact><address><country>Old Country</country></address></billingContact>',
  );
  t.is(valueIn(await visit(own, path), 'country'), 'Old Country');
  await save(own, path, { ...typed, country: 'Old Country' });
  t.true((await contactOf(own, id)).includes('<country>Old Country</country>'));
  await save(own, path, typed);
  t.true((await contactOf(own, id)).includes('<countryCode>US</countryCode>'));
});

test('it is switched off, ended, and closed to foreign forms as every page is', async (t) => {
  const { own, id, path } = await opened();
  const off = `${await pageOf(own, { customerId: id, allowProfileEdit: 'false' })}/profile`;
  t.is((await visit(own, off)).status, 403);
  t.is((await submit(own, off, { ...typed, formKey: keyOf(await visit(own, path)) })).status, 403);
  const other = await pageOf(own, { customerId: await customerOf(own, 'Bea') });
  const foreign = keyOf(await visit(own, `${other}/profile`));
  t.is((await submit(own, path, { formKey: foreign, ...typed })).status, 403);
  const formKey = keyOf(await visit(own, path));
  t.is((await submit(own, path, { formKey, ...typed }, { origin: SITE })).status, 403);
  await setTimes(own, `ended_at = now() - interval '1 second'`);
  const ended = await submit(own, path, { formKey, ...typed });
  t.deepEqual([ended.status, locationOf(ended)], [303, `${SITE}/login`]);
  t.deepEqual(await eventsOf(own), []);
});

test('where taxes go by place, a profile keeps a country, and a state where a rate has one', async (t) => {
  const tax = { type: 'table', rates: [{ ...rates[0], state: 'NY' }] };
  const { own, id, path } = await opened({ tax });
  for (const [fields, fault] of [
    [{ country: '' }, 'country'],
    [{ state: '' }, 'state'],
    [{ state: 'Narnia' }, 'state'],
  ] as const) {
    const answer = await save(own, path, { ...typed, ...fields });
    t.is(answer.status, 400);
    t.deepEqual(faultsIn(answer), [fault]);
  }
  t.is((await save(own, path, { ...typed, state: 'New York' })).status, 303);
  t.true((await contactOf(own, id)).includes('<state>NY</state>'));
});

test('a profile of a tenant without taxes may empty its country', async (t) => {
  const { own, id, path } = await opened();
  await save(own, path, typed);
  t.is((await save(own, path, { ...typed, country: '', state: '' })).status, 303);
  t.true((await contactOf(own, id)).includes('<countryCode/>'));
});
