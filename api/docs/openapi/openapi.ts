/** Builds OpenAPI 3.1 from the table of routes, with XML hints, security, errors and examples. */
import { rightInWords, selectorOf } from '../calls.ts';
import { type Example, examplesOf, referenceOn, requestOf } from '../examples/examples.ts';
import type { PathParameter, XmlRoute } from '../../calls/route-types.ts';
import { releaseVersion } from '../../../release.ts';
import { deprecationInWords } from '../../calls/deprecation.ts';
import { type DescribedNode, describe } from '../described.ts';
import { type PublishedSchema, templated } from '../schemas.ts';
import {
  type Json,
  componentOf,
  introduction,
  sharedHeaders,
  sharedParameters,
  sharedResponses,
  tagOf,
  tags,
} from './shared.ts';
import { successesOf } from '../call-errors.ts';

export function openApiOf(routes: readonly XmlRoute[], schemas: readonly PublishedSchema[]): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const [path, here] of Map.groupBy(routes, pathOf)) {
    const operations = Map.groupBy(here, ({ method }) => method.toLowerCase());
    paths[path] = Object.fromEntries(
      [...operations].map(([method, together]) => [method, operationOf(together, schemas)]),
    );
  }
  return {
    openapi: '3.1.1',
    info: { title: 'Sundial', version: releaseVersion, description: introduction },
    servers: [
      { url: '/rest', description: "On the tenant's host name" },
      { url: '/rest_v1', description: 'The same calls' },
    ],
    security: [{ basic: [] }],
    tags,
    paths,
    components: {
      schemas: Object.fromEntries(schemas.map((each) => [each.name, componentOf(each, schemas)])),
      parameters: sharedParameters,
      responses: sharedResponses,
      headers: sharedHeaders,
      securitySchemes: {
        basic: {
          type: 'http',
          scheme: 'basic',
          description:
            'A user of the tenant with the role ROLE_API. Each call says whose rights suffice. Nothing is checked before a call is sent.',
        },
      },
    },
  };
}

/**
 * The path includes a deprecated action: OpenAPI deprecates whole operations only, and the other
 * actions of the path are not deprecated.
 */
export function pathOf(route: XmlRoute): string {
  const [value] = route.selection.values;
  const isApart = route.deprecation !== undefined && value !== undefined;
  return templated(route.path) + (isApart ? `?${selectorOf(route)}=${value}` : '');
}

/** The routes of one method and path: one operation of OpenAPI, of which a parameter selects one. */
function operationOf(routes: readonly XmlRoute[], schemas: readonly PublishedSchema[]): Json {
  const [first] = routes;
  if (first === undefined) throw new Error('an operation has a route');
  const body = bodyOf(routes, schemas);
  const description = routes.length === 1 ? aboutOne(first) : selectionInWords(routes);
  return {
    operationId: operationIdOf(first),
    tags: [tagOf(first.path)],
    summary: routes.length === 1 ? first.summary : summaryOf(routes),
    description,
    ...(first.deprecation === undefined ? {} : { deprecated: true }),
    parameters: parametersOf(routes),
    ...(body === undefined ? {} : { requestBody: body }),
    responses: responsesOf(routes, schemas),
  };
}

export function operationIdOf({ method, path, selection, deprecation }: XmlRoute): string {
  const words = path.replaceAll(':', 'by-').split(/[/-]/).filter(Boolean);
  const [value] = selection.values;
  if (deprecation !== undefined && value !== undefined) words.push(value);
  return (
    method.toLowerCase() + words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join('')
  );
}

const aboutOne = (route: XmlRoute): string =>
  [
    ...(route.deprecation ? [`Deprecated ${deprecationInWords(route.deprecation)}`] : []),
    rightInWords(route),
  ].join(' ');

/** `action` or `mode`. */
const wordOf = (routes: readonly XmlRoute[]): string => routes[0]?.selection.names[0] ?? '';

const summaryOf = (routes: readonly XmlRoute[]): string => {
  const values = routes.flatMap(({ selection }) => selection.values.map((each) => each ?? 'none'));
  return `${wordOf(routes) === 'mode' ? 'Modes' : 'Actions'}: ${values.join(', ')}`;
};

function selectionInWords(routes: readonly XmlRoute[]): string {
  const lines = routes.flatMap((route) =>
    route.selection.values.map((value) => {
      const name = value === undefined ? 'without one' : `\`${value}\``;
      return `- ${name}: ${route.summary}. ${rightInWords(route)}`;
    }),
  );
  return `The ${wordOf(routes)} selects what the call does:\n\n${lines.join('\n')}`;
}

export function parametersOf(routes: readonly XmlRoute[]): Json[] {
  const [first] = routes;
  const parameters: Json[] = [];
  for (const [name, kind] of Object.entries(first?.pathParameters ?? {})) {
    parameters.push({ name, in: 'path', required: true, ...pathParameterOf(kind) });
  }
  const selector = selectingParameter(routes);
  if (selector !== undefined) parameters.push(selector);
  const seen = new Set<string>();
  for (const route of routes) {
    const { properties = {}, required = [] } = describe(route.query, '?');
    for (const [name, node] of Object.entries(properties)) {
      if (seen.has(name)) continue;
      seen.add(name);
      parameters.push(queryParameter(name, node, required.includes(name)));
    }
  }
  const formats = [...new Set(routes.flatMap((route) => route.formats))];
  const givesText = routes.some((route) => route.givesText);
  parameters.push(queryParameter('format', formatNode(formats, givesText), false));
  parameters.push(queryParameter('indent', indentNode, false));
  const references = [
    ...(routes.some(({ isWrite }) => isWrite) ? ['idempotencyKey'] : []),
    ...(routes.some(({ isConditional }) => isConditional) ? ['ifMatch'] : []),
    'requestId',
  ].map((name) => ({ $ref: `#/components/parameters/${name}` }));
  return [...parameters, ...references];
}

const pathParameterOf = (kind: PathParameter): Json =>
  kind === 'id'
    ? {
        description: 'The internal id.',
        schema: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
      }
    : { description: 'As an earlier answer has it.', schema: { type: 'string', minLength: 1 } };

const indentNode: DescribedNode = {
  type: 'boolean',
  description: 'Whether an XML answer has one element a line; false by default.',
};

const formatNode = (formats: readonly string[], givesText: boolean): DescribedNode => ({
  type: 'string',
  enum: formats,
  description: givesText
    ? 'The format of the answer: xml for the document; without it the answer is text alone.'
    : 'The format of the answer; xml by default.',
});

function selectingParameter(routes: readonly XmlRoute[]): Json | undefined {
  const [first] = routes;
  // The path names a deprecated action.
  const values = routes.flatMap((route) => (route.deprecation ? [] : route.selection.values));
  const named = values.filter((value) => value !== undefined);
  if (first === undefined || named.length === 0) return undefined;
  return {
    name: selectorOf(first),
    in: 'query',
    required: named.length === values.length,
    description: 'Selects the action of the call.',
    schema: { type: 'string', enum: named },
  };
}

function queryParameter(name: string, node: DescribedNode, required: boolean): Json {
  const { description = '', nullable: _nullable, 'x-expected': expected, ...schema } = node;
  return {
    name,
    in: 'query',
    required,
    description: expected === undefined ? description : `${description} Form: ${expected}.`,
    // An empty parameter counts as absent.
    schema: required && schema.type === 'string' ? { minLength: 1, ...schema } : schema,
  };
}

function bodyOf(
  routes: readonly XmlRoute[],
  schemas: readonly PublishedSchema[],
): Json | undefined {
  const reading = routes.filter(({ request }) => request !== undefined);
  if (reading.length === 0) return undefined;
  const content = contentOf(
    reading.flatMap(({ request }) => request?.documents ?? []).map(({ schema }) => schema),
    schemas,
    reading.flatMap(examplesOf).filter(({ step }) => step.request !== undefined),
    (example) => requestOf(example) ?? '',
  );
  return { required: reading.length === routes.length, content };
}

/* The responses of an operation, and documents in the form of OpenAPI. */

const XML = 'application/xml';

function contentOf(
  wanted: readonly unknown[],
  schemas: readonly PublishedSchema[],
  examples: readonly Example[],
  valueOf: (example: Example) => string,
): Json {
  const names = schemas.filter(({ schema }) => wanted.includes(schema)).map(({ name }) => name);
  const references = names.map((name) => ({ $ref: `#/components/schemas/${name}` }));
  const [only] = references;
  return {
    [XML]: {
      schema: references.length === 1 && only !== undefined ? only : { oneOf: references },
      ...(examples.length === 0
        ? {}
        : {
            examples: Object.fromEntries(
              examples.map((example) => [
                example.step.name,
                {
                  summary: example.step.summary,
                  description: callOf(example),
                  value: valueOf(example),
                },
              ]),
            ),
          }),
    },
  };
}

const callOf = ({ step: { method, path }, page }: Example): string =>
  `\`${method} /rest${path.replaceAll('{ref}', referenceOn(page))}\``;

function responsesOf(routes: readonly XmlRoute[], schemas: readonly PublishedSchema[]): Json {
  const examples = routes.flatMap(examplesOf);
  const successes = routes.flatMap((route) =>
    Object.entries(successesOf(route)).map(([status, documents]) => ({ status, documents, route })),
  );
  const byStatus = Map.groupBy(successes, ({ status }) => status);
  const entries = [...byStatus].map(([status, answers]) => {
    const shown = examples.filter((example) => String(example.status) === status);
    const documents = answers.flatMap((each) => each.documents);
    const content = contentOf(documents, schemas, shown, ({ answer }) => answer);
    const here = answers.map(({ route }) => route);
    const headers = headersOf(here);
    return [
      status,
      {
        description: wordsOf(status, here),
        headers,
        content: { ...content, ...otherContents(here) },
      },
    ] as const;
  });
  const refusals = refusalsOf(routes).map((status) => {
    const shown = examples.filter((example) => example.status === status);
    const shared = { $ref: `#/components/responses/${status}` };
    if (shown.length === 0) return [String(status), shared] as const;
    const content = contentOf([statusSchemaOf(schemas)], schemas, shown, ({ answer }) => answer);
    const description = sharedResponses[String(status)]?.description ?? 'Refused.';
    return [String(status), { description, content }] as const;
  });
  return Object.fromEntries([...entries, ...refusals]);
}

function wordsOf(status: string, routes: readonly XmlRoute[]): string {
  if (status === '202') return 'Accepted, and not finished yet.';
  return status === '201' && routes.some(({ validatesAddresses }) => validatesAddresses)
    ? 'Success; a status lists the faults of an address that is saved and invalid, or not validated.'
    : 'Success.';
}

function headersOf(routes: readonly XmlRoute[]): Json {
  const isWrite = routes.some((route) => route.isWrite);
  const references = [
    'requestId',
    ...(isWrite ? ['idempotencyReplayed'] : ['etag']),
    ...(routes.some(({ deprecation }) => deprecation) ? ['deprecation', 'deprecationLink'] : []),
    ...(routes.some(({ deprecation }) => deprecation?.endsOn) ? ['sunset'] : []),
  ];
  const names = {
    requestId: 'X-Request-Id',
    idempotencyReplayed: 'Idempotency-Replayed',
    etag: 'ETag',
    deprecation: 'Deprecation',
    deprecationLink: 'Link',
    sunset: 'Sunset',
  };
  return Object.fromEntries(
    references.map((name) => [
      names[name as keyof typeof names],
      { $ref: `#/components/headers/${name}` },
    ]),
  );
}

const typesOfFormats: Readonly<Record<string, string>> = {
  html: 'text/html',
  pdf: 'application/pdf',
  csv: 'text/csv',
};

/** The answers other than XML: documents for people, and text alone. */
function otherContents(routes: readonly XmlRoute[]): Json {
  const formats = routes.flatMap((route) => route.formats.filter((format) => format !== 'xml'));
  const types = formats.map((format) => [typesOfFormats[format] ?? format, {}] as const);
  const text = { schema: { type: 'string', description: 'Without a format.' } };
  return Object.fromEntries([
    ...types,
    ...(routes.some(({ givesText }) => givesText) ? [['text/text', text] as const] : []),
  ]);
}

const statusSchemaOf = (schemas: readonly PublishedSchema[]): unknown =>
  schemas.find(({ name }) => name === 'status')?.schema;

/** The statuses of the specification's table, and those that the protocol adds to every call. */
function refusalsOf(routes: readonly XmlRoute[]): number[] {
  const isWrite = routes.some((route) => route.isWrite);
  const isConditional = routes.some((route) => route.isConditional);
  const readsBody = routes.some(({ request }) => request !== undefined);
  return [
    400,
    401,
    403,
    404,
    ...(isWrite ? [409] : []),
    ...(isConditional ? [412] : []),
    ...(readsBody ? [413, 415] : []),
    429,
    500,
    503,
  ];
}
