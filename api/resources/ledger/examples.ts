/** Examples: the ledger, and a report on it. */
import type { Step } from '../../docs/examples/example-step.ts';

export const ledgerSteps: readonly Step[] = [
  {
    name: 'ledger',
    summary: 'What an invoice debits and credits',
    method: 'GET',
    route: '/ledger',
    needs: ['order-create'],
    path: '/ledger?extCustomerRef={ref}&entryType=Invoice',
  },
  {
    name: 'report',
    summary: 'What customers owe, by age',
    method: 'GET',
    route: '/report/:name',
    needs: ['order-create'],
    path: '/report/agedReceivables',
  },
  {
    name: 'report-create',
    summary: 'A report that is written to a file',
    method: 'POST',
    route: '/report/:name',
    path: '/report/mrr',
    status: 202,
  },
];
