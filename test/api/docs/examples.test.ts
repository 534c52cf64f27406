/**
 * Every documented example works: the examples of api/resources are sent to a real server, and
 * answered as documented. `npx ava test/api/docs/examples.test.ts -- --record` writes the answers
 * anew.
 */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import test from 'ava';
import { answerFile, examples, examplesOf, story } from '../../../api/docs/examples.ts';
import { noteAsserted } from '../../support/asserted.ts';
import { schemaOfAnswer, published, routes, violations } from '../../support/xsd.ts';
import { tellStory } from './example-story.ts';
import { errorsOf } from '../support.ts';
import { startTenantApi } from '../tenant-api.ts';

const told = await tellStory(await startTenantApi());
const [first] = story;
const folder = first === undefined ? '' : dirname(answerFile(first));

if (process.argv.includes('--record')) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const { step, documented } of told) writeFileSync(answerFile(step), documented);
}

test('every example is answered with the documented status and document', (t) => {
  for (const { step, answer, documented } of told) {
    t.is(answer.status, step.status ?? 200, `${step.name}: ${answer.body}`);
    const example = examples().find(({ name }) => name === step.name);
    t.is(documented.trimEnd(), example?.answer ?? 'nothing', step.name);
    for (const error of errorsOf(answer)) noteAsserted(error);
  }
});

test('every answer of an example is valid by the XML Schema of its root', (t) => {
  for (const { step, answer } of told) {
    t.deepEqual(violations(schemaOfAnswer(answer.body), answer.body), [], step.name);
  }
});

/** Refused for what only the server knows, for example of plans. */
const beyondSchemas = new Set([
  'autopay-declined',
  'customer-update-conflict',
  'order-create-refused',
  'refund-create-too-high',
  'salesContact-create-refused',
]);

test('every request of a successful example is valid by the XML Schema of its call', (t) => {
  for (const example of examples()) {
    if (example.request === undefined || example.name.endsWith('-malformed')) continue;
    const route = routes.find((each) => examplesOf(each).includes(example));
    const root = /<(\w+)/.exec(example.request)?.[1];
    const document = route?.request?.documents.find(({ name }) => name === root);
    const schema = published.find((each) => each.schema === document?.schema);
    if (schema === undefined) return t.fail(`${example.name} has a body that no route reads`);
    const isValid = violations(schema, example.request).length === 0;
    if (example.status < 300 || beyondSchemas.has(example.name)) t.true(isValid, example.name);
    else t.false(isValid, example.name);
  }
});

test('every call has a successful example', (t) => {
  const without = routes.filter((route) => !examplesOf(route).some(({ status }) => status < 300));
  t.deepEqual(
    without.map(({ method, path, actions }) => `${method} ${path} ${actions.join()}`),
    [],
  );
});

test('names of examples are unique, and no answer is kept without its example', (t) => {
  const names = story.map(({ name }) => `${name}.xml`).toSorted();
  t.deepEqual(names, [...new Set(names)]);
  t.deepEqual(readdirSync(folder).toSorted(), names);
});
