/** The parts of a call's page: what is special about it, its parameters, the fields of its documents, its errors. */
import type { XmlRoute } from '../../calls/route-types.ts';
import { deprecationInWords } from '../../calls/deprecation.ts';
import { errorsOfCall, successesOf } from '../call-errors.ts';
import { type Call, nameOfForm, rightInWords, selectorOf } from '../calls.ts';
import type { DescribedNode } from '../described.ts';
import type { CatalogueEntry } from '../errors.ts';
import { exampleOfCode } from '../examples/examples.ts';
import { parametersOf } from '../openapi/openapi.ts';
import { sharedParameters } from '../openapi/shared.ts';
import type { PublishedSchema } from '../schemas.ts';
import { type ShownField, fieldList, fieldsOf } from './fields.ts';
import { guideTitle } from './guides.ts';
import { code, escapeHtml, inlineMarkdown, link } from './markup.ts';
import { remedies } from './remedies.ts';

export interface Reference {
  readonly routes: readonly XmlRoute[];
  readonly schemas: readonly PublishedSchema[];
}

/** What stands below the title of a call's page: what is special about the call. */
export function noteOf(route: XmlRoute): string {
  const { deprecation, selection, otherStatus, status, isWrite, validatesAddresses } = route;
  const named = selection.values.filter((value) => value !== undefined);
  const isOptional = named.length < selection.values.length;
  const alias = named.map((value) => `<code>${selectorOf(route)}=${value}</code>`).join(', ');
  const notes = [
    ...(deprecation
      ? [`<strong>Deprecated</strong> ${inlineMarkdown(deprecationInWords(deprecation))}`]
      : []),
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
  `for an address that is saved and invalid, or not validated: ${link('/docs/guides/tax#address-validation', 'the guide')} has the rules.`;

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

/** Those of all forms; one that not all of them have says which. */
export function parametersPart({ forms }: Call): string {
  const fields = new Map<string, ShownField & { readonly place: string }>();
  for (const form of forms) {
    for (const field of parameterFields(form)) {
      const having = forms.filter((each) =>
        parameterFields(each).some(
          ({ name, place }) => name === field.name && place === field.place,
        ),
      );
      const only = having.length < forms.length ? ` (${having.map(nameOfForm).join(', ')})` : '';
      const { description = '' } = field.node;
      const key = `${field.place} ${field.name}`;
      if (!fields.has(key)) {
        const node = { ...field.node, description: `${description}${only}` };
        fields.set(key, { ...field, node });
      }
    }
  }
  const parts = [
    ['path', 'In the path'],
    ['query', 'In the query'],
    ['header', 'In headers'],
  ] as const;
  const lists = parts.flatMap(([place, words]) => {
    const here = [...fields.values()].filter((field) => field.place === place);
    return here.length === 0 ? [] : [`<h3>${words}</h3>\n${fieldList(here, place)}`];
  });
  return `<h2 id="parameters">Parameters</h2>\n${lists.join('\n')}`;
}

const schemaOf = (schema: unknown, { schemas }: Reference): PublishedSchema | undefined =>
  schemas.find((each) => each.schema === schema);

export function requestPart(route: XmlRoute, reference: Reference): string {
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

export function answerPart(route: XmlRoute, reference: Reference): string {
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

export function errorsPart(route: XmlRoute): string {
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
        `<span class="type">${statuses.join(', ')}</span>` +
        `<p>${escapeHtml(meaning)}${remedyWords(code)}</p>${errorExample(code)}</li>`,
    )
    .join('\n')}\n</ul>`;

/** What a guide says to do about it. */
export function remedyWords(name: string): string {
  const remedy = remedies().get(name);
  if (remedy === undefined) return '';
  return ` ${inlineMarkdown(remedy.words)} (${link(`${remedy.href}#when-it-goes-wrong`, guideTitle(remedy.name))})`;
}

/** An answer with the code, where an example has one. */
function errorExample(name: string): string {
  const example = exampleOfCode(name);
  if (example === undefined) return '';
  const label = `Answer ${name}`;
  return `<details><summary>Example of the answer</summary>
${code(example.answer, { language: 'xml', label })}</details>`;
}
