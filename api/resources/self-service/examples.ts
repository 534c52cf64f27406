/** Examples: the link to the page of a customer. */
import type { Step } from '../../docs/example-step.ts';

export const selfServiceSteps: readonly Step[] = [
  {
    name: 'widget-start',
    summary: "Get the address of a customer's page",
    method: 'GET',
    route: '/widget/start',
    path:
      '/widget/start?format=xml&extCustomerRef={ref}&cssURL=/css/signup.css' +
      '&loginUrl=https://www.demo.example/login',
  },
];
