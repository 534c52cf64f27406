/** What OpenAPI says once for all calls: introduction, tags, parameters, refusals. */
import type { Json } from './components.ts';

export const introduction = `The REST interface of a recurring billing system: customers, orders of plans, invoices.

Documents are XML in UTF-8. The host name chooses the tenant, HTTP Basic credentials the user. In a
request the order of elements is free; an element that is absent stays, an empty one is cleared, a
read-only one is accepted and ignored, so that what was read can be changed and sent back.

Every failed call answers a \`status\` document whose \`error\` elements carry a stable \`code\`, the
\`path\` of the element or parameter at fault, and the offending \`value\`.

[Guides](/docs) · [Errors](/docs/errors) · [XML Schemas](/schema/)`;

export const tags: readonly { readonly name: string; readonly description: string }[] = [
  { name: 'Customers', description: 'Customers with their billing and sales contacts.' },
  { name: 'Plans', description: "Declared in the tenant's file; only read here." },
  { name: 'Orders', description: 'Subscription orders and the actions on them.' },
  { name: 'Invoices', description: 'Read, made by hand, cancelled.' },
  { name: 'Test clock', description: 'Time of a tenant that lives on a test clock.' },
  { name: 'Other', description: 'Further calls.' },
];

/** By the first word of the path. */
export function tagOf(path: string): string {
  const [, word = ''] = path.split('/');
  if (/^customer/.test(word)) return 'Customers';
  if (/^plan/.test(word)) return 'Plans';
  if (/^(order|quote|changeOrder)/.test(word)) return 'Orders';
  if (/^invoice/.test(word)) return 'Invoices';
  return word === 'testClock' ? 'Test clock' : 'Other';
}

export const sharedParameters: Readonly<Record<string, Json>> = {
  format: {
    name: 'format',
    in: 'query',
    required: false,
    description: 'The format of the answer; xml by default.',
    schema: { type: 'string', enum: ['xml'] },
  },
  idempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'The same key with the same request within 24 hours answers as the first time, with the ' +
      'header Idempotency-Replayed: true, and does nothing again.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
  },
  requestId: {
    name: 'X-Request-Id',
    in: 'header',
    required: false,
    description: 'Comes back in the answer and stands in the log; made up where none is sent.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9._:/+=-]{1,128}$' },
  },
};

interface SharedResponse extends Json {
  readonly description: string;
}

const refusal = (description: string, headers: Json = {}): SharedResponse => ({
  description,
  ...(Object.keys(headers).length === 0 ? {} : { headers }),
  content: { 'application/xml': { schema: { $ref: '#/components/schemas/status' } } },
});

const retryAfter = {
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } },
};

export const sharedResponses: Readonly<Record<string, SharedResponse>> = {
  '400': refusal('The request is wrong; every error names what, and nothing was changed.'),
  '401': refusal('The host name belongs to no tenant, or the credentials are rejected.'),
  '403': refusal('Not over plain HTTP, or without the role ROLE_API.'),
  '404': refusal('The addressed object does not exist.'),
  '409': refusal('The Idempotency-Key is in use or was used otherwise, or a test clock is moving.'),
  '413': refusal('The body is larger than 8 MiB.'),
  '415': refusal('The body is no XML in UTF-8.'),
  '429': refusal('Too many wrong passwords.', retryAfter),
  '500': refusal('A mistake of the service; nothing was changed.'),
  '503': refusal('The service cannot answer now; a later try may work.', retryAfter),
};
