/** Hosted sign-ups between their documents and the operations. */
import type { SignupView } from '../../../operations/signups/read.ts';
import type { StartInput } from '../../../operations/signups/start.ts';
import type { StartQuery } from './start-query.ts';
import type { SignupDocument } from './schema.ts';

/** The version becomes the ETag of the answer. */
export function signupDocument(view: SignupView): SignupDocument & Pick<SignupView, 'version'> {
  const { successUrl, failUrl, cssUrl, customerId, ...record } = view;
  return {
    ...record,
    successURL: successUrl,
    failURL: failUrl,
    cssURL: cssUrl,
    customer: customerId === null ? null : { id: customerId },
  };
}

/** Without the password, which nothing keeps as it was sent. */
export function startInput({ passwd: _secret, ...query }: StartQuery): StartInput {
  const { successURL: successUrl, failURL: failUrl, cssURL: cssUrl } = query;
  return {
    successUrl,
    failUrl,
    cssUrl,
    hideCustomerFields: query.hideCustomerFields,
    hideOrderFields: query.hideOrderFields,
    displayAmount: query.displayAmount,
    tosLink: query.tosLink ?? null,
    extCustomerRef: query.extCustomerRef ?? null,
    companyName: query.companyName ?? null,
    firstName: query.firstName ?? null,
    lastName: query.lastName ?? null,
    email: query.email ?? null,
    phone: query.phone ?? null,
    street: query.street ?? null,
    city: query.city ?? null,
    state: query.state ?? null,
    zipcode: query.zipcode ?? null,
    country: query.country ?? null,
    login: query.login ?? null,
    contractCode: query.contractCode ?? null,
    quantity: query.quantity,
    startDate: query.startDate ?? null,
    couponCode: query.couponCode ?? null,
    sku: query.sku ?? null,
    billerCode: query.billerCode ?? null,
    profileId: query.profileId ?? null,
  };
}
