/** The responses of an operation, and documents in the form of OpenAPI. */
import { examplesOf, referenceOn } from './examples.ts';
import type { Example } from './examples.ts';
import type { XmlRoute } from '../calls/route-types.ts';
import type { Json } from './components.ts';
import { sharedResponses } from './openapi-shared.ts';
import type { PublishedSchema } from './schemas.ts';
import { successesOf } from './successes.ts';

const XML = 'application/xml';

export function contentOf(
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

export function responsesOf(
  routes: readonly XmlRoute[],
  schemas: readonly PublishedSchema[],
): Json {
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
    ? 'Success; a status lists what is wrong with an address that is saved and invalid, or not validated.'
    : 'Success.';
}

function headersOf(routes: readonly XmlRoute[]): Json {
  const isWrite = routes.some((route) => route.isWrite);
  const references = ['requestId', ...(isWrite ? ['idempotencyReplayed'] : ['etag'])];
  const names = {
    requestId: 'X-Request-Id',
    idempotencyReplayed: 'Idempotency-Replayed',
    etag: 'ETag',
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
