/** Customers that are held from billing, and the reasons beside the codes of the catalogue of errors. */

/** No call answers with these codes. @example holdReasons['billing.crashed'] */
export const holdReasons = {
  'billing.crashed':
    'The process that billed the customer alone ran out of memory, crashed or blocked.',
  'billing.timedOut': 'Billing the customer alone exceeded the time limit of a statement.',
  'database.…': "The database refused the customer's rows with this SQLSTATE.",
} as const;

/** The code with which the run holds a customer whose data the tax provider refuses. */
export const TAX_REFUSED = 'tax.refused';

export interface HeldCustomer {
  readonly customerId: number;
  readonly code: string;
  /** More about the reason, in the words of who refuses the customer. */
  readonly text?: string | null;
}
