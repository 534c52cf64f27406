/** A page for each call: its forms, examples, a form to try it, parameters, fields, errors, related calls. */
import type { XmlRoute } from '../../calls/route-types.ts';
import { addressOf, type Call, callsIn, formPageOf, nameOfForm, titleOf } from '../calls.ts';
import { exampleOn, stepsOf } from '../examples/examples.ts';
import { operationIdOf } from '../openapi/openapi.ts';
import { tagOf, tags } from '../openapi/shared.ts';
import {
  answerPart,
  errorsPart,
  noteOf,
  parametersPart,
  type Reference,
  requestPart,
} from './call-parts.ts';
import type { Group, Page } from './frame.ts';
import { type Guide, guideTitle } from './guides.ts';
import { addressed, capital, escapeHtml, exampleBlock, link, methodOf } from './markup.ts';
import { tryForm } from './try-form.ts';

/** The calls of each subject, in the order of the interface's tags. */
export function callsBySubject(routes: readonly XmlRoute[]) {
  const calls = callsIn(routes);
  return tags
    .map(({ name, description }) => ({
      name,
      description,
      id: name.toLowerCase().replaceAll(' ', '-'),
      calls: calls.filter(({ forms: [{ path }] }) => tagOf(path) === name),
    }))
    .filter((subject) => subject.calls.length > 0);
}

export const callGroups = (routes: readonly XmlRoute[]): Group[] =>
  callsBySubject(routes).map(({ name, calls }) => ({
    title: name,
    links: calls.map(({ href, forms: [first] }) => ({
      href,
      text: addressOf(first),
      method: first.method,
    })),
  }));

export function callsPage({ routes }: Reference): Page {
  const all = callsIn(routes);
  const sections = callsBySubject(routes).map(
    ({ name, description, id, calls }) => `<h2 id="${id}">${name}</h2>
<p>${escapeHtml(description)}</p>
${callList(calls, all)}`,
  );
  return {
    title: 'All calls',
    here: '/docs/calls',
    content: `<h1>All calls</h1>
<p>Each call has a page with its forms, parameters, the fields of its documents, its errors, examples to
paste, and a form that sends it. ${link('/docs/reference', 'Swagger UI')} lists the same calls.</p>
${sections.join('\n')}`,
  };
}

function callList(calls: readonly Call[], all: readonly Call[]): string {
  const items = calls.map(
    (call) => `<li><a href="${call.href}">${endpointOf(call.forms[0])}</a>
<span>${escapeHtml(titleOf(call, all))}${call.forms[0].deprecation ? ' (deprecated)' : ''}</span></li>`,
  );
  return `<ul class="calls">\n${items.join('\n')}\n</ul>`;
}

const endpointOf = (route: XmlRoute): string =>
  `${methodOf(route.method)} ${addressed(addressOf(route))}`;

export function callPage(call: Call, reference: Reference): Page {
  const { routes } = reference;
  const { forms, href } = call;
  const [route] = forms;
  const title = titleOf(call, callsIn(routes));
  const subject = callsBySubject(routes).find(({ calls }) =>
    calls.some((each) => each.href === href),
  );
  return {
    title,
    here: href,
    layout: 'call-page',
    content: `<div class="lead">
<p class="trail">${link('/docs/calls', 'All calls')} / ${link(`/docs/calls#${subject?.id ?? ''}`, subject?.name ?? '')}</p>
<h1>${escapeHtml(title)}</h1>
${formsPart(call)}
${noteOf(route)}
</div>
<div class="examples">
<h2 id="examples">Examples</h2>
${forms.map((form) => examplesPart(form, forms.length > 1)).join('\n')}
${tryForm(call)}
</div>
<div class="about">
${[parametersPart(call), requestPart(route, reference), answerPart(route, reference), errorsPart(route), relatedPart(call, reference)].join('\n')}
</div>`,
  };
}

/** Where the call goes; a call that addresses its object in several ways names them. */
function formsPart({ forms }: Call): string {
  const lines = forms.map(
    (form) =>
      `<p class="endpoint">${methodOf(form.method)} <code>/rest${escapeHtml(addressOf(form))}</code>` +
      `${forms.length > 1 ? ` <span class="form">${nameOfForm(form)}</span>` : ''}</p>`,
  );
  return lines.join('\n');
}

function examplesPart(form: XmlRoute, isOneOfSeveral: boolean): string {
  const examples = stepsOf(form).map((step) => exampleOn(formPageOf(form), step));
  const level = isOneOfSeveral ? 'h4' : 'h3';
  const heading = isOneOfSeveral ? [`<h3 class="form">${capital(nameOfForm(form))}</h3>`] : [];
  return [...heading, ...examples.map((example) => exampleBlock(example, level))].join('\n');
}

const guideOfSubject: Readonly<Record<string, Guide>> = {
  Usage: 'usage',
  Customers: 'customers',
  Plans: 'plans',
  Orders: 'orders',
  Invoices: 'invoicing',
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
function relatedPart({ href, forms: [route] }: Call, { routes }: Reference): string {
  const [, noun = ''] = /^\/(\w+?)s?(?=\/|$)/.exec(route.path) ?? [];
  const all = callsIn(routes);
  const near = all.filter(
    ({ href: other, forms: [each] }) =>
      other !== href &&
      (each.summary === route.summary ||
        each.path === route.path ||
        new RegExp(`^/${noun}s?(/:id)?$`).test(each.path)),
  );
  const tag = tagOf(route.path);
  const bySubject = route.isPreview ? 'quotes' : (guideOfSubject[tag] ?? 'documents');
  const guide = guideOfPath[route.path] ?? bySubject;
  const operation = `/docs/reference#/${tag.replaceAll(' ', '%20')}/${operationIdOf(route)}`;
  return `<h2 id="related">Related</h2>
${callList(near, all)}
<p>Guide: ${link(`/docs/guides/${guide}`, guideTitle(guide))}. ${link(operation, 'Send it with Swagger UI')}.</p>`;
}
