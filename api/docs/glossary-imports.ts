/** What the elements and parameters of batch jobs mean. */
export const importWords = {
  'batchProcess.id': 'The internal id of the job.',
  jobId: 'Your own key of the job, unique within the tenant; its id by default.',
  'batchProcess.status':
    'Draft until it is finalized, Queued until it has ended, then Success if no row failed, Failure ' +
    'if none succeeded, else PartialSuccess.',
  operation: 'eBill-Import for files, BatchInit, or CarryForward for a kind that BatchInit takes.',
  subOperation: 'What the file has, or what is carried over.',
  inputType: 'API.',
  inputFilename: 'The name of your file; only kept.',
  parentBatchProcess: 'The job of the invoices that line items belong to, by internal id.',
  parentBatchProcessJobId: 'The same job by its jobId; either is enough.',
  successCount: 'The rows of the job itself that succeeded so far.',
  failCount: 'The rows of the job itself that failed so far.',
  successMessage: 'The counts in words, of every job that has ended.',
  errorMessage: 'Why no row of the file could be read.',
  uploadUrl:
    'Takes one PUT of the CSV file within 30 minutes, without credentials. Each answer about a Draft ' +
    'has a new one.',
  downloadUrl:
    'Gives the result file for 30 minutes, without credentials. Each GET has a new one, until the ' +
    'result is deleted.',
  progress: 'How far the job is; empty unless it is Queued.',
  rowsDone: 'Rows that succeeded or failed so far.',
  rowsPerSecond: 'The rate since its first row.',
  secondsRemaining: 'At this rate; empty while it is not known.',
  child: 'The jobs of line items of a job of invoices; what BatchInit carries over.',
  batchProcess: 'A job of line items.',
  'carryForwardInvoice.status': 'As of the job itself.',
  'carryForwardCreditMemo.status': 'As of the job itself.',
  'carryForwardDebitMemo.status': 'As of the job itself.',
  carryForwardInvoice: 'The invoices that BatchInit carries over; empty if not asked for.',
  carryForwardCreditMemo: 'The credits that it carries over; empty if not asked for.',
  carryForwardDebitMemo: 'The debits that it carries over; empty if not asked for.',
  carryForwardInvoices: 'Carries over all invoices; false by default.',
  carryForwardCreditMemos: 'Carries over credits with a balance; false by default.',
  carryForwardDebitMemos: 'Carries over open debits; false by default.',
  zeroOutCustomerBalance:
    'Makes the balance of every customer zero, with all three kinds; false by default.',
  validateOnly:
    'Checks the rows and writes the result, and stores nothing else; false by default. Jobs of line ' +
    'items take it from their parent.',
  '?.jobId': 'Your own key of the job.',
} as const;
