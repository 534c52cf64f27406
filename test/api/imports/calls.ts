/** Calls of batch jobs and of their files, for the tests of this folder. */
import { inTenant } from '../../../db/connection/tenancy.ts';
import { noteAsserted } from '../../support/asserted.ts';
import { errorsOf, type Received } from '../support.ts';
import { valueOf, type TenantApi } from '../tenant-api.ts';

export const batch = (inner: string): string => `<batchProcess>${inner}</batchProcess>`;

/** The elements of a StorageFileUpload, in any order that the test changes. */
export const elements = (subOperation: string, more = ''): string =>
  '<inputType>API</inputType><operation>eBill-Import</operation>' +
  `<subOperation>${subOperation}</subOperation>${more}`;

export const create = (own: TenantApi, inner: string): Promise<Received> =>
  own.post('/batchProcess?mode=StorageFileUpload', batch(inner));

export const finalize = (own: TenantApi, inner: string): Promise<Received> =>
  own.put('/batchProcess?mode=BatchFinalize', batch(inner));

export interface Draft {
  readonly id: string;
  readonly jobId: string;
  readonly uploadUrl: string;
  readonly body: string;
}

/** A Draft by its answer. */
export async function draft(own: TenantApi, subOperation: string, more = ''): Promise<Draft> {
  const answer = await create(own, elements(subOperation, more));
  if (answer.status !== 201) throw new Error(answer.body);
  const { body } = answer;
  const [id = '', jobId = ''] = ['id', 'jobId'].map((name) => valueOf(body, name));
  return { id, jobId, uploadUrl: valueOf(body, 'uploadUrl') ?? '', body };
}

export const linesOf = (parent: Pick<Draft, 'id'>, more = ''): readonly [string, string] => [
  'Invoice Line Item',
  `<parentBatchProcess>${parent.id}</parentBatchProcess>${more}`,
];

/** Sends the file as a client would, without credentials. */
export function upload(
  own: TenantApi,
  url: string,
  body: string | Buffer = 'extCustomerRef\nC1\n',
): Promise<Received> {
  return atAddress(own, 'PUT', url, body);
}

export const download = (own: TenantApi, url: string): Promise<Received> =>
  atAddress(own, 'GET', url);

function atAddress(
  own: TenantApi,
  method: string,
  url: string,
  body?: string | Buffer,
): Promise<Received> {
  const { pathname, search } = new URL(url);
  const path = pathname.replace(/^\/rest/, '') + search;
  return own.call(method, path, { auth: null, ...(body !== undefined && { body: String(body) }) });
}

/** Queued, with its file uploaded. */
export async function queued(own: TenantApi, subOperation = 'Customer', more = ''): Promise<Draft> {
  const job = await draft(own, subOperation, more);
  await upload(own, job.uploadUrl);
  const answer = await finalize(own, `<id>${job.id}</id>`);
  if (answer.status !== 200) throw new Error(answer.body);
  return job;
}

/** Changes the rows of jobs as the workflow would. */
export const change = (own: TenantApi, id: string, set: string): Promise<unknown> =>
  inTenant(own.db, own.tenantId, (tx) =>
    tx.query(`update batch set ${set} where id = $1`, [Number(id)]),
  );

/** Ends a job as the workflow would. */
export const end = (
  own: TenantApi,
  id: string,
  status = 'Success',
  more = 'success_count = 3, fail_count = 0',
): Promise<unknown> => change(own, id, `status = '${status}', finished_at = now(), ${more}`);

/** Where a refusal is text or logged only, its code is asserted by hand. */
export function codesOf(answer: Received): string[] {
  const codes = errorsOf(answer);
  for (const code of codes) noteAsserted(code);
  return codes;
}

/** The value of an element of a document as it is, without its surroundings. */
export const stable = (body: string, ...drafts: readonly Pick<Draft, 'id'>[]): string => {
  let text = body
    .replace(/^<\?xml[^>]*>\s*/, '')
    .replaceAll(/token=[\w.-]+/g, 'token=T')
    .replaceAll(/\/\/\w+\.localhost/g, '//LABEL.localhost');
  for (const [index, { id }] of drafts.entries()) text = text.replaceAll(id, `#${index + 1}`);
  return text;
};
