/** Examples: a file of customers from its job to its result, a dry run of invoices, and BatchInit. */
import type { Step } from '../../docs/examples/example-step.ts';

const upload = `[ -z "\${uploadUrl}" ] || printf '%s\\n' 'extCustomerRef,firstName,lastName,emailPrimary' \
'MOVED-1,Ada,Field,ada@example.com' 'MOVED-2,Grace,,grace@example.com' | \
curl -sS --fail-with-body -T - "\${uploadUrl}"`;
const untilEnded = `until curl -sS -u "$AUTH" "$BASE/batchProcess?id=\${batch}" | \
grep -qE '<status>(Success|PartialSuccess|Failure)<'; do sleep 1; done`;

export const batchSteps: readonly Step[] = [
  {
    name: 'batch-create',
    summary: 'A job for a file of customers, with the address to which the file is uploaded',
    method: 'POST',
    route: '/batchProcess',
    mode: 'StorageFileUpload',
    path: '/batchProcess?mode=StorageFileUpload',
    request: `<batchProcess>
  <jobId>{ref}-customers</jobId>
  <inputType>API</inputType>
  <operation>eBill-Import</operation>
  <subOperation>Customer</subOperation>
  <inputFilename>customers.csv</inputFilename>
</batchProcess>`,
    status: 201,
    keeps: { batch: '<id>', uploadUrl: '<uploadUrl>' },
  },
  {
    name: 'batch-create-refused',
    summary: 'A file of line items needs the job of its invoices',
    method: 'POST',
    route: '/batchProcess',
    mode: 'StorageFileUpload',
    path: '/batchProcess?mode=StorageFileUpload',
    request: `<batchProcess>
  <inputType>API</inputType>
  <operation>eBill-Import</operation>
  <subOperation>Invoice Line Item</subOperation>
</batchProcess>`,
    status: 400,
  },
  {
    name: 'batch-finalize',
    summary: 'Process the file once it is uploaded',
    method: 'PUT',
    route: '/batchProcess',
    mode: 'BatchFinalize',
    path: '/batchProcess?mode=BatchFinalize',
    request: `<batchProcess>
  <id>{batch}</id>
</batchProcess>`,
    prepares: upload,
  },
  {
    name: 'batch',
    summary: 'A job whose file is not uploaded yet, with a new address',
    method: 'GET',
    route: '/batchProcess',
    path: '/batchProcess?jobId={ref}-customers',
    needs: ['batch-create'],
  },
  {
    name: 'batch-result',
    summary: 'A job that has ended, with the address of its result',
    method: 'GET',
    route: '/batchProcess',
    path: '/batchProcess?id={batch}',
    needs: ['batch-finalize'],
    prepares: untilEnded,
  },
  {
    name: 'batch-create-invoices',
    summary: 'A job for a dry run of invoices',
    method: 'POST',
    route: '/batchProcess',
    mode: 'StorageFileUpload',
    path: '/batchProcess?mode=StorageFileUpload',
    request: `<batchProcess>
  <jobId>{ref}-invoices</jobId>
  <inputType>API</inputType>
  <operation>eBill-Import</operation>
  <subOperation>Invoice</subOperation>
  <inputFilename>invoices.csv</inputFilename>
  <validateOnly>true</validateOnly>
</batchProcess>`,
    status: 201,
  },
  {
    name: 'batch-create-lines',
    summary: 'A job for a file of their line items',
    method: 'POST',
    route: '/batchProcess',
    mode: 'StorageFileUpload',
    path: '/batchProcess?mode=StorageFileUpload',
    request: `<batchProcess>
  <jobId>{ref}-lines</jobId>
  <inputType>API</inputType>
  <operation>eBill-Import</operation>
  <subOperation>Invoice Line Item</subOperation>
  <inputFilename>lines.csv</inputFilename>
  <parentBatchProcessJobId>{ref}-invoices</parentBatchProcessJobId>
</batchProcess>`,
    status: 201,
    needs: ['batch-create-invoices'],
  },
  {
    name: 'batch-withdraw',
    summary: 'Withdraw a Draft, with its file and the jobs of its line items',
    method: 'DELETE',
    route: '/batchProcess',
    path: '/batchProcess?jobId={ref}-invoices',
    needs: ['batch-create-lines'],
  },
  {
    name: 'batch-init',
    summary: 'Carry over the open debits; other kinds are not asked for',
    method: 'POST',
    route: '/batchProcess',
    mode: 'BatchInit',
    path: '/batchProcess?mode=BatchInit',
    request: `<batchProcess>
  <jobId>{ref}-init</jobId>
  <carryForwardDebitMemos>true</carryForwardDebitMemos>
</batchProcess>`,
    status: 201,
  },
];
