/** The demo's hosted sign-up: a link to a page on which a new customer orders and pays. */
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
