/** Takes the form of step 1 of a sign-up: what is at fault is shown again, the rest is stored. */
import { hashInTurn } from '../../../../operations/access/hash-turns.ts';
import { enterDetails } from '../../../../operations/signups/details.ts';
import type { PageAnswer } from '../../../calls/answer.ts';
import type { SubmittedForm } from '../../../calls/page-route.ts';
import { askedPlaceOf } from '../../../pages/place.ts';
import { readDetails, type ReadDetails } from './details-form.ts';
import { pricingOf } from './pricing.ts';
import { canEnter, showDetails } from './show.ts';
import { localeToKeep, pageView, storing, type Visit } from './visit.ts';

export async function enterForm(visit: Visit, { id, fields }: SubmittedForm): Promise<PageAnswer> {
  const { row, call, tokenHash } = visit;
  if (!canEnter(row)) return { to: call.path };
  const { problems, ...entered } = readDetails(fields, {
    row,
    locale: pageView(visit).locale,
    asked: askedPlaceOf(call.tenant),
  });
  if (problems.length > 0) return showDetails(visit, { status: 400, problems, typed: fields });
  const { customer, order } = entered;
  const wanted = { ...row, ...customer, ...order, isPricedByCustomer: false };
  const pricing = await pricingOf(visit, wanted);
  if ('problem' in pricing) {
    const { problem, status } = pricing;
    return showDetails(visit, { status, problems: [problem], typed: fields });
  }
  const passwordHash = await hashOf(visit, entered);
  const locale = localeToKeep(call, wanted);
  await storing(visit, (context) =>
    enterDetails(context, { tokenHash, formKey: id, customer, order, passwordHash, locale }),
  );
  return { to: `${call.path}?step=review` };
}

/** Hashing is slow, so it comes before the transaction. One that was entered before may stay. */
async function hashOf(
  { dependencies: { hashCost }, call: { tenant, stepOut }, row }: Visit,
  { password, customer }: Omit<ReadDetails, 'problems'>,
): Promise<string | null> {
  if (customer === null || row.linkHasPassword) return row.passwordHash;
  if (customer.login === null) return null;
  if (password === null) return row.passwordHash;
  return stepOut(() => hashInTurn(password, { hashCost, tenant }));
}
