/**
 * The documented examples: one story call by call, with the recorded answers of a real server. A
 * test runs and compares it; `npx ava test/api/docs/examples.test.ts -- --record` records it again.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Route } from '../calls/route.ts';
import { autopaySteps } from '../resources/payments/examples-autopay.ts';
import { customerSteps } from '../resources/customers/examples.ts';
import { furtherCustomerSteps } from '../resources/customers/examples-further.ts';
import { invoiceSteps, testClockSteps } from '../resources/invoices/examples.ts';
import { orderSteps, planSteps } from '../resources/orders/examples.ts';
import { paymentSteps } from '../resources/payments/examples.ts';
import { filled, rootIdOf } from './example-step.ts';
import type { Step } from './example-step.ts';

export interface Example extends Step {
  readonly status: number;
  readonly answer: string;
}

/** In the order of execution: later steps use the objects of earlier ones. */
export const story: readonly Step[] = [
  ...customerSteps,
  ...planSteps,
  ...orderSteps,
  ...invoiceSteps,
  ...autopaySteps,
  ...paymentSteps,
  ...furtherCustomerSteps,
  ...testClockSteps,
];

const folder = join(import.meta.dirname, 'answers');

export const answerFile = ({ name }: Step): string => join(folder, `${name}.xml`);

let loaded: readonly Example[] | undefined;

/** With the ids of the documented answers in paths and bodies. */
export function examples(): readonly Example[] {
  if (loaded !== undefined) return loaded;
  const ids = new Map<string, string>();
  loaded = story.map((step) => {
    const answer = readFileSync(answerFile(step), 'utf8').trimEnd();
    const { status = 200, request, ...rest } = step;
    const example: Example = {
      ...rest,
      status,
      path: filled(step.path, ids),
      ...(request === undefined ? {} : { request: filled(request, ids) }),
      answer,
    };
    const id = rootIdOf(answer);
    if (step.keeps !== undefined && id !== undefined) ids.set(step.keeps, id);
    return example;
  });
  return loaded;
}

export function examplesOf({ method, path, actions }: Route): Example[] {
  return examples().filter(
    (each) => each.method === method && each.route === path && actions.includes(each.action),
  );
}
