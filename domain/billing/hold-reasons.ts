/** Why customers are held from billing, beside the codes of the catalogue of errors. */

/** No call answers with these codes. @example holdReasons['billing.crashed'] */
export const holdReasons = {
  'billing.crashed':
    'The process that billed the customer alone ran out of memory, crashed or blocked.',
  'billing.timedOut': 'Billing the customer alone exceeded the time limit of a statement.',
  'database.…': "The database refused the customer's rows with this SQLSTATE.",
} as const;
