/** Saved searches of the Temporal Web UI, as links. `docs/operations.md` lists the same. */

export interface SavedSearch {
  readonly finds: string;
  readonly query: string;
}

export const savedSearches: readonly SavedSearch[] = [
  { finds: 'orders of customers that are held from billing', query: 'Phase = "Held"' },
  {
    finds: 'orders whose customer waits for the tax provider',
    query: 'FailureCode = "tax.unavailable"',
  },
  { finds: 'payments whose gateway has not answered', query: 'Phase = "Asking"' },
  { finds: 'payments that a gateway decides in days', query: 'Phase = "Processing"' },
  {
    finds: 'payments that wait for another one of their customer',
    query: 'Phase = "Waiting" and WorkflowType = "payment"',
  },
  { finds: 'callback endpoints that do not answer', query: 'Phase = "Paused"' },
  {
    finds: 'callback endpoints that answer, and refuse events of some customers',
    query: 'Phase = "Retrying"',
  },
  { finds: 'callback endpoints with events given up', query: 'Phase = "GivenUp"' },
  { finds: 'billing runs at work', query: 'Phase = "Billing"' },
  {
    finds: 'mails that could not be sent yet',
    query: 'WorkflowType = "mail" and Phase = "Waiting"',
  },
  {
    finds: 'invoices that a tax provider has not recorded yet',
    query: 'WorkflowType = "taxRecords" and Phase = "Waiting"',
  },
  {
    finds: 'imports in progress',
    query: 'WorkflowType = "batchImport" and ExecutionStatus = "Running"',
  },
  {
    finds: 'imports that wait for an operator',
    query: 'WorkflowType = "batchImport" and Phase = "Waiting after a fault"',
  },
  {
    finds: 'imported passwords that are not hashed yet',
    query: 'WorkflowType = "passwords" and ExecutionStatus = "Running"',
  },
  { finds: 'workflows that somebody has terminated', query: 'ExecutionStatus = "Terminated"' },
  { finds: 'workflows that have failed, each by a bug', query: 'ExecutionStatus = "Failed"' },
];

/** Where the Web UI is, and the namespace of the workflows. */
export interface WebUi {
  readonly url: string;
  readonly namespace: string;
}

const workflowsOf = ({ url, namespace }: WebUi): string =>
  `${url}/namespaces/${encodeURIComponent(namespace)}/workflows`;

/** @param tenant the label of the only one that is searched */
export function searchAddress(ui: WebUi, query: string, tenant?: string): string {
  const text = tenant === undefined ? query : `Tenant = "${tenant}" and ${query}`;
  return `${workflowsOf(ui)}?query=${encodeURIComponent(text)}`;
}

export const workflowAddress = (ui: WebUi, workflowId: string): string =>
  `${workflowsOf(ui)}/${encodeURIComponent(workflowId)}`;
