/** Examples: sales agents, the agents of an order, and what they have earned. */
import type { Step } from '../../docs/examples/example-step.ts';

const ORDER = `<subscriptionOrder>
  <contractCode>GOLD</contractCode>
</subscriptionOrder>`;
const LINK = `<list>
  <subscriptionOrderBiller>
    <biller id="{agent}"/>
  </subscriptionOrderBiller>
</list>`;

export const commissionSteps: readonly Step[] = [
  {
    name: 'commission-plans',
    summary: 'All commission plans',
    method: 'GET',
    route: '/commissionPlans',
    path: '/commissionPlans',
    keeps: { commissionPlan: '<commissionPlan id="' },
  },
  {
    name: 'commission-plan-by-code',
    summary: 'The commission plan with a code',
    method: 'GET',
    route: '/commissionPlans',
    path: '/commissionPlans?commissionCode=STD',
  },
  {
    name: 'commission-plan-get',
    summary: 'A commission plan by id',
    method: 'GET',
    route: '/commissionPlans/:id',
    path: '/commissionPlans/{commissionPlan}',
  },
  {
    name: 'sales-agent-by-code',
    summary: 'The sales agent with a code',
    method: 'GET',
    route: '/salesAgents',
    path: '/salesAgents?agentCode=AGENT-1',
    keeps: { agent: '<biller id="' },
  },
  {
    name: 'sales-agent-get',
    summary: 'A sales agent by id',
    method: 'GET',
    route: '/salesAgents/:id',
    path: '/salesAgents/{agent}',
  },
  {
    name: 'order-of-agents',
    summary: 'An order that an agent has sold',
    method: 'POST',
    route: '/orders',
    path: '/orders?extCustomerRef={ref}',
    request: ORDER,
    status: 201,
    keeps: { soldOrder: '<subscriptionOrder id="', soldNumber: '<orderNumber>' },
  },
  {
    name: 'order-agent-add',
    summary: "The agent joins on the order's first day, by the agent's own commission plan",
    method: 'POST',
    route: '/order/:id/salesAgent',
    needs: ['order-of-agents'],
    path: '/order/{soldOrder}/salesAgent',
    request: LINK,
    status: 201,
  },
  {
    name: 'order-agent-nobody',
    summary: 'A link names its agent',
    method: 'POST',
    route: '/order/:id/salesAgent',
    needs: ['order-of-agents'],
    path: '/order/{soldOrder}/salesAgent',
    request: `<list>
  <subscriptionOrderBiller>
    <joiningDate>{comingYear}-01-01</joiningDate>
  </subscriptionOrderBiller>
</list>`,
    status: 400,
  },
  {
    name: 'order-of-agents-next',
    summary: 'Another order that the agent has sold',
    method: 'POST',
    route: '/orders',
    path: '/orders?extCustomerRef={ref}',
    request: ORDER,
    status: 201,
    keeps: { nextSoldNumber: '<orderNumber>' },
  },
  {
    name: 'order-agent-add-by-number',
    summary: 'The agent joins later than the order begins',
    method: 'POST',
    route: '/order/salesAgent',
    needs: ['order-of-agents-next'],
    path: '/order/salesAgent?orderNumber={nextSoldNumber}',
    request: `<list>
  <subscriptionOrderBiller>
    <joiningDate>{comingYear}-01-01</joiningDate>
    <commissionPlan id="{commissionPlan}"/>
    <biller id="{agent}"/>
  </subscriptionOrderBiller>
</list>`,
    status: 201,
  },
  {
    name: 'order-agents',
    summary: 'The agents of an order',
    method: 'GET',
    route: '/order/:id/salesAgent',
    needs: ['order-agent-add'],
    path: '/order/{soldOrder}/salesAgent',
  },
  {
    name: 'order-agents-by-number',
    summary: 'The agents of an order, by its number',
    method: 'GET',
    route: '/order/salesAgent',
    needs: ['order-agent-add'],
    path: '/order/salesAgent?orderNumber={soldNumber}',
  },
  {
    name: 'order-of-agents-invoice',
    summary: 'The first invoice of the order',
    method: 'POST',
    route: '/order/:id',
    action: 'generateInvoice',
    needs: ['order-agent-add'],
    path: '/order/{soldOrder}?action=generateInvoice',
  },
  {
    name: 'commission-payment',
    summary: 'A payment of the invoice, of which the agent earns a part',
    method: 'POST',
    route: '/payments',
    needs: ['order-of-agents-invoice'],
    path: '/payments?extCustomerRef={ref}',
    request: `<processPayment>
  <amount>200.00</amount>
  <paymentMethodDTO type="Cash">
    <cashPaymentMethod/>
  </paymentMethodDTO>
</processPayment>`,
    status: 201,
  },
  {
    name: 'commissions',
    summary: "An agent's commissions",
    method: 'GET',
    route: '/commissions',
    needs: ['commission-payment'],
    path: '/commissions?agentCode=AGENT-1&max=2',
  },
];
