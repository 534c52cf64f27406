/** The parts of OpenAPI that all calls share: introduction, tags, parameters, refusals. */
import { whyRefused } from '../../../domain/access/rights.ts';
import type { ErrorCode } from '../../calls/catalogue.ts';
import { statusCodec } from '../../calls/status-schema.ts';
import { indented } from '../../xml/xsd.ts';
import type { DescribedNode } from '../described.ts';
import type { PublishedSchema } from '../schemas.ts';

export const introduction = `The REST interface of a recurring billing system: customers, orders of plans, invoices,
payments.

Documents are XML in UTF-8. The host name selects the tenant, and HTTP Basic credentials the user.
The elements of a request may come in any order. An absent element keeps its value, an empty one
clears it, and a read-only one is ignored, so a client can change and send back what it read.

Every failed call answers a \`status\` document whose \`error\` elements have a stable \`code\`, the
\`path\` of the element or parameter at fault, and the offending \`value\`.

[Guides](/docs) · [Errors](/docs/errors) · [XML Schemas](/schema/)`;

export const tags: readonly { readonly name: string; readonly description: string }[] = [
  { name: 'Customers', description: 'Customers with their billing and sales contacts.' },
  { name: 'Plans', description: "Plans, which the tenant's file declares; read only." },
  { name: 'Orders', description: 'Subscription orders and the actions on them.' },
  { name: 'Invoices', description: 'Read, create by hand and cancel invoices.' },
  { name: 'Usage', description: 'Records of metered usage.' },
  { name: 'Payments', description: 'Payments, credits and refunds.' },
  { name: 'Commissions', description: 'Sales agents, their plans, and what they have earned.' },
  { name: 'Hosted pages', description: 'Pages that a site of the tenant shows in a frame.' },
  { name: 'Users', description: 'Users of the interface, for admins.' },
  { name: 'Test clock', description: 'The time of a tenant on a test clock.' },
  { name: 'Other', description: 'Further calls.' },
];

/** By the first word of the path; usage and sessions by the last one. */
export function tagOf(path: string): string {
  if (/\/activit(y|ies)\b/.test(path)) return 'Usage';
  if (path.endsWith('/sessions')) return 'Hosted pages';
  const [, word = ''] = path.split('/');
  if (word.startsWith('customer')) return 'Customers';
  if (word.startsWith('plan')) return 'Plans';
  if (/^(order|quote|changeOrder)/.test(word)) return 'Orders';
  if (word.startsWith('invoice')) return 'Invoices';
  if (/^(payment|credit|refund)s?$/.test(word)) return 'Payments';
  if (/^(commission|salesAgent)/.test(word)) return 'Commissions';
  if (/^users?$/.test(word)) return 'Users';
  if (word === 'signup' || word === 'widget') return 'Hosted pages';
  return word === 'testClock' ? 'Test clock' : 'Other';
}

export const sharedParameters: Readonly<Record<string, Json>> = {
  idempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'The same key with the same request within 24 hours gets the first answer again, with the ' +
      'header Idempotency-Replayed: true; the call is not executed again.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
  },
  ifMatch: {
    name: 'If-Match',
    in: 'header',
    required: false,
    description: 'The ETag of the object as read: the call gets 412 if it has changed.',
    schema: { type: 'string', examples: ['"3"'] },
  },
  requestId: {
    name: 'X-Request-Id',
    in: 'header',
    required: false,
    description:
      'Returned in the answer and written to the log; generated if absent, or if it is not 1 to ' +
      '128 letters, digits and ._:/+=- in ASCII.',
    schema: { type: 'string' },
  },
};

export const sharedHeaders: Readonly<Record<string, Json>> = {
  requestId: {
    description: 'Identifies the request in the log.',
    schema: { type: 'string' },
  },
  etag: {
    description: 'The version of a single customer, order, invoice or payment, for If-Match.',
    required: false,
    schema: { type: 'string' },
  },
  deprecation: {
    description: 'Since when another call does it better: @ and a Unix time (RFC 9745).',
    schema: { type: 'string', examples: ['@1795824000'] },
  },
  deprecationLink: {
    description: 'With rel="deprecation" the page that says what to do instead.',
    schema: { type: 'string' },
  },
  sunset: {
    description: 'From when on the call may be gone (RFC 8594).',
    schema: { type: 'string' },
  },
  idempotencyReplayed: {
    description: 'true when the answer is that of an earlier request under the same key.',
    required: false,
    schema: { type: 'string', enum: ['true'] },
  },
};

interface SharedResponse extends Json {
  readonly description: string;
}

const refusal = (
  description: string,
  error: readonly [code: ErrorCode, message: string],
  headers: Json = {},
): SharedResponse => {
  const [code, text] = error;
  const example = indented(statusCodec.encode({ success: false, errors: [{ code, text }] }));
  const schema = { $ref: '#/components/schemas/status' };
  return {
    description,
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    content: { 'application/xml': { schema, example } },
  };
};

const retryAfter = {
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } },
};

export const sharedResponses: Readonly<Record<string, SharedResponse>> = {
  '400': refusal('The request is wrong; the errors list every mistake, and nothing was changed.', [
    'query.range',
    'max must be a whole number from 0 to 1000, not "1001"',
  ]),
  '401': refusal('The host name belongs to no tenant, or the credentials are rejected.', [
    'auth.invalid',
    'The credentials are rejected',
  ]),
  '403': refusal(
    'The call came over plain HTTP, or the user lacks the role ROLE_API or the right to the call.',
    ['auth.role', whyRefused(['write'], ['read'])],
  ),
  '404': refusal('The addressed object does not exist.', [
    'customer.unknown',
    'There is no such customer',
  ]),
  '409': refusal(
    'The Idempotency-Key is in use or belongs to another request, or a test clock is advancing.',
    ['testClock.advancing', 'the clock is advancing to 2027-02-01'],
  ),
  '412': refusal('The object has changed since the version in If-Match.', [
    'object.changed',
    'the customer has changed meanwhile',
  ]),
  '413': refusal('The body is larger than 8 MiB.', [
    'document.tooLarge',
    'The body is larger than 8 MiB',
  ]),
  '415': refusal('The body is not XML in UTF-8.', [
    'document.contentType',
    'The body must be application/xml or text/xml in UTF-8',
  ]),
  '429': refusal(
    "Too many wrong passwords, or more requests than the user's requestsPerMinute.",
    ['auth.tooManyAttempts', 'Too many wrong passwords; wait 60 s'],
    retryAfter,
  ),
  '500': refusal('The service failed; the text says whether anything was changed.', [
    'service.fault',
    'The service failed; nothing was changed',
  ]),
  '503': refusal(
    'The service cannot answer now; it changed nothing, unless it is service.outcomeUnknown.',
    ['service.unavailable', 'The service cannot answer now, and nothing was changed; try again'],
    retryAfter,
  ),
};

/* Schemas of documents as OpenAPI's components. */

export type Json = Readonly<Record<string, unknown>>;

export function componentOf(published: PublishedSchema, all: readonly PublishedSchema[]): Json {
  const { node, direction, root, about, name } = published;
  const schema = jsonOf(node, direction, (item) => referenceTo(item, all));
  const description = `${about} XML Schema: /schema/${name}.xsd`;
  const xml = { ...(schema['xml'] as Json | undefined), name: root };
  return { title: name, ...schema, description, xml };
}

/** The items of a list are often a published document. */
function referenceTo(item: DescribedNode, all: readonly PublishedSchema[]): Json | undefined {
  const content = JSON.stringify(item.properties);
  const found = all.find(
    ({ node, direction, root }) =>
      direction === 'response' &&
      root === item.xml?.name &&
      JSON.stringify(node.properties) === content,
  );
  return found === undefined ? undefined : { $ref: `#/components/schemas/${found.name}` };
}

function jsonOf(
  node: DescribedNode,
  direction: PublishedSchema['direction'],
  reference: (item: DescribedNode) => Json | undefined,
): Json {
  const { nullable, properties, items, required, xml, 'x-expected': expected, ...rest } = node;
  const inner = (each: DescribedNode) => jsonOf(each, direction, reference);
  const fields = Object.entries(properties ?? {});
  // A request may omit empty elements; in an answer an empty element is null.
  const type = nullable === true && direction === 'response' ? [node.type, 'null'] : node.type;
  const isOpen = nullable === true && direction === 'response' && node.enum !== undefined;
  return {
    ...rest,
    ...(type === undefined ? {} : { type }),
    ...(isOpen ? { enum: [...(node.enum ?? []), null] } : {}),
    ...(expected === undefined ? {} : { 'x-expected': expected }),
    ...(xml === undefined ? {} : { xml: hintsOf(xml) }),
    ...(items === undefined ? {} : { items: reference(items) ?? inner(items) }),
    ...(properties === undefined
      ? {}
      : { properties: Object.fromEntries(fields.map(([key, field]) => [key, inner(field)])) }),
    ...(mustHoldSomething(node, direction) ? { minProperties: 1 } : {}),
    ...(required === undefined || required.length === 0 ? {} : { required }),
  };
}

/** An empty element of a request means none, which is not an object. */
const mustHoldSomething = (
  { properties, nullable, required }: DescribedNode,
  direction: PublishedSchema['direction'],
): boolean =>
  direction === 'request' &&
  properties !== undefined &&
  nullable !== true &&
  (required === undefined || required.length === 0);

/** `nodeType` comes from OpenAPI 3.2; 3.1 accepts it as an extension. */
function hintsOf({ nodeType, ...hints }: NonNullable<DescribedNode['xml']>): Json {
  return nodeType === undefined ? hints : { ...hints, 'x-nodeType': nodeType };
}
