/** Signs customers up by the hosted pages as a browser without script does, from many addresses. */
import {
  actionOf,
  ask,
  hiddenFields,
  postOf,
  SERVER,
  SITE,
  type PageAnswer,
  type PagesTarget,
} from './browser.ts';

export interface Link {
  /** The path of the page. */
  readonly path: string;
  readonly tracking: string;
}

let count = 0;

export async function start(target: PagesTarget): Promise<PageAnswer & { readonly link: Link }> {
  count += 1;
  const parameters = new URLSearchParams({
    successURL: `${SITE}/ok`,
    failURL: `${SITE}/no`,
    cssURL: '/css/signup.css',
    hideCustomerFields: 'true',
    extCustomerRef: `S${process.pid}-${count}`,
    firstName: 'Ada',
    lastName: `Field ${count}`,
    email: `ada.${process.pid}.${count}@example.com`,
    street: '1 Main St',
    city: 'Albany',
    state: 'NY',
    zipcode: '12207',
    country: 'US',
    hideOrderFields: 'true',
    contractCode: 'MONTHLY',
    quantity: '1',
    format: 'xml',
  });
  const path = `/rest/signup/start?${parameters.toString()}`;
  const { authorization } = target;
  const answer = await ask(target, {
    method: 'GET',
    path,
    headers: { authorization },
    visitor: SERVER,
  });
  const { pathname } = new URL(/<url>([^<]+)<\/url>/.exec(answer.body)?.[1] ?? 'none:');
  const tracking = /<tracking>([^<]+)<\/tracking>/.exec(answer.body)?.[1] ?? '';
  return { ...answer, link: { path: pathname, tracking } };
}

export function page(target: PagesTarget, { path }: Link): Promise<PageAnswer> {
  return ask(target, { method: 'GET', path, headers: {}, visitor: count });
}

/** Submits the form of a page with a card that is approved. */
export function submit(target: PagesTarget, { path }: Link, shown: string): Promise<PageAnswer> {
  const fields = new URLSearchParams({
    ...hiddenFields(shown),
    cardNumber: '4111111111111111',
    expiryMonth: '12',
    expiryYear: '2035',
    cvv: '123',
    cardholderName: 'Ada Field',
  });
  return ask(target, { ...postOf(target, actionOf(shown, path), fields), visitor: count });
}
