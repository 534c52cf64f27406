/** The IBANs that decide what the sandbox does. */
export const ibans = {
  paid: 'DE89370400440532013000',
  declined: 'DE62370400440532013001',
  returned: 'DE35370400440532013002',
} as const;
