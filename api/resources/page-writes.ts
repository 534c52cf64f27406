/** The transaction of a hosted form, with its entry in the audit log. */
import { z } from 'zod';
import {
  ADDRESS_LENGTH_MAX,
  DEFAULT_STYLESHEET,
  isPageAddress,
} from '../../domain/hosted-pages/address.ts';
import { notedOf, writeAudit } from '../../operations/access/audit-log.ts';
import { inOperation, type OperationContext } from '../../operations/context/context.ts';
import type { Nudge } from '../../operations/context/nudge.ts';
import { TooManyDeclines } from '../../operations/hosted-pages/declines.ts';
import { RequestError } from '../calls/errors.ts';
import { tokenOf } from '../calls/page-route.ts';
import type { PageCall } from '../calls/route-types.ts';
import type { RouteDependencies } from '../calls/services.ts';
import type { FormView, PageProblem } from '../pages/view.ts';

export type AskedPage = Omit<PageCall<unknown>, 'body'>;

const STORED_STATUS = 303;

export interface PageWriteOptions {
  /** The caller waits for the workflow, which starts it. */
  readonly isAwaited?: boolean;
  /** Of a contact that logs in. */
  readonly username?: string | undefined;
}

export async function pageWrite<Result>(
  dependencies: RouteDependencies,
  call: AskedPage,
  operation: (context: OperationContext) => Promise<Result>,
  { isAwaited = false, username }: PageWriteOptions = {},
): Promise<Result> {
  let nudges: readonly Nudge[] = [];
  const result = await inOperation(dependencies, call.tenant.id, async (context) => {
    ({ nudges } = context);
    const made = await operation(context);
    await context.tx.flush();
    writeAudit(context.tx, {
      action: 'write',
      username,
      method: 'POST',
      path: call.pattern,
      status: STORED_STATUS,
      address: call.address,
      requestId: call.requestId,
      ...notedOf(context.tx, 'customer', null),
    });
    return made;
  });
  if (nudges.length > 0 && !isAwaited) dependencies.dispatch(call.tenant.id, nudges);
  return result;
}

/* The forms of hosted pages, each with the key by which it is taken. */

interface FormOfPage {
  readonly form: string;
  /** What the page shows and the form relies on; up to 150 bytes. */
  readonly shown?: string;
}

export interface FormOptions extends FormOfPage {
  readonly problems?: readonly PageProblem[];
  /** Where it is posted; the page's own path by default. */
  readonly action?: string;
}

type Needed = Pick<RouteDependencies, 'formKeys'>;

export function pageFormKey(
  { formKeys }: Needed,
  call: AskedPage,
  { form, shown = '' }: FormOfPage,
): string {
  return formKeys.issue({ tenantId: call.tenant.id, token: tokenOf(call) }, { form, shown });
}

export function pageForm(
  dependencies: Needed,
  call: AskedPage,
  { problems = [], action = call.path, ...form }: FormOptions,
): FormView {
  return { action, key: pageFormKey(dependencies, call, form), problems };
}

/* Query parameters that are addresses, of the calls that start hosted pages. */

const AN_ADDRESS =
  'an absolute address that begins with https:// or http://, without user info, backslashes, ' +
  'blanks and control characters';

export const where = (holds: (address: string) => boolean, expected: string) =>
  z
    .string()
    .max(ADDRESS_LENGTH_MAX, { abort: true })
    .refine(holds, { params: { expected }, abort: true })
    .meta({ 'x-expected': expected });

/** Of its hosts, those that are allowed are the tenant's matter. */
export const pageAddress = () => where(isPageAddress, AN_ADDRESS);

export const stylesheet = () =>
  where(
    (address) => address === DEFAULT_STYLESHEET || isPageAddress(address),
    `${DEFAULT_STYLESHEET}, or ${AN_ADDRESS}`,
  );

/* Says when cards are taken again after too many declines of a network or a customer. */

/** Any other error stays as it is. */
export function tooManyCards(error: unknown): unknown {
  if (!(error instanceof TooManyDeclines)) return error;
  const { code, message, retryAfterSeconds } = error;
  return new RequestError(429, { code, message }, { 'Retry-After': String(retryAfterSeconds) });
}
