/** The demo's hosted pages: one on which a new customer orders and pays, and a customer's account. */
import { done, text, type RestTarget } from '../rest.ts';

/** Of tenants/demo.yaml, which lets this site frame the pages, and be led to at their end. */
const SITE = 'https://www.demo.example';

/** Returns the address of the page, which takes an order for 30 minutes. */
export async function startSignup(target: RestTarget): Promise<string> {
  const parameters = new URLSearchParams({
    successURL: `${SITE}/welcome`,
    failURL: `${SITE}/plans`,
    cssURL: '/css/signup.css',
    contractCode: 'GOLD',
    couponCode: 'WELCOME10',
    state: 'NY',
    country: 'US',
    format: 'xml',
  });
  return text(await done(target, 'GET', `/rest/signup/start?${parameters.toString()}`), 'url');
}

/** Returns the address of a customer's account, in which everything can be done, for 30 minutes. */
export async function openAccount(target: RestTarget, customerId: string): Promise<string> {
  const parameters = new URLSearchParams({
    customerId,
    cssURL: '/css/signup.css',
    loginUrl: `${SITE}/login`,
    profile: 'FULL',
    format: 'xml',
  });
  return text(await done(target, 'GET', `/rest/widget/start?${parameters.toString()}`), 'url');
}
