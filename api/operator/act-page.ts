/** The page of an act: what it changes, its form, and what became of it. */
import { DomainError } from '../../domain/errors.ts';
import { UnavailableError } from '../../db/connection/faults.ts';
import type { TenantInfo } from '../../operations/context/context.ts';
import { maskCardNumbers } from '../../domain/payments/card-masking.ts';
import { actOf, mayAct, type ActName } from '../../operations/operator/acts.ts';
import { RequestError } from '../calls/errors.ts';
import { statusOfKind } from '../calls/refusals.ts';
import { type FieldName, formHtml, readForm, type ReadForm } from './forms.ts';
import type { Subject } from './place.ts';
import { answerVisitor, keyOf, leadTo, takenForm, type VisitedRequest } from './request.ts';
import { type Link, render } from './view.ts';

export interface AskedPage {
  /** What the page is below: a tenant. */
  readonly subject: Subject & { readonly tenant: TenantInfo };
  readonly trail: readonly Link[];
  readonly name: ActName;
  /** 0 for an act that names its object in a field. */
  readonly id: number;
}

/** An act's own fields come before the reason. */
const fieldsOf = (name: ActName): readonly FieldName[] => [...(actOf(name).asks ?? []), 'reason'];

/** What the key of the form says that was shown: an act on one object takes none on another. */
const formOf = ({ name, id, subject }: AskedPage) => ({
  form: `act-${name}`,
  shown: `${subject.tenant.id}/${id}`,
});

export function refuseUnlessMayAct({ visitor }: VisitedRequest, name: ActName): void {
  if (mayAct(visitor, actOf(name))) return;
  const { needs, title } = actOf(name);
  const who =
    needs === 'operator'
      ? 'the operator of the installation'
      : `users with the rights ${needs.join(' and ')}`;
  throw new RequestError(403, { code: 'auth.role', message: `${title}: only ${who} may do that` });
}

interface Refused {
  readonly status: number;
  readonly read: ReadForm;
  readonly refusal?: { readonly title: string; readonly text: string };
}

export function showAct(request: VisitedRequest, page: AskedPage, refused?: Refused): void {
  const { place, visitor } = request;
  const { name, id, subject, trail } = page;
  const { changes, title } = actOf(name);
  const { read, refusal } = refused ?? {};
  const html = formHtml({
    names: fieldsOf(name),
    action: addressOf(page),
    key: keyOf(place, visitor, formOf(page)),
    submit: title,
    ...(read && { read }),
    ...(refusal && { refusal }),
  });
  answerVisitor(request, refused?.status ?? 200, {
    title: titleOf(page),
    lead: `${changes} It is kept as done by ${visitor.by}.`,
    trail: [...trail, { text: subject.tenant.label, address: subject.base }],
    body: id > 0 || actOf(name).of === null ? html : '',
  });
}

const addressOf = ({ subject, name, id }: AskedPage): string =>
  `${subject.base}/acts/${name}${id === 0 ? '' : `/${id}`}`;

function titleOf({ name, id }: AskedPage): string {
  const { title, of } = actOf(name);
  return of === null ? title : `${title}: ${of.toLowerCase()} ${id}`;
}

export async function takeAct(request: VisitedRequest, page: AskedPage): Promise<void> {
  const { place, visitor } = request;
  const { subject, name, id } = page;
  const form = await takenForm(request, visitor, formOf(page));
  const read = readForm(fieldsOf(name), form.fields);
  if (read.problems.length > 0) return showAct(request, page, { status: 400, read });
  const { reason, outcome = null, transactionId = null, workflow = null } = read.typed;
  const { day = null, hold = null } = read.typed;
  const asked = { id, reason: reason ?? '', by: visitor.by, requestId: form.id };
  const { dependencies, engine, dispatch, rehearsals } = place;
  try {
    const said = await actOf(name).carryOut(
      { dependencies, engine, dispatch, rehearsals, tenant: subject.tenant },
      { ...asked, outcome, transactionId, workflow, day, hold },
    );
    return showDone(request, page, said);
  } catch (error) {
    const refused = refusalOf(error);
    if (refused === undefined) throw error;
    return showAct(request, page, { ...refused, read });
  }
}

function refusalOf(error: unknown): Pick<Refused, 'status' | 'refusal'> | undefined {
  if (error instanceof DomainError) {
    const text = maskCardNumbers(error.message);
    return { status: statusOfKind[error.kind], refusal: { title: 'Nothing was done', text } };
  }
  if (error instanceof UnavailableError) {
    const text =
      'Temporal or the database does not answer. It may be done all the same: see whether it is, before you do it again.';
    return { status: 503, refusal: { title: 'Nobody knows whether it was done', text } };
  }
  return undefined;
}

function showDone(request: VisitedRequest, page: AskedPage, said: string): void {
  const { subject, trail } = page;
  const html = render('operator-done', { said: maskCardNumbers(said), back: subject.base });
  const own = { text: subject.tenant.label, address: subject.base };
  answerVisitor(request, 200, { title: titleOf(page), trail: [...trail, own], body: html });
}

/** From the form that chooses an act and an id. */
export function leadToAct({ ctx }: VisitedRequest, base: string, name: string, id: string): void {
  leadTo(ctx, `${base}/acts/${name}${/^[1-9]\d{0,14}$/.test(id) ? `/${id}` : ''}`);
}
