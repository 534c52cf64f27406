/** The documented examples by the schemas; that they work when pasted is shown by pasted.test.ts. */
import { readdirSync } from 'node:fs';
import test from 'ava';
import {
  answerFile,
  answersFolder,
  exampleOn,
  examplesOf,
  requestOf,
  stepsIn,
  story,
} from '../../../api/docs/examples/examples.ts';
import { errorsOfCall } from '../../../api/docs/call-errors.ts';
import { errorCatalogue } from '../../../api/docs/errors.ts';
import { guideText, guides } from '../../../api/docs/pages/guides.ts';
import { routeKey } from '../../../api/calls/route-types.ts';
import { schemaOfAnswer, published, routes, violations } from '../../support/xsd.ts';

const ofCalls = routes.flatMap(examplesOf);
const ofGuides = ['index', ...guides, 'errors'].flatMap((name) =>
  stepsIn(guideText(name)).map((step) => exampleOn(`guides/${name}`, step)),
);
const all = [...ofCalls, ...ofGuides];

test('every answer of an example is valid by the XML Schema of its root', (t) => {
  for (const { step, answer } of all) {
    t.deepEqual(violations(schemaOfAnswer(answer), answer), [], step.name);
  }
});

/** Refused for what only the server knows, for example of plans. */
const beyondSchemas = new Set([
  'activities-refused',
  'autopay-declined',
  'batch-create-refused',
  'credit-note-refused',
  'customer-update-conflict',
  'order-agent-nobody',
  'order-change-again',
  'order-create-moved',
  'order-create-refused',
  'refund-create-too-high',
  'salesContact-create-refused',
]);

test('every request of an example that works is valid by the XML Schema of its call', (t) => {
  for (const route of routes) {
    for (const example of examplesOf(route)) {
      const { name } = example.step;
      const request = requestOf(example);
      if (request === undefined || name.endsWith('-malformed')) continue;
      const root = /<(\w+)/.exec(request)?.[1];
      const document = route.request?.documents.find((each) => each.name === root);
      const schema = published.find((each) => each.schema === document?.schema);
      if (schema === undefined) return t.fail(`${name} has a body that no route reads`);
      const isValid = violations(schema, request).length === 0;
      if (example.status < 300 || beyondSchemas.has(name)) t.true(isValid, name);
      else t.false(isValid, name);
    }
  }
});

test('every call has an example that works', (t) => {
  const without = routes.filter((route) => !examplesOf(route).some(({ status }) => status < 300));
  t.deepEqual(without.map(routeKey), []);
});

test('names of examples are their own, and no answer is kept without its example', (t) => {
  const names = story.map(({ name }) => name);
  t.is(new Set(names).size, names.length);
  t.deepEqual(
    ofCalls.map(({ step }) => step.name).toSorted(),
    names.toSorted(),
    'an example belongs to one call',
  );
  const files = readdirSync(answersFolder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.xml'))
    .map((name) => `${answersFolder}/${name}`);
  t.deepEqual(files.toSorted(), all.map(({ step, page }) => answerFile(page, step)).toSorted());
});

test('every error code is on the page of a call, and each page lists the codes of its examples', (t) => {
  const listed = new Set<string>();
  for (const route of routes) {
    const { own, shared } = errorsOfCall(route);
    const codes = new Set<string>([...own, ...shared].map(({ code }) => code));
    for (const code of codes) listed.add(code);
    for (const { answer, step } of examplesOf(route)) {
      for (const [, code = ''] of answer.matchAll(/<error code="([^"]+)"/g)) {
        t.true(codes.has(code), `${step.name} answers ${code}`);
      }
    }
  }
  // The others are answers to the Updates of workflows, of addresses of files, and of rows of files.
  t.deepEqual(
    errorCatalogue().flatMap(({ code }) => (listed.has(code) ? [] : [code])),
    [
      'callbacks.unknown',
      'card.tooManyDeclines',
      'file.expired',
      'file.forged',
      'file.missing',
      'file.used',
      'import.cells',
      'import.dependent',
      'import.failed',
      'import.repeated',
      'invoice.numberTaken',
      'update.refused',
    ],
  );
});
