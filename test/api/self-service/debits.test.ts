/** The fields of accounts to debit, on the pages of an account and of a sign-up. */
import test from 'ava';
import { startTenantApi } from '../tenant-api.ts';
import {
  faultsIn,
  fill,
  keyIn,
  linkOf,
  submit,
  valueIn,
  visit as visitPage,
} from '../signups/page-calls.ts';
import { likeDemo } from '../signups/calls.ts';
import { ibans } from '../../providers/gateway/numbers.ts';
import { visit, withProfiles } from './calls.ts';
import {
  filedOf,
  inEuro,
  invoiced,
  keyOf,
  payerOf,
  pay,
  type Fields,
  type Payer,
} from './pay-calls.ts';

const api = await startTenantApi(withProfiles);

const takes = (currency: string, methods: readonly string[], file: object = {}) => ({
  ...withProfiles,
  currency,
  file: {
    ...withProfiles.file,
    ...file,
    gateway: { methods },
    notifications: { from: 'billing@demo.example', enabled: ['debitNotice'] },
  },
});

const account = {
  methodType: 'sepa',
  iban: 'DE89 3704 0044 0532 0130 00',
  accountHolder: 'Ada Field',
  mandateAccepted: 'true',
} as const;

const usAccount = {
  methodType: 'usBankAccount',
  abaRoutingNumber: '021000021',
  accountNumber: '000123456789',
  accountHolder: 'Ada Field',
  mandateAccepted: 'true',
} as const;

const pathOf = ({ home }: Payer): string => `${home}/card`;

async function put(payer: Payer, fields: Fields) {
  const formKey = keyOf(await visit(payer.own, pathOf(payer)));
  return submit(payer.own, pathOf(payer), { formKey, preference: '1', ...fields });
}

test('a tenant with cards alone has the fields of before, and no choice', async (t) => {
  const payer = await payerOf(api);
  const page = await visit(payer.own, pathOf(payer));
  t.notRegex(page.body, /name="methodType"|name="iban"|class="mandate/);
});

test('an account is put on file with its mandate, and shown by its country and end', async (t) => {
  const payer = await payerOf(api, takes('EUR', ['card', 'sepa']));
  const empty = await visit(payer.own, pathOf(payer));
  t.is(valueIn(empty, 'iban'), '');
  t.regex(empty.body, /Within 8 weeks of a debit you can claim a refund from your bank/);
  t.notRegex(empty.body, /abaRoutingNumber/);
  const answer = await put(payer, account);
  t.is(answer.status, 303, answer.body);
  t.is(await filedOf(payer), '1 3000');
  const page = await visit(payer.own, pathOf(payer));
  t.regex(page.body, /SEPA direct debit DE ending in 3000[^]*mandate SBX[0-9A-F]{16}/);
  t.false(page.body.includes('0532'));
  const { body } = await payer.own.call('GET', `/customer/${payer.id}/autopay`);
  t.regex(body, /<type>Token<\/type>/);
  t.regex(body, /<paymentMethodContext>SEPA - DE\*\*\.\.\.3000<\/paymentMethodContext>/);
  t.regex(body, /<gatewayUpdated\/><mandate>SBX[0-9A-F]{16}<\/mandate>/);
});

test('an American account is debited in dollars only', async (t) => {
  const payer = await payerOf(api, takes('USD', ['card', 'sepa', 'usBankAccount']));
  const empty = await visit(payer.own, pathOf(payer));
  t.notRegex(empty.body, /name="iban"/);
  t.is((await put(payer, usAccount)).status, 303);
  const { body } = await payer.own.call('GET', `/customer/${payer.id}/autopay`);
  t.regex(body, /ACH - \*{5}6789/);
  const refused = await put(payer, account);
  t.deepEqual([refused.status, faultsIn(refused)], [400, ['methodType']]);
});

const faults: readonly (readonly [what: string, change: Fields, ...fields: string[]])[] = [
  ['a wrong IBAN', { iban: 'DE88370400440532013000' }, 'iban'],
  ['an IBAN of another area', { iban: 'BR1800360305000010009795493C1' }, 'iban'],
  ['no IBAN', { iban: '' }, 'iban'],
  ['no holder', { accountHolder: '' }, 'accountHolder'],
  ['no mandate', { mandateAccepted: '' }, 'mandateAccepted'],
];

for (const [what, change, ...fields] of faults) {
  test(`an account with ${what} is not taken, and its number not shown again`, async (t) => {
    const payer = await payerOf(api, takes('EUR', ['card', 'sepa']));
    const sent: Fields = { ...account, ...change };
    const given = Object.fromEntries(
      Object.entries(sent).filter(([name, value]) => name !== 'mandateAccepted' || value !== ''),
    );
    const answer = await put(payer, given);
    t.is(answer.status, 400, answer.body);
    t.deepEqual(faultsIn(answer), fields);
    t.is(valueIn(answer, 'iban'), '');
    t.regex(answer.body, /value="sepa" checked/);
    t.false(answer.body.includes('0532'));
    t.is(await filedOf(payer), 'none');
  });
}

test('an invoice is paid from an account: the payment is under way until it settles', async (t) => {
  const payer = await payerOf(api, takes('EUR', ['card', 'sepa']));
  await invoiced(payer, '30', `<dueDate>2027-01-31</dueDate>`);
  const answer = await pay(payer, { method: 'new', ...account, savePaymentMethod: 'true' });
  t.is(answer.status, 303, answer.body);
  const [row] = await payer.own.asOwner<{ method: string }>(
    `select payment_method_context as method from payment where tenant_id = ${payer.own.tenantId}`,
  );
  t.is(row?.method, 'SEPA - DE**...3000');
  t.is(inEuro, '<currency id="EUR"/>');
});

test('no row has the number of an account in clear', async (t) => {
  const payer = await payerOf(api, takes('EUR', ['card', 'sepa']));
  await put(payer, { ...account, iban: ibans.returned });
  const found = await payer.own.asOwner<{ text: string }>(
    `select concat((select string_agg(m::text, ' ') from payment_method m
       where m.tenant_id = ${payer.own.tenantId}), (select string_agg(a::text, ' ') from audit_log a
       where a.tenant_id = ${payer.own.tenantId}), (select string_agg(k::text, ' ') from sandbox_method k
       where k.tenant_id = ${payer.own.tenantId})) as text`,
  );
  t.notRegex(found[0]?.text ?? '', /0532013002|DE35370400/);
});

test('a sign-up takes an account, and keeps its token, its country and its mandate alone', async (t) => {
  const own = await api.another(takes('EUR', ['sepa', 'card'], likeDemo.file ?? {}));
  const link = await linkOf(own, {
    hideCustomerFields: 'true',
    hideOrderFields: 'true',
    extCustomerRef: 'C-1',
    firstName: 'Ada',
    lastName: 'Field',
    email: 'ada@field.example',
    contractCode: 'GOLD',
  });
  t.not(keyIn(await visitPage(own, link.path)), '');
  const answer = await fill(own, link.path, { ...account, savePaymentMethod: 'true' });
  t.is(answer.status, 303, answer.body);
  const [row] = await own.asOwner<{ text: string }>(
    `select concat_ws(' ', t.method_type, t.debit, t.country, t.last_four) as text
     from signup_try t where t.tenant_id = ${own.tenantId}`,
  );
  t.is(row?.text, 'Token sepa DE 3000');
});
