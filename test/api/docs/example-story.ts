/** Sends the documented examples to a real server in their order, and normalizes its answers. */
import { story } from '../../../api/docs/examples.ts';
import { filled, rootIdOf } from '../../../api/docs/example-step.ts';
import type { Step } from '../../../api/docs/example-step.ts';
import { indented } from '../../../api/xml/xsd.ts';
import type { Received } from '../support.ts';
import type { TenantApi } from '../tenant-api.ts';

export interface Told {
  readonly step: Step;
  readonly answer: Received;
  /** As the documents show it: one element a line, ids counted from 2001. */
  readonly documented: string;
}

const FIRST_ID = 2001;

export async function tellStory(api: TenantApi): Promise<Told[]> {
  const ids = new Map<string, string>();
  const steady = new Map<string, string>();
  const told: Told[] = [];
  for (const step of story) {
    const answer = await send(api, step, ids);
    const id = rootIdOf(answer.body);
    if (step.keeps !== undefined && id !== undefined) ids.set(step.keeps, id);
    told.push({ step, answer, documented: documentedOf(answer.body, steady) });
  }
  return told;
}

function send(api: TenantApi, step: Step, ids: ReadonlyMap<string, string>): Promise<Received> {
  const path = filled(step.path, ids);
  const body = step.request === undefined ? '' : filled(step.request, ids);
  const { method, headers = {} } = step;
  return api.call(method, path, { headers, ...(body === '' ? {} : { body }) });
}

function documentedOf(body: string, steady: Map<string, string>): string {
  const steadily = (id: string): string => {
    if (!steady.has(id)) steady.set(id, String(FIRST_ID + steady.size));
    return String(steady.get(id));
  };
  const documented = body
    .replaceAll(/ id="(\d+)"/g, (_, id: string) => ` id="${steadily(id)}"`)
    .replaceAll(
      /<(transactionId|approvalCode)>0*(\d+)</g,
      (_, name: string, id: string) => `<${name}>${steadily(`gateway ${id}`).padStart(6, '0')}<`,
    )
    .replaceAll(/<responseTimeMilliSec>\d+</g, '<responseTimeMilliSec>240<');
  return `${indented(documented)}\n`;
}
