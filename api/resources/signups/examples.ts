/** Examples: the link to the page of a sign-up, and what became of it. */
import type { Step } from '../../docs/examples/example-step.ts';

const SITE = 'https://www.demo.example';
const START = `/signup/start?format=xml&successURL=${SITE}/ok&failURL=${SITE}/sorry&cssURL=/css/signup.css`;

export const signupSteps: readonly Step[] = [
  {
    name: 'signup-start',
    summary: 'Start the sign-up of a customer whom your site knows, for any plan',
    method: 'GET',
    route: '/signup/start',
    path:
      `${START}&hideCustomerFields=true&extCustomerRef={ref}-NEW&firstName=Ada&lastName=Field` +
      '&email=ada@field.example&country=US&couponCode=WELCOME10',
    keeps: { tracking: '<tracking>' },
  },
  {
    name: 'signup-start-refused',
    summary: 'Every parameter at fault is named: a foreign site, a missing plan, an unknown coupon',
    method: 'GET',
    route: '/signup/start',
    path:
      '/signup/start?format=xml&successURL=https://www.example.com/ok&failURL=https://www.demo.example/sorry' +
      '&cssURL=/css/signup.css&contractCode=NONE&couponCode=NONE',
    status: 400,
  },
  {
    name: 'signup-verify',
    summary: 'The record of a sign-up that nobody has filled in yet',
    method: 'GET',
    route: '/signup/verify/:tracking',
    path: '/signup/verify/{tracking}',
  },
];
