/** Examples: the payment plan of a customer. */
import type { Step } from '../../docs/examples/example-step.ts';

const inQuery = '/customers/paymentPlan';
const inPath = '/customers/:id/paymentPlan';

const plan = (totalNumberOfInstallments: number): string => `<paymentPlan>
  <chargeAmount>50.00</chargeAmount>
  <startDate>{comingYear}-01-31</startDate>
  <totalNumberOfInstallments>${totalNumberOfInstallments}</totalNumberOfInstallments>
  <frequencyValue>1</frequencyValue>
  <frequencyUnits>Months</frequencyUnits>
</paymentPlan>`;

export const paymentPlanSteps: readonly Step[] = [
  {
    name: 'payment-plan-create',
    summary: 'Three installments of 50.00, the first on 31 January',
    method: 'POST',
    route: inQuery,
    path: `${inQuery}?id={customer}`,
    request: plan(3),
    status: 201,
  },
  {
    name: 'payment-plan-refused',
    summary: 'A plan without installments is refused',
    method: 'POST',
    route: inQuery,
    path: `${inQuery}?extCustomerRef={ref}`,
    request: plan(0),
    status: 400,
  },
  {
    name: 'payment-plan',
    summary: 'Its state: how many installments are to come, and when the next one is',
    method: 'GET',
    route: inPath,
    path: '/customers/{customer}/paymentPlan',
    needs: ['payment-plan-create'],
  },
  {
    name: 'payment-plan-by-reference',
    summary: 'The same by external reference',
    method: 'GET',
    route: inQuery,
    path: `${inQuery}?extCustomerRef={ref}`,
    needs: ['payment-plan-create'],
  },
  {
    name: 'payment-plan-update',
    summary: 'Charge the amount whatever the debt; absent elements keep their values',
    method: 'PUT',
    route: inQuery,
    path: `${inQuery}?extCustomerRef={ref}`,
    request: `<paymentPlan>
  <chargeOnlyIfBalanceOwed>false</chargeOnlyIfBalanceOwed>
  <chargeAmount>60.00</chargeAmount>
</paymentPlan>`,
    needs: ['payment-plan-create'],
  },
  {
    name: 'payment-plan-update-in-path',
    summary: 'The rest in four installments, every second week',
    method: 'PUT',
    route: inPath,
    path: '/customers/{customer}/paymentPlan',
    request: `<paymentPlan>
  <totalNumberOfInstallments>4</totalNumberOfInstallments>
  <frequencyValue>2</frequencyValue>
  <frequencyUnits>Weeks</frequencyUnits>
</paymentPlan>`,
    needs: ['payment-plan-create'],
  },
  {
    name: 'payment-plan-delete',
    summary: 'Disable the plan: nothing more of it is charged',
    method: 'DELETE',
    route: inQuery,
    path: `${inQuery}?id={customer}`,
    needs: ['payment-plan-create'],
  },
  {
    name: 'payment-plan-create-in-path',
    summary: 'A new plan for a customer whose last one has ended',
    method: 'POST',
    route: inPath,
    path: '/customers/{customer}/paymentPlan',
    request: plan(2),
    status: 201,
  },
  {
    name: 'payment-plan-delete-in-path',
    summary: 'The same by the id in the path',
    method: 'DELETE',
    route: inPath,
    path: '/customers/{customer}/paymentPlan',
    needs: ['payment-plan-create-in-path'],
  },
];
