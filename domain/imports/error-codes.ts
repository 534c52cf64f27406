/** The part of the catalogue of errors that is about batch jobs, and about the rows of their files. */

/** @example importErrors['batch.unknown'].kind // 'notFound' */
export const importErrors = {
  'batch.unknown': { kind: 'notFound', meaning: 'There is no such batch job.' },
  'batch.duplicate': { kind: 'invalid', meaning: 'Another batch job has this jobId.' },
  'batch.noFile': {
    kind: 'invalid',
    meaning: 'The file of the job, or of a job below it, has not been uploaded.',
  },
  'batch.notDraft': {
    kind: 'invalid',
    meaning: 'Only a Draft can be withdrawn, and the batch job is finalized.',
  },
  'batch.child': {
    kind: 'invalid',
    meaning: 'A job of line items is finalized with its parent, not by itself.',
  },
  'invoice.numberTaken': { kind: 'invalid', meaning: 'Another invoice has this invoiceNumber.' },
  'import.cells': {
    kind: 'invalid',
    meaning: 'The row of an import file cannot be read as cells, one for each column.',
  },
  'import.repeated': {
    kind: 'invalid',
    meaning: 'An earlier row of the import has the same key: the first one counts.',
  },
  'import.dependent': {
    kind: 'invalid',
    meaning: 'An invoice fails with a line item of it, and a line item with its invoice.',
  },
  'import.failed': {
    kind: 'invalid',
    meaning: 'The row could not be stored; the cause is in the log of the worker.',
  },
} as const;
