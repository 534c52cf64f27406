/** A login is no other customer's than the one that the sign-up would reuse. */
import test from 'ava';
import { refused, type TenantApi } from '../tenant-api.ts';
import { likeDemo, openSignups, start, type Parameters } from './calls.ts';

const api = await openSignups();

/** Ada logs in as `ada.field`; Bea, made later, shares her phone. */
async function withCustomers(): Promise<TenantApi> {
  const own = await api.another(likeDemo);
  const make = async (ref: string, contact: string): Promise<void> => {
    const body = `<customer><extCustomerRef>${ref}</extCustomerRef><billingContact>
      <firstName>${ref}</firstName>${contact}</billingContact></customer>`;
    await own.post('/customers', body);
  };
  await make(
    'ADA',
    '<username>ada.field</username><emailPrimary>Ada@Field.example</emailPrimary><workPhone>+1 (555) 010-0199</workPhone>',
  );
  await make(
    'BEA',
    '<username>bea.field</username><emailPrimary>bea@field.example</emailPrimary><workPhone>15550100199</workPhone>',
  );
  return own;
}

const reusing: readonly (readonly [how: string, parameters: Parameters])[] = [
  ['by extCustomerRef', { extCustomerRef: 'ADA', email: 'bea@field.example' }],
  ['by e-mail address, in any case', { email: 'ADA@field.EXAMPLE' }],
  [
    'by e-mail address, if no customer has the reference',
    { extCustomerRef: 'NEW', email: 'ada@field.example' },
  ],
  ['by phone, whatever its form; the first customer', { phone: '1-555-010-0199' }],
];

for (const [how, parameters] of reusing) {
  test(`the login of the customer that is found ${how}`, async (t) => {
    const own = await withCustomers();
    const answer = await start(own, { ...parameters, login: 'ada.field' });
    t.is(answer.status, 200, answer.body);
    refused(
      t,
      await start(own, { ...parameters, login: 'bea.field' }),
      400,
      'contact.usernameTaken login',
    );
  });
}

test('the login of a customer that is not found is taken', async (t) => {
  const own = await withCustomers();
  const others: readonly Parameters[] = [{}, { phone: '010-019' }, { email: 'new@field.example' }];
  for (const parameters of others) {
    const answer = await start(own, { ...parameters, login: 'ada.field' });
    refused(t, answer, 400, 'contact.usernameTaken login');
  }
  t.is((await start(own, { login: 'new.field' })).status, 200);
});
