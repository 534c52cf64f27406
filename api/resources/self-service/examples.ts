/** Examples: the link to the page of a customer, and the end of its sessions. */
import type { Step } from '../../docs/examples/example-step.ts';

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
  {
    name: 'sessions-end',
    summary: 'Log a customer out everywhere',
    method: 'DELETE',
    route: '/customer/:id/sessions',
    needs: ['widget-start'],
    path: '/customer/{customer}/sessions',
  },
  {
    name: 'sessions-end-by-reference',
    summary: 'By external reference',
    method: 'DELETE',
    route: '/customer/sessions',
    needs: ['widget-start'],
    path: '/customer/sessions?extCustomerRef={ref}',
  },
];
