/**
 * The documented examples, and the pages that show them. Each page has a customer of its own and
 * the recorded answers of a real server; a test pastes every page into a shell and compares them;
 * `npm test -- test/api/docs/pasted.test.ts -- --record` records them again.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { selectionOf } from '../../calls/parameters.ts';
import type { XmlRoute } from '../../calls/route-types.ts';
import { commissionSteps } from '../../resources/commissions/examples.ts';
import { autopaySteps, changedMethodSteps } from '../../resources/payments/examples-autopay.ts';
import { batchSteps } from '../../resources/imports/examples.ts';
import { customerSteps } from '../../resources/customers/examples.ts';
import { auditLogSteps } from '../../resources/access/examples.ts';
import { eventSteps } from '../../resources/events/examples.ts';
import { furtherCustomerSteps } from '../../resources/customers/examples-further.ts';
import { ledgerSteps } from '../../resources/ledger/examples.ts';
import { invoiceSteps, testClockSteps } from '../../resources/invoices/examples.ts';
import { metadataSteps } from '../../resources/metadata/examples.ts';
import { notificationSteps } from '../../resources/notifications/examples.ts';
import { orderSteps, planSteps } from '../../resources/orders/examples.ts';
import { paymentPlanSteps } from '../../resources/payment-plans/examples.ts';
import { paymentSteps } from '../../resources/payments/examples.ts';
import { selfServiceSteps } from '../../resources/self-service/examples.ts';
import { signupSteps } from '../../resources/signups/examples.ts';
import { userSteps } from '../../resources/access/examples-users.ts';
import { usageSteps } from '../../resources/usage/examples.ts';
import { formPageOf } from '../calls.ts';
import type { Step } from './example-step.ts';

/** An example on a page, with the answer recorded there. */
export interface Example {
  readonly step: Step;
  /** The path of the page below `/docs`. */
  readonly page: string;
  readonly status: number;
  readonly answer: string;
}

/** In reading order. */
export const story: readonly Step[] = [
  ...customerSteps,
  ...planSteps,
  ...orderSteps,
  ...invoiceSteps,
  ...autopaySteps,
  ...paymentSteps,
  ...paymentPlanSteps,
  ...metadataSteps,
  ...changedMethodSteps,
  ...usageSteps,
  ...furtherCustomerSteps,
  ...notificationSteps,
  ...testClockSteps,
  ...eventSteps,
  ...auditLogSteps,
  ...ledgerSteps,
  ...commissionSteps,
  ...batchSteps,
  ...signupSteps,
  ...selfServiceSteps,
  ...userSteps,
];

export const stepsOf = ({ method, path, selection }: XmlRoute): Step[] =>
  story.filter(
    (each) =>
      each.method === method &&
      each.route === path &&
      selection.values.includes(each.mode ?? each.action),
  );

/** The steps of a guide, in the order of its lines `{{example NAME}}`. */
export const stepsIn = (markdown: string): Step[] =>
  [...markdown.matchAll(EXAMPLE_LINE)].map(([, name = '']) => stepNamed(name));

export const EXAMPLE_LINE = /^\{\{example ([\w-]+)\}\}$/gm;

export function stepNamed(name: string): Step {
  const step = story.find((each) => each.name === name);
  if (step === undefined) throw new Error(`there is no example ${name}`);
  return step;
}

const REFERENCES = 90_000;
const REFERENCE_FIRST = 10_000;

/** The reference of a page's customer: pages that are pasted into one tenant do not meet. */
export function referenceOn(page: string): string {
  const hash = createHash('sha256').update(page).digest().readUInt32BE();
  return `C-${REFERENCE_FIRST + (hash % REFERENCES)}`;
}

export const answersFolder = join(import.meta.dirname, '../answers');

export const answerFile = (page: string, { name }: Step): string =>
  join(answersFolder, page, `${name}.xml`);

export const exampleOn = (page: string, step: Step): Example => ({
  step,
  page,
  status: step.status ?? 200,
  answer: readFileSync(answerFile(page, step), 'utf8').trimEnd(),
});

/** The examples of a form of a call, as the call's page shows them. */
export const examplesOf = (route: XmlRoute): Example[] =>
  stepsOf(route).map((step) => exampleOn(formPageOf(route), step));

/** The answer of a call with that code, if an example has one. */
export function exampleOfCode(code: string): Example | undefined {
  examplesByCode ??= new Map(
    story
      .filter(({ status = 200 }) => status >= 300)
      .map((step) => exampleOn(formPageOf(formOf(step)), step))
      .toReversed()
      .flatMap((example) =>
        [...example.answer.matchAll(/<error code="([^"]+)"/g)].map(
          ([, each = '']) => [each, example] as const,
        ),
      ),
  );
  return examplesByCode.get(code);
}

let examplesByCode: ReadonlyMap<string, Example> | undefined;

/** As the table of routes names it. */
export const formOf = ({ method, route, action, mode }: Step) => ({
  method,
  path: route,
  selection: selectionOf(method, {
    actions: [action],
    ...(mode !== undefined && { modes: [mode] }),
  }),
});

/** The first id in recorded answers. */
export const ID_FIRST = 2001;

/** The coming year in recorded answers. */
const COMING_YEAR = '2028';

/** The body as a document, with an id in place of a variable. */
export const requestOf = ({ step, page }: Example): string | undefined =>
  step.request
    ?.replaceAll('{ref}', referenceOn(page))
    .replaceAll('{comingYear}', COMING_YEAR)
    .replaceAll(/\{\w+\}/g, String(ID_FIRST));
