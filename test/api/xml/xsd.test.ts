/** The published XML Schemas accept what the parser accepts. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import type { Decoder } from '../../../api/xml/codec.ts';
import { customerCreate, customerSchema } from '../../../api/resources/customers/schema.ts';
import { invoiceRequest } from '../../../api/resources/invoices/schema.ts';
import { orderRequest } from '../../../api/resources/orders/schema.ts';
import { processRequests } from '../../../api/resources/payments/schema.ts';
import { glossary } from '../../../api/docs/glossary/glossary.ts';
import { type DescribedNode, describe } from '../../../api/docs/described.ts';
import { account, amount, card, cash, check, dto, pay, token } from '../payments/bodies.ts';
import { published, routes, schemaOfAnswer, violations } from '../../support/xsd.ts';

const golden = join(import.meta.dirname, '../golden');

test('every golden answer is valid by the XML Schema of its root', (t) => {
  const files = readdirSync(golden).filter((name) => name.endsWith('.xml'));
  t.true(files.length >= 4);
  for (const file of files) {
    // Golden answers number ids in order of appearance.
    const answer = readFileSync(join(golden, file), 'utf8').replaceAll('id="#', 'id="');
    t.deepEqual(violations(schemaOfAnswer(answer), answer), [], file);
  }
});

test('sums beyond the limit of requests are valid in answers, by XML Schema and by OpenAPI', (t) => {
  // Two invoices of 999,999,999,999.99, the most that one charge may cost.
  const owed = '1999999999999.98';
  const answer = readFileSync(join(golden, 'customer.xml'), 'utf8')
    .replaceAll('id="#', 'id="')
    .replace(/<currentBalance>[^<]*/, `<currentBalance>${owed}`)
    .replace(/<outstandingBalance>[^<]*/, `<outstandingBalance>${owed}`);
  t.deepEqual(violations(schemaOfAnswer(answer), answer), []);
  t.true(
    customerSchema.shape.customerFinancials.unwrap().shape.currentBalance.safeParse(owed).success,
  );
});

test('schemas keep their addresses', (t) => {
  const names = new Set(published.map(({ name }) => name));
  const once =
    'billingContact billingContact-request canEdit contractOffering contractOffering-list customer ' +
    'customer-create customer-list customer-update health invoice invoice-list invoice-request ' +
    'autopay-request payment payment-list paymentMethod-list processCredit-request ' +
    'processPayment-request processPaymentWithAutopay-request processRefund-request ' +
    'salesContact salesContact-request status subscriptionOrder subscriptionOrder-list ' +
    'subscriptionOrder-request testClock';
  t.deepEqual(
    once.split(' ').filter((name) => !names.has(name)),
    [],
  );
});

interface Case {
  readonly why: string;
  readonly codec: Pick<Decoder<unknown>, 'schema' | 'decode'>;
  readonly xml: string;
  readonly isAccepted: boolean;
}

const at = (preference: number): string => `<autopayPreference>${preference}</autopayPreference>`;
const contact = '<billingContact><firstName>Ada</firstName></billingContact>';
const customer = (inner: string) => `<customer>${inner}</customer>`;
const order = (inner: string) => `<subscriptionOrder>${inner}</subscriptionOrder>`;

const cases: readonly Case[] = [
  ...[
    ['in any order', `${contact}<name>A</name><locale>en_US</locale>`],
    ['the same turned round', `<locale>en_US</locale><name>A</name>${contact}`],
    ['blanks around values', `${contact}<locale> en_US\n</locale><currency id=" USD "/>`],
    ['blanks around numbers', `${contact}<paymentTermsValue> +014 </paymentTermsValue>`],
    ['empty elements clear', `${contact}<locale/><paymentTermsValue/><currency/><salesContact/>`],
    ['a boolean as a number', `${contact}<isBusinessAccount>1</isBusinessAccount>`],
    [
      'read-only elements',
      `${contact}<status>Odd</status><customerFinancials><x/></customerFinancials>`,
    ],
    [
      'an empty read-only contact id',
      '<billingContact id="7"><firstName>A</firstName></billingContact>',
    ],
    ['text at its longest', `${contact}<extCustomerRef>${'x'.repeat(50)}</extCustomerRef>`],
    [
      'prefixes as tools declare them',
      '<billingContact xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><firstName>A</firstName></billingContact>',
    ],
    ['a password with blanks', '<billingContact><passwd> x </passwd></billingContact>'],
  ].map(([why = '', inner = '']) => ({
    why,
    codec: customerCreate,
    isAccepted: true,
    xml: customer(inner),
  })),
  ...[
    ['without its contact', '<name>A</name>'],
    ['an unknown element', `${contact}<salary>1</salary>`],
    ['an unknown attribute', '<billingContact kind="x"/>'],
    ['a repeated element', `${contact}<name>A</name><name>B</name>`],
    ['text between elements', `${contact}text`],
    ['text too long', `${contact}<extCustomerRef>${'x'.repeat(51)}</extCustomerRef>`],
    ['a wrong locale', `${contact}<locale>en-US</locale>`],
    ['a number out of its range', `${contact}<paymentTermsValue>-1</paymentTermsValue>`],
    ['a wrong unit', `${contact}<paymentTermsUnits>Weeks</paymentTermsUnits>`],
    ['a wrong currency', `${contact}<currency id="usd"/>`],
  ].map(([why = '', inner = '']) => ({
    why,
    codec: customerCreate,
    isAccepted: false,
    xml: customer(inner),
  })),
  ...[
    ['an empty list', '<orderLineItems/>', true],
    [
      'several lines',
      '<orderLineItems><orderLineItem/><orderLineItem id="3"/></orderLineItems>',
      false,
    ],
    [
      'two lines',
      '<orderLineItems><orderLineItem id="2"/><orderLineItem id="3"/></orderLineItems>',
      true,
    ],
    [
      'decimals',
      `<orderLineItems><orderLineItem><quantity>+.5</quantity></orderLineItem></orderLineItems>`,
      true,
    ],
    [
      'a large decimal',
      `<orderLineItems><orderLineItem><quantity>999999999999.999999</quantity></orderLineItem></orderLineItems>`,
      true,
    ],
    [
      'too large a decimal',
      `<orderLineItems><orderLineItem><quantity>1000000000000</quantity></orderLineItem></orderLineItems>`,
      false,
    ],
    [
      'an exponent',
      `<orderLineItems><orderLineItem><quantity>1e3</quantity></orderLineItem></orderLineItems>`,
      false,
    ],
    ['a date', '<startDate>2027-02-28</startDate>', true],
    ['a date that does not exist', '<startDate>2027-02-30</startDate>', false],
    ['a date with a zone', '<startDate>2027-02-28Z</startDate>', false],
    ['a status', '<orderStatus>Draft</orderStatus>', true],
    ['no status', '<orderStatus>Done</orderStatus>', false],
    ['an id that is none', '<customer id="0"/>', false],
    ['lists of references are read only', '<invoices><invoice id="1"/><other/></invoices>', true],
  ].map(([why, inner, isAccepted]) => ({
    why: String(why),
    codec: orderRequest,
    isAccepted: isAccepted === true,
    xml: order(String(inner)),
  })),
  ...[
    ['a card', `${amount('10')}${card()}`, true],
    ['a card before its amount', `${card()}${amount('10')}`, true],
    ['a bank account', `${amount('10')}${account()}`, true],
    ['a check', `${amount('10')}${check('<checkDate>2027-01-01</checkDate>')}`, true],
    ['a token with blanks', `${amount(' 10 ')}${token(' tok_ok ')}`, true],
    ['empty elements', `${amount('10')}${cash('<notes/>')}<invoices/><totalSurcharge/>`, true],
    ['no method', amount('10'), true],
    ['no amount', card(), false],
    ['an unknown type', `${amount('10')}${dto('Wire', '')}`, false],
    ['no card number', `${amount('10')}${card({ number: '' })}`, false],
    ['a fourth preference', `${amount('10')}${token('t', at(4))}`, false],
    ['a method that is not known', `${amount('10')}${dto('Cash', '<wire/>')}`, false],
    [
      'two methods in one',
      `${amount('10')}${dto('Cash', '<cashPaymentMethod/><checkPaymentMethod/>')}`,
      false,
    ],
    [
      'a method that is not of its type',
      `${amount('10')}${dto('Cash', '<checkPaymentMethod/>')}`,
      false,
    ],
    ['a wrong check digit', `${amount('10')}${card({ number: '4111111111111112' })}`, false],
    ['a method without its child', `${amount('10')}${dto('Cash', '')}`, false],
  ].map(([why, inner, isAccepted]) => ({
    why: String(why),
    codec: processRequests.Payment,
    isAccepted: isAccepted === true,
    xml: pay(String(inner)),
  })),
  {
    why: 'a manual invoice with an empty charges element',
    codec: invoiceRequest,
    xml: '<invoice><invoiceLineItems><invoiceLineItem><notes/></invoiceLineItem></invoiceLineItems></invoice>',
    isAccepted: false,
  },
  {
    why: 'a line with an empty charges element',
    codec: invoiceRequest,
    xml: '<invoice><invoiceLineItems><invoiceLineItem><invoiceLineItemCharges/></invoiceLineItem></invoiceLineItems></invoice>',
    isAccepted: true,
  },
];

/**
 * The schema is wider here: only the parser knows whether an item may be empty, or which of them.
 */
const widerThanTheParser = new Set([
  'several lines',
  'two methods in one',
  'a method that is not of its type',
  'a wrong check digit',
  'a method without its child',
]);

for (const { why, codec, xml, isAccepted } of cases) {
  test(`the XML Schema and the parser agree: ${why}, ${isAccepted ? 'accepted' : 'refused'}`, (t) => {
    const schema = published.find((each) => each.schema === codec.schema);
    if (schema === undefined) return t.fail('not published');
    if (isAccepted) t.notThrows(() => codec.decode(xml));
    else t.throws(() => codec.decode(xml));
    const found = violations(schema, xml);
    t.is(found.length === 0, isAccepted || widerThanTheParser.has(why), found.join('\n'));
  });
}

test('every element, attribute and query parameter has a description, and no description is unused', (t) => {
  const unused = new Set<string>(Object.keys(glossary));
  const missing: string[] = [];
  const visit = (node: DescribedNode, name: string): void => {
    if (node.items !== undefined) visit(node.items, node.items.xml?.name ?? 'item');
    for (const [key, field] of Object.entries(node.properties ?? {})) {
      if (field.description === undefined) missing.push(`${name}.${key}`);
      unused.delete(`${name}.${key}`);
      if (name !== '?' && !Object.hasOwn(glossary, `${name}.${key}`)) unused.delete(key);
      visit(field, key);
    }
  };
  for (const { node, root } of published) visit(node, root);
  for (const { query } of routes) visit(describe(query, '?'), '?');
  t.deepEqual(missing, []);
  t.deepEqual([...unused], []);
});
