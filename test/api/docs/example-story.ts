/** Sends each documented example to an API of the test, after the examples that it needs. */
import { story } from '../../../api/docs/examples/examples.ts';
import type { Step } from '../../../api/docs/examples/example-step.ts';
import { stepsBefore } from '../../../api/docs/examples/shell.ts';
import { errorsOf, type Received } from '../support.ts';
import { until } from '../../support/until.ts';
import { chainTenant } from '../../../operations/access/audit-chain.ts';
import { sequenceTenant } from '../../../operations/events/sequencer.ts';
import { numberedHooks } from '../../../operations/feed/numbered-hooks.ts';
import { PASSWORD } from '../../support/tenants.ts';
import { type CallOptions, type TenantApi, admin, asAdmin } from '../tenant-api.ts';

export interface Told {
  readonly step: Step;
  readonly answer: Received;
}

/** A tenant has these users for the examples; the second is suspended and enabled. */
export const storyUsers = [
  { username: 'api@test', password: PASSWORD, roles: ['ROLE_API'] },
  { username: 'other@test', password: PASSWORD, roles: [] },
  admin,
];

/** By the clock of the test's tenants, from which a shell computes it. */
const computed = { next: '2027-02-01', year: '2027', comingYear: '2028' };

export async function playStory(api: TenantApi): Promise<Told[]> {
  const told: Told[] = [];
  for (const [index, step] of story.entries()) {
    const send = await prepareStep(api, step, `C-${index + 1}`);
    told.push({ step, answer: await send() });
  }
  return told;
}

/**
 * Sends the examples that one needs, for a customer of that reference. Returns what sends the example
 * itself, each time under the same Idempotency-Key.
 */
export async function prepareStep(
  api: TenantApi,
  step: Step,
  reference: string,
): Promise<() => Promise<Received>> {
  const values = valuesFor(reference);
  for (const each of stepsBefore(step)) await play(api, each, values);
  await beforeStep(api, step, values);
  return () => send(api, step, values);
}

/**
 * Sends the examples that make what others name, once each, for a customer of that reference. Returns
 * the values of the braces of all examples.
 */
export async function makeObjects(
  api: TenantApi,
  reference: string,
): Promise<ReadonlyMap<string, string>> {
  const values = valuesFor(reference);
  const makers = story.filter(({ keeps, keyOf }) => keeps !== undefined && keyOf === undefined);
  const all = new Set(makers.flatMap((step) => [...stepsBefore(step), step]));
  for (const step of all) await play(api, step, values);
  return values;
}

const valuesFor = (reference: string): Map<string, string> =>
  new Map(Object.entries({ ref: reference, ...computed }));

/** Sends an example, and keeps the values of its answer. */
async function play(api: TenantApi, step: Step, values: Map<string, string>): Promise<void> {
  await beforeStep(api, step, values);
  const answer = await answered(() => send(api, step, values));
  for (const [name, before] of Object.entries(step.keeps ?? {})) {
    const value = answer.body.split(before)[1]?.split(/["<]/)[0];
    if (value !== undefined) values.set(name, value);
  }
}

/** As a caller does who hears that the service is busy: the same call again. */
async function answered(call: () => Promise<Received>): Promise<Received> {
  let answer: Received | undefined;
  await until('the call is answered', async () => {
    answer = await call();
    return answer.status !== 503 && errorsOf(answer)[0] !== 'idempotency.inUse';
  });
  if (answer === undefined) throw new Error('no answer');
  return answer;
}

async function beforeStep(
  api: TenantApi,
  { route, mode }: Step,
  values: ReadonlyMap<string, string>,
): Promise<void> {
  if (route === '/events') await numberEvents(api);
  if (route === '/auditLog') await chainTenant(api, api.tenantId);
  if (mode === 'BatchFinalize') await uploadFile(api, values.get('uploadUrl') ?? '');
}

/** As the preparation of the example does in a shell. */
async function uploadFile(api: TenantApi, url: string): Promise<void> {
  const { pathname, search } = new URL(url);
  const path = pathname.replace(/^\/rest/, '') + search;
  await api.call('PUT', path, { auth: null, body: 'extCustomerRef\nMOVED-1\n' });
}

/** As the worker does all the time. */
async function numberEvents({ db, tenantId }: TenantApi): Promise<void> {
  const dependencies = { db, realNow: Date.now };
  const options = {
    dependencies,
    relayDb: db,
    dispatch: () => undefined,
    onError: () => undefined,
    hooks: numberedHooks,
  };
  await sequenceTenant(options, tenantId);
}

/** The call of an example, with values in place of its braces. */
export function callOf(
  { method, path, request, headers, name, keyOf = name }: Step,
  values: ReadonlyMap<string, string>,
): { readonly path: string } & CallOptions {
  const filled = (text: string): string =>
    text.replaceAll(/\{(\w+)\}/g, (_, key: string) => values.get(key) ?? '');
  const key = { 'Idempotency-Key': `${values.get('ref')}-${keyOf}` };
  return {
    path: filled(path),
    headers: method === 'GET' ? { ...headers } : { ...headers, ...key },
    ...(request === undefined ? {} : { body: filled(request) }),
  };
}

function send(api: TenantApi, step: Step, values: ReadonlyMap<string, string>): Promise<Received> {
  const { path, ...more } = callOf(step, values);
  return api.call(step.method, path, { ...more, ...(step.isOfAdmin === true && asAdmin) });
}
