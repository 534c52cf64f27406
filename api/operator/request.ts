/** What a handler of the operator's page gets, how it answers, and how it takes a form. */
import { FORM_KEY_FIELD, tooManyPosts, wrongKey } from '../calls/page-route.ts';
import { RequestError } from '../calls/errors.ts';
import type { FormFields } from '../calls/route-types.ts';
import type { FormOfKey, ReadKey } from '../calls/form-keys.ts';
import type { ApiContext } from '../http/context.ts';
import { readFormOf, refuseOtherForms } from '../http/forms.ts';
import { OPS, type OperatorPlace, type Subject, type Visitor } from './place.ts';
import { INSTALLATION } from './sessions.ts';
import { type OperatorView, operatorPage } from './view.ts';

export interface OperatorRequest {
  readonly place: OperatorPlace;
  readonly ctx: ApiContext;
  /** Of the host; `base` is `/ops`. */
  readonly host: Subject;
}

export interface VisitedRequest extends OperatorRequest {
  readonly visitor: Visitor;
}

const headers = {
  // No script at all, and nothing of another site; links lead there, forms do not.
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'same-origin',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex',
} as const;

export function answerPage(ctx: ApiContext, status: number, view: OperatorView): void {
  ctx.status = status;
  ctx.set(headers);
  ctx.type = 'text/html; charset=utf-8';
  ctx.body = operatorPage(view);
}

export function leadTo(ctx: ApiContext, path: string): void {
  ctx.set(headers);
  ctx.redirect(path);
  ctx.status = 303;
  ctx.body = '';
}

/** A page that somebody sees who has logged in. */
export function answerVisitor(
  { place, ctx, visitor }: VisitedRequest,
  status: number,
  view: Omit<OperatorView, 'visitor'>,
): void {
  const { name, session } = visitor;
  const logOutKey = session === null ? null : keyOf(place, visitor, { form: 'logout', shown: '' });
  answerPage(ctx, status, { ...view, visitor: { name, logOutKey } });
}

/* Forms. */

type Bound = Pick<Visitor, 'tenantId' | 'token'>;

/** Of a form that nobody has to log in for. */
export const anybody = ({ host }: OperatorRequest): Bound => ({
  tenantId: host.tenant?.id ?? INSTALLATION,
  token: `login ${OPS}`,
});

export const keyOf = ({ formKeys }: OperatorPlace, bound: Bound, form: FormOfKey): string =>
  formKeys.issue({ tenantId: bound.tenantId, token: bound.token }, form);

export interface TakenForm extends ReadKey {
  readonly fields: FormFields;
}

/** Throws 403 for one of another site, or whose key is not of this visitor and this form, 415, 429. */
export async function takenForm(
  { place, ctx }: OperatorRequest,
  bound: Bound,
  { form, shown }: FormOfKey,
): Promise<TakenForm> {
  refuseOtherForms(ctx, { needsOrigin: true });
  const { tenantId, token } = bound;
  const waitSeconds = await place.posts.take({ tenantId, token, address: ctx.ip });
  if (waitSeconds > 0) throw tooManyPosts(waitSeconds);
  const fields = await readFormOf(ctx);
  const key = place.formKeys.read({ tenantId, token }, fields.get(FORM_KEY_FIELD) ?? '');
  if (key?.form !== form || key.shown !== shown) throw wrongKey();
  return { ...key, fields };
}

export const notAllowed = (method: string, allowed: string): RequestError =>
  new RequestError(
    405,
    { code: 'path.method', message: `${method} is not supported here; use ${allowed}` },
    { Allow: allowed },
  );
