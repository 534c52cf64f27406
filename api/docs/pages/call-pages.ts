/** A page for each call: its address, examples, parameters, fields, errors, related calls. */
import type { XmlRoute } from '../../calls/route-types.ts';
import { errorsOfCall, successesOf } from '../call-errors.ts';
import { rightInWords, addressOf, hrefOf, pageOf, selectorOf, titleOf } from '../calls.ts';
import type { DescribedNode } from '../described.ts';
import type { PublishedSchema } from '../schemas.ts';
import type { CatalogueEntry } from '../errors.ts';
import { exampleOn, stepsOf } from '../examples/examples.ts';
import { type ShownField, fieldList, fieldsOf } from './fields.ts';
import type { Group, Page } from './frame.ts';
import { type Guide, guideTitle } from './guides.ts';
import { addressed, escapeHtml, exampleBlock, link, methodOf } from './markup.ts';
import { operationIdOf, parametersOf } from '../openapi/openapi.ts';
import { sharedParameters, tagOf, tags } from '../openapi/shared.ts';

export interface Reference {
  readonly routes: readonly XmlRoute[];
  readonly schemas: readonly PublishedSchema[];
}

/** The calls of each subject, in the order of the interface's tags. */
export function callsBySubject(routes: readonly XmlRoute[]) {
  return tags
    .map(({ name, description }) => ({
      name,
      description,
      id: name.toLowerCase().replaceAll(' ', '-'),
      routes: routes.filter(({ path }) => tagOf(path) === name),
    }))
    .filter((subject) => subject.routes.length > 0);
}

export const callGroups = (routes: readonly XmlRoute[]): Group[] =>
  callsBySubject(routes).map(({ name, routes: here }) => ({
    title: name,
    links: here.map((route) => ({
      href: hrefOf(route),
      text: addressOf(route),
      method: route.method,
    })),
  }));

export function callsPage({ routes }: Reference): Page {
  const sections = callsBySubject(routes).map(({ name, description, id, routes: here }) => {
    const items = here.map(
      (route) => `<li><a href="${hrefOf(route)}">${endpointOf(route)}</a>
<span>${escapeHtml(titleOf(route, routes))}</span></li>`,
    );
    return `<h2 id="${id}">${name}</h2>\n<p>${escapeHtml(description)}</p>
<ul class="calls">\n${items.join('\n')}\n</ul>`;
  });
  return {
    title: 'All calls',
    here: '/docs/calls',
    content: `<h1>All calls</h1>
<p>Each call has a page with its parameters, the fields of its documents, its errors, and examples to
paste. ${link('/docs/reference', 'Swagger UI')} lists the same calls and can send them.</p>
${sections.join('\n')}`,
  };
}

const endpointOf = (route: XmlRoute): string =>
  `${methodOf(route.method)} ${addressed(addressOf(route))}`;

export function callPage(route: XmlRoute, reference: Reference): Page {
  const { routes } = reference;
  const title = titleOf(route, routes);
  const subject = callsBySubject(routes).find((each) => each.routes.includes(route));
  const examples = stepsOf(route).map((step) => exampleOn(pageOf(route), step));
  return {
    title,
    here: hrefOf(route),
    layout: 'call-page',
    content: `<div class="lead">
<p class="trail">${link('/docs/calls', 'All calls')} / ${link(`/docs/calls#${subject?.id ?? ''}`, subject?.name ?? '')}</p>
<h1>${escapeHtml(title)}</h1>
<p class="endpoint">${methodOf(route.method)} <code>/rest${escapeHtml(addressOf(route))}</code></p>
${noteOf(route)}
</div>
<div class="examples">
<h2 id="examples">Examples</h2>
${examples.map((example) => exampleBlock(example, 'h3')).join('\n')}
</div>
<div class="about">
${[parametersPart(route), requestPart(route, reference), answerPart(route, reference), errorsPart(route), relatedPart(route, reference)].join('\n')}
</div>`,
  };
}

interface OpenApiParameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description: string;
  readonly schema: DescribedNode;
}

/** The parameters of a call, those of the path first. */
export function parameterFields(route: XmlRoute): (ShownField & { readonly place: string })[] {
  const listed = parametersOf([route]) as unknown as readonly OpenApiParameter[];
  return listed
    .filter((each) => route.givesText || isWorthIt(each))
    .map((each) => {
      const name = each.$ref?.split('/').at(-1);
      const shared =
        name === undefined ? each : (sharedParameters[name] as unknown as OpenApiParameter);
      const { description, schema } = shared;
      return {
        name: shared.name,
        place: shared.in,
        isRequired: shared.required,
        node: { ...schema, description },
      };
    });
}

/** A call with one format has nothing to choose from. */
const isWorthIt = ({ name, schema }: OpenApiParameter): boolean =>
  name !== 'format' || (schema.enum?.length ?? 0) > 1;

function parametersPart(route: XmlRoute): string {
  const fields = parameterFields(route);
  const parts = [
    ['path', 'In the path'],
    ['query', 'In the query'],
    ['header', 'In headers'],
  ] as const;
  const lists = parts.flatMap(([place, words]) => {
    const here = fields.filter((field) => field.place === place);
    return here.length === 0 ? [] : [`<h3>${words}</h3>\n${fieldList(here, place)}`];
  });
  return `<h2 id="parameters">Parameters</h2>\n${lists.join('\n')}`;
}

const schemaOf = (schema: unknown, { schemas }: Reference): PublishedSchema | undefined =>
  schemas.find((each) => each.schema === schema);

function requestPart(route: XmlRoute, reference: Reference): string {
  const documents = route.request?.documents ?? [];
  if (documents.length === 0) return '';
  const lists = documents.map(({ name, schema }) => {
    const published = schemaOf(schema, reference);
    if (published === undefined) return '';
    const fields = fieldsOf(published.node, ({ node }) => node.readOnly !== true);
    return `<p>Root element <code>&lt;${name}&gt;</code>, ${schemaLink(published)}.</p>
${fieldList(fields, documents.length === 1 ? 'request' : `request.${name}`)}`;
  });
  return `<h2 id="request">Request document</h2>
<p>Elements may come in any order. Read-only elements of the answer are accepted and ignored.</p>
${lists.join('\n')}`;
}

const schemaLink = ({ name }: PublishedSchema): string =>
  link(`/schema/${name}.xsd`, `XML Schema ${name}.xsd`);

function answerPart(route: XmlRoute, reference: Reference): string {
  const published = schemaOf(route.response.schema, reference);
  if (published === undefined) return '';
  const { node, root } = published;
  const item = node.items?.xml?.name;
  const of = item === undefined ? '' : ` of <code>&lt;${item}&gt;</code> elements`;
  const statuses = Object.keys(successesOf(route));
  const others = route.formats.filter((format) => format !== 'xml');
  const formats =
    others.length === 0
      ? ''
      : ` With <code>format</code> it is ${others.join(' or ').toUpperCase()}.`;
  const text = route.givesText
    ? ' Without a format it is the address alone, as <code>text/text</code>.'
    : '';
  const alone = (route.response.others ?? []).map(({ name, schema, status }) => {
    const other = schemaOf(schema, reference);
    const when = status === undefined ? 'Asked for one' : `With ${status}`;
    return other ? ` ${when}: <code>&lt;${name}&gt;</code>, ${schemaLink(other)}.` : '';
  });
  return `<h2 id="answer">Answer</h2>
<p>Status ${statuses.join(' or ')}. Root element <code>&lt;${root}&gt;</code>${of}, ${schemaLink(published)}.${alone.join('')}${formats}${text}</p>
${fieldList(fieldsOf(node), 'answer')}`;
}

function errorsPart(route: XmlRoute): string {
  const { own, shared } = errorsOfCall(route);
  const count = `${shared.length} further codes, of every call of this kind`;
  const list = own.length === 0 ? '<p>None of its own.</p>' : errorList(own);
  return `<h2 id="errors">Errors</h2>
${list}
<details><summary>${count}</summary>
${errorList(shared)}
</details>`;
}

const errorList = (entries: readonly CatalogueEntry[]): string =>
  `<ul class="fields">\n${entries
    .map(
      ({ code, statuses, meaning }) =>
        `<li>${`<a href="/docs/errors#${code}"><code>${code}</code></a>`} ` +
        `<span class="type">${statuses.join(', ')}</span><p>${escapeHtml(meaning)}</p></li>`,
    )
    .join('\n')}\n</ul>`;

const guideOfSubject: Readonly<Record<string, Guide>> = {
  Usage: 'usage',
  Customers: 'first-order',
  Plans: 'first-order',
  Orders: 'first-order',
  Invoices: 'paging-and-windows',
  Payments: 'payments',
  Users: 'users-and-rights',
  'Test clock': 'test-clocks',
  Commissions: 'commissions',
  'Hosted pages': 'signups',
};

const guideOfPath: Readonly<Record<string, Guide>> = {
  '/changeOrder': 'changes',
  '/order/:id/salesAgent': 'commissions',
  '/order/salesAgent': 'commissions',
  '/widget/start': 'self-service',
  '/invoice/:id/payLink': 'pay-links',
  '/invoice/payLink': 'pay-links',
};

/** The calls of the same address or the same meaning, the guide, the same call in Swagger UI. */
function relatedPart(route: XmlRoute, { routes }: Reference): string {
  const [, noun = ''] = /^\/(\w+?)s?(?=\/|$)/.exec(route.path) ?? [];
  const isNear = (each: XmlRoute) =>
    each !== route &&
    (each.summary === route.summary ||
      each.path === route.path ||
      new RegExp(`^/${noun}s?(/:id)?$`).test(each.path));
  const calls = routes.filter(isNear).map(
    (each) => `<li><a href="${hrefOf(each)}">${endpointOf(each)}</a>
<span>${escapeHtml(titleOf(each, routes))}</span></li>`,
  );
  const tag = tagOf(route.path);
  const bySubject = route.isPreview ? 'prices' : (guideOfSubject[tag] ?? 'documents');
  const guide = guideOfPath[route.path] ?? bySubject;
  const operation = `/docs/reference#/${tag.replaceAll(' ', '%20')}/${operationIdOf(route)}`;
  return `<h2 id="related">Related</h2>
<ul class="calls">\n${calls.join('\n')}\n</ul>
<p>Guide: ${link(`/docs/guides/${guide}`, guideTitle(guide))}. ${link(operation, 'Send it with Swagger UI')}.</p>`;
}

/* What stands below the title of a call's page: what is special about the call. */

export function noteOf(route: XmlRoute): string {
  const { isDeprecated, selection, otherStatus, status, isWrite, validatesAddresses } = route;
  const named = selection.values.filter((value) => value !== undefined);
  const isOptional = named.length < selection.values.length;
  const alias = named.map((value) => `<code>${selectorOf(route)}=${value}</code>`).join(', ');
  const notes = [
    ...(isDeprecated ? ['<strong>Deprecated.</strong> It keeps working.'] : []),
    ...(isOptional && named.length > 0
      ? [`${alias} means the same as no ${selection.names[0]}.`]
      : []),
    ...(otherStatus !== undefined && [status, otherStatus].includes(202)
      ? [`It answers ${Math.min(status, otherStatus)} once it is finished, else 202.`]
      : []),
    ...(validatesAddresses ? [validation] : []),
    ...(isWrite
      ? [`An ${link('/docs/guides/idempotency', 'Idempotency-Key')} makes it safe to send again.`]
      : []),
  ];
  const callers = rightInWords(route).replaceAll(/`(\w+)`/g, '<code>$1</code>');
  const rights = `${callers} ${link('/docs/guides/users-and-rights', guideTitle('users-and-rights'))}.`;
  return `<p>${[...notes, rights].join(' ')}</p>`;
}

const validation =
  'If the tenant has addresses validated, it answers 200, or 201 with a <code>&lt;status&gt;</code> ' +
  `for an address that is saved and invalid, or not validated: ${link('/docs/guides/prices#address-validation', 'the guide')} has the rules.`;
