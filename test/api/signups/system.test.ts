/** Sign-ups through the whole system: the real interface, a real worker, a real engine. */
import test, { type ExecutionContext } from 'ava';
import { startSystem } from '../../support/system.ts';
import { makeTenant } from '../../support/tenants.ts';
import { until } from '../../support/until.ts';
import { valueOf } from '../tenant-api.ts';
import {
  card,
  fill,
  hidden,
  keyIn,
  linkOf,
  pagesOf,
  stateOf,
  titleOf,
  visit,
  withPages,
  type Link,
} from './page-calls.ts';

const system = await startSystem();
const { label } = await makeTenant(system.dependencies, withPages);
const api = pagesOf(system, label);

/** Stores, and declines every charge. */
const declining = { ...card, cardNumber: '4000000000000341' };

/** A customer of its own: whoever has the e-mail address of another is that customer. */
const as = (ref: string) => ({
  ...hidden,
  extCustomerRef: ref,
  email: `${ref.toLowerCase()}@field.example`,
});

/** Waits for what the page leads to; the form waited for the most of it already. */
async function leadsTo(t: ExecutionContext, { path, tracking }: Link, to: string): Promise<void> {
  const expected = `https://www.demo.example/${to}?tracking=${tracking}`;
  await until('the page leads on', async () => (await visit(api, path)).status === 303);
  t.is((await visit(api, path)).headers.location, expected);
}

const recordOf = ({ tracking }: Link) => api.call('GET', `/signup/verify/${tracking}`);

test.serial('a card that approves makes customer, order, invoice and payment', async (t) => {
  const link = await linkOf(api, { ...as('APPROVED') });
  const answer = await fill(api, link.path, { ...card, savePaymentMethod: 'true' });
  t.is(answer.status, 303, answer.body);
  await leadsTo(t, link, 'ok');
  const { body } = await recordOf(link);
  t.is(valueOf(body, 'status'), 'PROCESSED');
  t.is(valueOf(body, 'paymentAmount'), '73.44');
  t.is(valueOf(body, 'cardType'), 'Visa');
  t.is(valueOf(body, 'savePaymentMethod'), 'true');
  t.regex(String(valueOf(body, 'orderNumber')), /^\d+$/);
});

test.serial(
  'a card that declines may be changed, and the third time the signup fails',
  async (t) => {
    const link = await linkOf(api, { ...as('DECLINED') });
    const titles: string[] = [];
    for (const _ of [1, 2]) {
      t.is((await fill(api, link.path, declining)).status, 303);
      await until('the form is shown again', async () => keyIn(await visit(api, link.path)) !== '');
      titles.push(
        /<div class="problems"[^]*?<\/div>/.exec((await visit(api, link.path)).body)?.[0] ?? '',
      );
    }
    t.regex(String(titles[0]), /declined[^]*2/);
    t.regex(String(titles[1]), /one try left|one more try/);
    t.is((await fill(api, link.path, declining)).status, 303);
    await leadsTo(t, link, 'fail');
    t.is(valueOf((await recordOf(link)).body, 'failureCode'), 'declined');
    t.regex(
      await stateOf(api, link),
      /^FAILED declined: 1 declined \w+, 2 declined \w+, 3 declined \w+$/,
    );
  },
);

test.serial(
  'a further card pays the invoices of the first try, though step 1 is closed',
  async (t) => {
    const link = await linkOf(api, {
      ...hidden,
      extCustomerRef: 'AGAIN',
      hideOrderFields: 'false',
    });
    t.is((await fill(api, link.path, hidden)).status, 303);
    const review = await visit(api, link.path);
    t.true(review.body.includes('step=details'));
    t.is((await fill(api, link.path, declining)).status, 303);
    await until('the form is shown again', async () => keyIn(await visit(api, link.path)) !== '');
    const again = await visit(api, `${link.path}?step=details`);
    t.is(titleOf(again), titleOf(review));
    t.false(again.body.includes('step=details'));
    t.is((await fill(api, link.path, card)).status, 303);
    await leadsTo(t, link, 'ok');
  },
);

test.serial('what starts later is made without a card', async (t) => {
  const link = await linkOf(api, { ...as('LATER'), startDate: '2027-02-01' });
  t.is((await fill(api, link.path, {})).status, 303);
  await leadsTo(t, link, 'ok');
  const { body } = await recordOf(link);
  t.is(valueOf(body, 'status'), 'PROCESSED');
  t.is(valueOf(body, 'invoiceNumber') ?? '', '');
});

test.serial(
  'a card to be saved is validated, and the form is shown again if that declines',
  async (t) => {
    const link = await linkOf(api, { ...as('SAVED'), startDate: '2027-02-01' });
    const refused = { ...card, cardNumber: '4000000000000002', savePaymentMethod: 'true' };
    t.is((await fill(api, link.path, refused)).status, 303);
    await until('the form is shown again', async () => keyIn(await visit(api, link.path)) !== '');
    t.regex((await visit(api, link.path)).body, /id="problems"/);
    t.is((await fill(api, link.path, { ...card, savePaymentMethod: 'true' })).status, 303);
    await leadsTo(t, link, 'ok');
  },
);

test.serial('the books are right after all of this', async (t) => {
  const report = await system.audit(label);
  t.true(report.clean, JSON.stringify(report));
});
