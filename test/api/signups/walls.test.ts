/** Both forms of a sign-up with a token that opens nothing: nothing is told, and nothing stored. */
import test from 'ava';
import {
  ada,
  card,
  gold,
  hidden,
  keyIn,
  linkOf,
  openPages,
  setRow,
  rowOf,
  stateOf,
  submit,
  titleOf,
  visit,
  withPages,
} from './page-calls.ts';

const api = await openPages();
const other = await api.another(withPages);

const details = { ...ada, ...gold, firstName: 'Eve' } as const;
const forms = { details, pay: card } as const;

for (const [form, fields] of Object.entries(forms)) {
  const parameters = form === 'pay' ? hidden : { ...ada };

  test.serial(`the form ${form} with another tenant’s or a guessed token is 404`, async (t) => {
    const link = await linkOf(api, parameters);
    const formKey = keyIn(await visit(api, link.path));
    const guessed = link.path.replace(/.$/, (last) => (last === 'A' ? 'E' : 'A'));
    for (const answer of [
      await submit(other, link.path, { formKey, ...fields }),
      await visit(other, link.path),
      await submit(api, guessed, { formKey, ...fields }),
      await visit(api, guessed),
    ]) {
      t.is(answer.status, 404, answer.body);
      t.is(titleOf(answer), 'Page not found');
      t.notRegex(answer.body, /Ada|Eve|4111|demo\.example/);
    }
    t.is(await stateOf(api, link), 'DRAFT: ');
    t.like(await rowOf(api, link), { first_name: 'Ada' });
  });

  test.serial(`the form ${form} of an expired link is 410, and stores nothing`, async (t) => {
    const link = await linkOf(api, parameters);
    const formKey = keyIn(await visit(api, link.path));
    await setRow(api, link, "expires_at = now() - interval '1 second'");
    for (const answer of [
      await submit(api, link.path, { formKey, ...fields }),
      await visit(api, link.path),
    ]) {
      t.is(answer.status, 410, answer.body);
      t.true(answer.body.includes(`https://www.demo.example/fail?tracking=${link.tracking}`));
      t.notRegex(answer.body, /Ada|Eve|4111/);
    }
    t.is(await stateOf(api, link), 'DRAFT: ');
    t.like(await rowOf(api, link), { first_name: 'Ada' });
  });

  test.serial(`the form ${form} of a used link leads to its end, and stores nothing`, async (t) => {
    const link = await linkOf(api, parameters);
    const formKey = keyIn(await visit(api, link.path));
    await setRow(api, link, "status = 'EXPIRED', failure_code = 'expired', ended_at = now()");
    const answer = await submit(api, link.path, { formKey, ...fields });
    t.is(answer.status, 303, answer.body);
    t.is(answer.headers.location, `https://www.demo.example/fail?tracking=${link.tracking}`);
    t.is(await stateOf(api, link), 'EXPIRED expired: ');
    t.like(await rowOf(api, link), { first_name: 'Ada' });
  });
}
