/** What is generated: the bundled XSD, and the tables of calls of both clients. */
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { unzipSync } from 'fflate';
import { XmlDocument, XsdValidator } from 'libxml2-wasm';
import { calls } from '../../clients/typescript/src/generated/tables.ts';
import { readDocument, writeDocument } from '../../clients/typescript/src/core/xml.ts';
import { documentsOf } from '../../api/docs/documents.ts';
import { examplesOf, requestOf } from '../../api/docs/examples/examples.ts';
import { templated } from '../../api/docs/schemas.ts';
import { published, routes } from '../support/xsd.ts';

const documents = documentsOf(routes);
const textOf = (path: string): string => String(documents.get(path)?.text());
const bundle = textOf('/schema/sundial.xsd');
const validator = XsdValidator.fromDoc(XmlDocument.fromString(bundle));

const golden = join(import.meta.dirname, '../api/golden');
/** Golden answers number ids in order of appearance. */
const goldenAnswers = readdirSync(golden)
  .filter((name) => name.endsWith('.xml'))
  .map((name) => readFileSync(join(golden, name), 'utf8').replaceAll('id="#', 'id="'));

function violations(xml: string): string[] {
  using document = XmlDocument.fromString(xml);
  try {
    validator.validate(document);
    return [];
  } catch (error) {
    return String(error).split('\n');
  }
}

test('golden answers, and the requests and answers of all examples, are valid by the one XSD', (t) => {
  t.true(goldenAnswers.length >= 10);
  for (const answer of goldenAnswers) t.deepEqual(violations(answer), []);
  const examples = routes.flatMap(examplesOf);
  t.true(examples.length > 100);
  for (const example of examples) {
    const request = requestOf(example);
    const isWellFormed = !example.step.name.includes('malformed');
    if (request !== undefined && example.status < 300 && isWellFormed) {
      t.deepEqual(violations(request), [], example.step.name);
    }
    const { answer } = example;
    if (answer.trimStart().startsWith('<')) t.deepEqual(violations(answer), [], example.step.name);
  }
  t.notDeepEqual(violations('<customer><salary>1</salary></customer>'), []);
  t.notDeepEqual(violations('<customer id="x"/>'), []);
  t.notDeepEqual(violations('<invoice><dueDate>soon</dueDate></invoice>'), []);
});

test('the one XSD has each root once, and no class of a generator gets a number', (t) => {
  const roots = [...new Set(published.map(({ root }) => root))].toSorted();
  const elements = [...bundle.matchAll(/^ {2}<xs:element name="(\w+)"/gm)].map(([, name]) => name);
  t.deepEqual(elements.map(String).toSorted(), roots);
  t.false(bundle.includes('targetNamespace'));
  const types = [...bundle.matchAll(/^ {2}<xs:\w+Type name="(\w+)"/gm)].map(
    ([, name = '']) => name,
  );
  t.true(types.length > 50);
  t.deepEqual(
    types.filter((name) => /\d$/.test(name)),
    [],
  );
  // Generators make classes of elements and of types, and some file systems know no case.
  const classes = [...elements, ...types].map((name) => name?.toLowerCase());
  t.is(new Set(classes).size, classes.length);
  // A nested element of a root's name refers to it, unless it is a value.
  const nested = [...bundle.matchAll(/^ {4,}<xs:element name="(\w+)" type="([\w:]+)"/gm)];
  const wrong = nested.filter(
    ([, name = '', type = '']) => roots.includes(name) && !/^xs:|OrEmpty$/.test(type),
  );
  t.deepEqual(wrong, []);
  t.false(/(minOccurs="1"|use="required")/.test(bundle));
});

test('the archive has all schemas', (t) => {
  const content = documents.get('/schema/sundial.zip')?.text() ?? '';
  const files = unzipSync(Buffer.from(content));
  t.is(Buffer.from(files['sundial.xsd'] ?? []).toString(), bundle);
  t.deepEqual(
    Object.keys(files).toSorted(),
    ['sundial', ...published.map(({ name }) => name)].map((name) => `${name}.xsd`).toSorted(),
  );
});

interface Row {
  readonly method: string;
  readonly path?: string | null;
  readonly pathById?: string | null;
  readonly selection?: readonly string[];
}

/** `POST /customer/{id}?actionName=suspend` */
function addressesOf({ method, path, pathById, selection = [] }: Row): string[] {
  const query =
    selection.length === 0 || selection[0] === 'format' ? '' : `?${selection.join('=')}`;
  return [path, pathById].flatMap((each) => (each == null ? [] : [`${method} ${each}${query}`]));
}

test('every call of the clients is a route, and every route is a call of both', (t) => {
  const expected = routes.map(({ method, path, selection }) => {
    const [value] = selection.values;
    const isCustomers = path.startsWith('/customer') && selection.names.includes('actionName');
    const name = isCustomers ? 'actionName' : selection.names[0];
    return `${method} ${templated(path)}${value === undefined ? '' : `?${name}=${value}`}`;
  });
  const rows: readonly Row[] = Object.values(calls);
  t.deepEqual(rows.flatMap(addressesOf).toSorted(), expected.toSorted());
  const script = `
import json
from sundial_client.generated.calls import CALLS, Calls
for call in CALLS.values():
    assert callable(getattr(Calls, "".join("_" + c.lower() if c.isupper() else c for c in call.name))), call.name
print(json.dumps([dict(method=c.method, path=c.path, pathById=c.path_by_id, selection=c.selection) for c in CALLS.values()]))`;
  const cwd = join(import.meta.dirname, '../../clients/python');
  const printed = execFileSync('python3', ['-B', '-c', script], { cwd, encoding: 'utf8' });
  const inPython: readonly Row[] = JSON.parse(printed);
  t.deepEqual(inPython.flatMap(addressesOf).toSorted(), expected.toSorted());
});

test('documents that are read and written again are the same', (t) => {
  for (const answer of goldenAnswers) {
    const read = readDocument(answer);
    if (read === undefined) throw new Error(answer);
    const written = writeDocument(read.root, read.value);
    t.deepEqual(readDocument(written), read);
    t.deepEqual(violations(written), []);
  }
  t.is(readDocument('no document'), undefined);
  t.is(readDocument('<html><body/></html>'), undefined);
  const text = 'a & b <c> "d" \r\n \u00e9 \u{1F600}';
  const customer = { name: text, currency: { id: 'U"S' } };
  t.deepEqual(readDocument(writeDocument('customer', customer))?.value, customer);
});
