/** Reading and writing documents: every rule of the protocol about XML, as tables. */
import test from 'ava';
import { z } from 'zod';
import { RequestError } from '../../../api/calls/errors.ts';
import { compile } from '../../../api/xml/codec.ts';
import {
  accepting,
  attribute,
  boolean,
  currency,
  date,
  decimal,
  enumeration,
  id,
  integer,
  listOf,
  password,
  reference,
  root,
  secret,
  text,
} from '../../../api/xml/types.ts';
import { noteAsserted } from '../../support/asserted.ts';

const line = z.strictObject({
  id: id().optional(),
  quantity: decimal(),
  price: decimal().nullish(),
});
const orderShape = {
  code: text(5),
  note: text().nullish(),
  kind: enumeration(['Days', 'Months']).nullish(),
  count: integer(1, 3).nullish(),
  startDate: date().nullish(),
  isActive: boolean().nullish(),
  customer: reference().nullish(),
  currency: currency().nullish(),
  passwd: password().nullish(),
  cardNumber: secret(text(19)).nullish(),
  lines: listOf('line', line).nullish(),
};
const resource = z.strictObject({ id: id(), ...orderShape, dateCreated: date() });
const order = compile(root('order', accepting(resource, orderShape)));

interface Refusal {
  readonly status: number;
  readonly errors: readonly string[];
}

function refusal(document: string | Uint8Array): Refusal {
  try {
    order.decode(document);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    const errors = error.errors.map((each) => `${each.code} ${each.path ?? ''}: ${each.message}`);
    return { status: error.status, errors };
  }
  throw new Error('was accepted');
}

const inOrder = (inner: string) => `<order><code>A</code>${inner}</order>`;

test('a document becomes a value of the schema, in any order of elements', (t) => {
  const value = order.decode(`<?xml version="1.0" encoding="UTF-8"?>
    <order>
      <!-- a comment -->
      <lines><line id="7"><quantity>+007.50</quantity></line><line><quantity>.5</quantity></line></lines>
      <currency id="USD"/><customer id="12"/>
      <code> AB1 </code><note><![CDATA[a <b> & c]]></note>
      <isActive>1</isActive><count>2</count><startDate>2028-02-29</startDate><kind>Days</kind>
    </order>`);
  t.deepEqual(value, {
    lines: [{ id: 7, quantity: '7.50' }, { quantity: '0.5' }],
    currency: { id: 'USD' },
    customer: { id: 12 },
    code: 'AB1',
    note: 'a <b> & c',
    isActive: true,
    count: 2,
    startDate: '2028-02-29',
    kind: 'Days',
  });
});

test('an absent element is undefined, an empty one null, an empty list empty', (t) => {
  const value = order.decode(inOrder('<note/><startDate>  </startDate><customer/><lines/>'));
  t.deepEqual(value, { code: 'A', note: null, startDate: null, customer: null, lines: [] });
  t.false('kind' in value);
});

test('blanks are trimmed, except in a password', (t) => {
  const value = order.decode(inOrder('<note>\n x y \n</note><passwd> s3cret </passwd>'));
  t.is(value.note, 'x y');
  t.is(value.passwd, ' s3cret ');
});

test('a document may be sent back as read: read-only elements and attributes are ignored', (t) => {
  const value = order.decode('<order id="x"><code>A</code><dateCreated>odd</dateCreated></order>');
  t.deepEqual(value, { code: 'A' });
});

test('the five predefined entities and character references are replaced, once', (t) => {
  const value = order.decode(inOrder('<note>&lt;&amp;lt;&gt;&quot;&apos;&#65;&#x1F600;</note>'));
  t.is(value.note, '<&lt;>"\'A😀');
});

const fieldCases: ReadonlyArray<readonly [xml: string, error: string]> = [
  ['<colour>red</colour>', 'field.unknown order/colour: Element "colour" is not known here'],
  [
    '<hasOwnProperty/>',
    'field.unknown order/hasOwnProperty: Element "hasOwnProperty" is not known here',
  ],
  [
    '<note lang="de">x</note>',
    'attribute.unknown order/note/@lang: Attribute "note/@lang" is not known',
  ],
  [
    '<note>1</note><note>2</note>',
    'field.repeated order/note: Element "note" is given 2 times; once is allowed',
  ],
  ['<note><b>1</b></note>', 'field.unknown order/note/b: Element "b" is not known here'],
  ['<lines>x</lines>', 'field.text order/lines: Text is not allowed here, only elements'],
  [
    '<lines><row/></lines>',
    'field.unknown order/lines/row: Element "row" is not known here; the list holds "line"',
  ],
  ['<lines><line/></lines>', 'field.required order/lines/line[1]: line[1] is required'],
  [
    '<lines><line><quantity>1</quantity></line><line><price>1</price></line></lines>',
    'field.required order/lines/line[2]/quantity: quantity is required',
  ],
  [
    '<lines><line><quantity/></line></lines>',
    'field.required order/lines/line[1]/quantity: quantity is required',
  ],
  [
    '<customer id="0"/>',
    'field.range order/customer/@id: customer/@id must be a whole number from 1 to 9007199254740991, not "0"',
  ],
  [
    '<customer id="x"/>',
    'field.invalid order/customer/@id: customer/@id must be a whole number from 1 to 9007199254740991, not "x"',
  ],
  ['<customer>5</customer>', 'field.text order/customer: Text is not allowed here, only elements'],
  [
    '<count>4</count>',
    'field.range order/count: count must be a whole number from 1 to 3, not "4"',
  ],
  [
    '<count>1.5</count>',
    'field.invalid order/count: count must be a whole number from 1 to 3, not "1.5"',
  ],
  [
    '<kind>days</kind>',
    'field.invalid order/kind: kind must be one of Days, Months, not "days"; did you mean Days?',
  ],
  [
    '<isActive>yes</isActive>',
    'field.invalid order/isActive: isActive must be true or false, not "yes"',
  ],
  [
    '<startDate>2027-02-30</startDate>',
    'field.invalid order/startDate: startDate must be a date that exists, as YYYY-MM-DD, not "2027-02-30"',
  ],
  [
    '<startDate>0001-01-01</startDate>',
    'field.invalid order/startDate: startDate must be a date from 1900-01-01 to 9999-12-31, not "0001-01-01"',
  ],
  [
    '<note>a&#x9;b\u0085</note><code>B</code>',
    'field.repeated order/code: Element "code" is given 2 times; once is allowed',
  ],
];

for (const [xml, error] of fieldCases) {
  test(`refused with its path: ${xml}`, (t) => {
    const { status, errors } = refusal(inOrder(xml));
    t.is(status, 400);
    t.true(errors.includes(error), errors.join('\n'));
    noteAsserted(error);
  });
}

for (const wrong of [
  '1e3',
  '0x1A',
  '1,5',
  'NaN',
  'Infinity',
  '1.0000001',
  '1234567890123',
  '.',
  '-',
  '1 0',
  '--1',
]) {
  test(`not a decimal: ${wrong}`, (t) => {
    const { errors } = refusal(
      inOrder(`<lines><line><quantity>${wrong}</quantity></line></lines>`),
    );
    t.deepEqual(errors, [
      'field.invalid order/lines/line[1]/quantity: quantity must be a decimal of at most 12 digits ' +
        `before the point and 6 after it, not "${wrong}"`,
    ]);
  });
}

test('the error of a too long text names it, with its value cut short', (t) => {
  t.deepEqual(refusal('<order><code>ABCDEF</code></order>').errors, [
    'field.tooLong order/code: code must be at most 5 characters long, not "ABCDEF"',
  ]);
  const { errors } = refusal(inOrder(`<note>${'x'.repeat(256)}</note>`));
  t.deepEqual(errors, [
    `field.tooLong order/note: note must be at most 255 characters long, not "${'x'.repeat(60)}..."`,
  ]);
});

test('a currency is a code of three capital letters; a longer one is reported once', (t) => {
  t.deepEqual(refusal(inOrder('<currency id="usd"/>')).errors, [
    'field.invalid order/currency/@id: currency/@id must be a code of three capital letters, for example USD, not "usd"',
  ]);
  t.deepEqual(refusal(inOrder('<currency id="USDX"/>')).errors, [
    'field.tooLong order/currency/@id: currency/@id must be at most 3 characters long, not "USDX"',
  ]);
});

test('the value of a secret is never repeated', (t) => {
  const card = '41111111111111111111111';
  const { errors } = refusal(inOrder(`<cardNumber>${card}</cardNumber>`));
  t.deepEqual(errors, [
    'field.tooLong order/cardNumber: cardNumber must be at most 19 characters long',
  ]);
});

test('a number that is too large for an id is shown as it was sent, with the largest one', (t) => {
  for (const id of ['9007199254740993', '9223372036854775808', '99999999999999999999']) {
    t.deepEqual(refusal(inOrder(`<customer id="${id}"/>`)).errors, [
      'field.invalid order/customer/@id: customer/@id must be a whole number from 1 to 9007199254740991, ' +
        `not "${id}"`,
    ]);
  }
});

test('one answer lists all errors of a document', (t) => {
  const { errors } = refusal(
    '<order><x/><count>9</count><startDate>never</startDate><lines><line/></lines></order>',
  );
  t.deepEqual(
    errors.map((error) => error.slice(0, error.indexOf(':'))),
    [
      'field.unknown order/x',
      'field.required order/code',
      'field.range order/count',
      'field.invalid order/startDate',
      'field.required order/lines/line[1]',
    ],
  );
});

test('at most a hundred errors are collected', (t) => {
  const lines = '<line><quantity>x</quantity></line>'.repeat(500);
  t.is(refusal(inOrder(`<lines>${lines}</lines>`)).errors.length, 100);
});

const documentCases: ReadonlyArray<readonly [document: string, start: string]> = [
  ['', 'document.empty'],
  ['   ', 'document.empty'],
  ['<!-- nothing -->', 'document.empty'],
  ['text', 'document.malformed : Text stands outside the root element (line 1, column 1)'],
  ['<order/>more', 'document.malformed : Text stands outside the root element (line 1, column 9)'],
  ['<order/><order/>', 'document.malformed : A document has one root element (line 1, column 9)'],
  ['<order>\n  <code>A</code', 'document.malformed : A tag is not closed (line 2, column 10)'],
  [
    '<order>\n<code>A</note></order>',
    'document.malformed : Expected closing tag "code" instead of',
  ],
  ['<order><code>A</code>', 'document.malformed : "order" is not closed (line 1, column 1)'],
  ['</order>', 'document.malformed : A closing tag closes nothing (line 1, column 1)'],
  ['<order id="1" id="2"/>', "document.malformed : Attribute 'id' is repeated. (line 1, column"],
  [
    '<order id=1/>',
    "document.malformed : The value of attribute 'id' is not quoted (line 1, column 11)",
  ],
  ['<order><code>a<b</code></order>', 'document.malformed : "<" is not allowed inside a tag'],
  ['<order id="<"/>', 'document.malformed : "<" is not allowed inside a tag (line 1, column 12)'],
  ['<order><!-- x</order>', 'document.malformed : A comment is not closed (line 1, column 8)'],
  ['<order><![CDATA[x</order>', 'document.malformed : A CDATA section is not closed'],
  ['<order><__proto__/><code>A</code></order>', 'field.unknown order/__proto__'],
  ['<order><constructor/><code>A</code></order>', 'field.unknown order/constructor'],
  ['<order><hasOwnProperty/><code>A</code></order>', 'field.unknown order/hasOwnProperty'],
  ['<order __proto__="x"><code>A</code></order>', 'attribute.unknown order/@__proto__'],
  ['<order><1/></order>', 'document.malformed : A tag has no name (line 1, column 8)'],
  ['<order a="1"b="2"/>', 'document.malformed : A blank is missing inside a tag'],
  ['<order><!ELEMENT a></order>', 'document.malformed : No such markup is known'],
  [
    '<order><!-- a -- b --></order>',
    'document.malformed : "--" is not allowed inside a comment (line 1, column 15)',
  ],
  ['<order><!-- a ---></order>', 'document.malformed : "--" is not allowed inside a comment'],
  [
    '<order><code>a]]>b</code></order>',
    'document.malformed : "]]>" is not allowed in text (line 1, column 15)',
  ],
  ['<? x?><order/>', 'document.malformed : An instruction has no name (line 1, column 1)'],
  [
    '\n<?xml version="1.0"?><order/>',
    'document.malformed : An XML declaration is only allowed at the start of a document (line 2, column 1)',
  ],
  [
    '<?xml version="1.0"?><?xml version="1.0"?><order/>',
    'document.malformed : An XML declaration is only allowed at the start of a document (line 1, column 22)',
  ],
  ['<order><?XML version="1.0"?></order>', 'document.malformed : An XML declaration is only'],
  [
    '<?xml version="2.0"?><order/>',
    'document.malformed : The XML declaration is not valid in XML 1.0 (line 1, column 1)',
  ],
  ['<?xml encoding="UTF-8"?><order/>', 'document.malformed : The XML declaration is not'],
  ['<?xml version="1.0" standalone="no" encoding="UTF-8"?><order/>', 'document.malformed'],
  ['<invoice/>', 'document.root invoice: The root element must be "order", not "invoice"'],
  ['<x:order xmlns:x="u"/>', 'document.root x:order'],
  [
    '<!DOCTYPE order [<!ENTITY a "b">]><order/>',
    'document.doctype : A DOCTYPE is not accepted (line 1, column 1)',
  ],
  ['<order><!doctype x></order>', 'document.doctype'],
  ['<order b="<!--"><!DOCTYPE x><!-- --></order>', 'document.doctype'],
  [
    '<order><code>&lol;</code></order>',
    'document.entity : Only &amp; &lt; &gt; &quot; &apos; are known as entities (line 1, column 14)',
  ],
  [
    '<order>\n<code>a & b</code></order>',
    'document.entity : Only &amp; &lt; &gt; &quot; &apos; are known as entities (line 2, column 9)',
  ],
  ['<order id="&nbsp;"/>', 'document.entity'],
  ['<order><code>&#0;</code></order>', 'document.character : &#0; is no character of XML 1.0'],
  ['<order><code>&#xD800;</code></order>', 'document.character'],
  ['<order><code>&#x1;</code></order>', 'document.character'],
  ['<order><code>\u0001</code></order>', 'document.character : Character U+0001 is not allowed'],
  [
    '<?xml version="1.0" encoding="ISO-8859-1"?><order/>',
    'document.encoding : Documents are UTF-8, but the declaration says "ISO-8859-1"',
  ],
  [
    `${'<order>'.repeat(17)}${'</order>'.repeat(17)}`,
    'document.depth : Elements nest at most 16 deep',
  ],
  [
    `<order>${'<x/>'.repeat(50_001)}</order>`,
    'document.elements : A document has at most 50000 elements',
  ],
];

for (const [document, start] of documentCases) {
  test(`refused as a document: ${JSON.stringify(document.slice(0, 60))}`, (t) => {
    const { status, errors } = refusal(document);
    t.is(status, 400);
    t.is(errors.length, 1);
    t.true(errors[0]?.startsWith(start), errors[0]);
    noteAsserted(start);
  });
}

test('everything that XML allows around and in a document is accepted', (t) => {
  for (const document of [
    `<?xml version='1.0' encoding='utf-8' standalone='yes' ?>\r\n<order><code>A</code></order>`,
    '<?xml version="1.1"?><?xml-stylesheet href="x"?><!-- - --><order><code>A</code></order><!-- -->\n',
    '<order><!----><code><![CDATA[A]]></code><?later?></order>',
  ]) {
    t.deepEqual(order.decode(document), { code: 'A' });
  }
  t.deepEqual(order.decode('<order><code>]] ></code></order>'), { code: ']] >' });
});

test('declared prefixes and schema locations are not attributes of the document', (t) => {
  const schemas = 'http://www.w3.org/2001/XMLSchema';
  t.deepEqual(
    order.decode(
      `<order xmlns:xsd="${schemas}" xmlns:xsi="${schemas}-instance"
        xsi:noNamespaceSchemaLocation="order.xsd"><code>A</code><note xmlns:a="b"/></order>`,
    ),
    { code: 'A', note: null },
  );
  t.deepEqual(refusal('<order xmlns="urn:x"><code>A</code></order>').errors, [
    'attribute.unknown order/@xmlns: Attribute "order/@xmlns" is not known',
  ]);
  const none = `<order xmlns:xsi="${schemas}-instance"><code xsi:nil="true"/></order>`;
  t.true(
    refusal(none).errors.includes(
      'attribute.unknown order/code/@xsi:nil: Attribute "code/@xsi:nil" is not known',
    ),
  );
});

test('bytes that are not UTF-8 are refused, a byte order mark is accepted', (t) => {
  const latin1 = Buffer.from('<order><code>\u00e9</code></order>', 'latin1');
  t.deepEqual(refusal(latin1).errors, ['document.encoding : The request is not valid UTF-8']);
  const utf16 = Buffer.from('\uFEFF<order><code>A</code></order>', 'utf16le');
  t.is(refusal(utf16).errors[0], 'document.encoding : The request is not valid UTF-8');
  const marked = Buffer.from('\uFEFF<order><code>\u00e9</code></order>');
  t.deepEqual(order.decode(marked), { code: '\u00e9' });
});

test('written documents have attributes, empty elements for null, nothing for undefined, no secrets', (t) => {
  const written = order.encode({
    code: 'A&B',
    note: null,
    isActive: false,
    count: 0,
    customer: { id: 5 },
    currency: null,
    passwd: 'x',
    cardNumber: '4111',
    lines: [{ id: 1, quantity: '1.50', price: null }],
  });
  t.is(
    written,
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
      '<order><code>A&amp;B</code><note/><count>0</count><isActive>false</isActive>' +
      '<customer id="5"/><currency/>' +
      '<lines><line id="1"><quantity>1.50</quantity><price/></line></lines></order>',
  );
});

test('written text is read back unchanged: markup, quotes, line ends', (t) => {
  const note = `<a b="c">&amp; ']]>' \r\n x\ty`;
  t.is(order.decode(order.encode({ code: 'A', note })).note, note);
});

test('an attribute keeps its quotes and line ends', (t) => {
  const tag = compile(root('tag', z.strictObject({ label: attribute(text()) })));
  t.is(tag.decode(tag.encode({ label: 'a"b\n<c>' })).label, 'a"b\n<c>');
});

test('an error shows the value, cut short, and never a password', (t) => {
  const login = compile(root('login', z.strictObject({ count: integer(), passwd: password() })));
  const long = 'p'.repeat(300);
  const error = t.throws(
    () => login.decode(`<login><count>${'9x'.repeat(40)}</count><passwd>${long}</passwd></login>`),
    { instanceOf: RequestError },
  );
  t.deepEqual(
    error?.errors.map(({ path, value }) => [path, value]),
    [
      ['login/count', `${'9x'.repeat(30)}...`],
      ['login/passwd', undefined],
    ],
  );
  t.false(JSON.stringify(error?.errors).includes('ppp'));
});
