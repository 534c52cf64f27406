/** What the elements and parameters of hosted self-service mean. */
export const selfServiceWords = {
  'widgetLink.url':
    "The address of the customer's page, for the frame: a secret that ends 30 minutes after the " +
    'last click.',

  '?.loginUrl': 'Where the pages lead once the session has ended: an address of an allowed origin.',
  '?.showNavigationBar': 'Whether the pages have a menu.',
  '?.showStatements': 'Whether statements and invoices are shown.',
  '?.showPayments': 'Whether earlier payments are shown.',
  '?.allowPayments': 'Whether open invoices can be paid.',
  '?.allowProfileEdit': 'Whether the contact can be changed.',
  '?.editOrderOptions':
    'What can be done with orders: some of Cancel, Upgrade, Downgrade, New, separated by commas; ' +
    'none overrides a profile that has some.',
  '?.pdfMode': 'Whether invoices and receipts are shown as PDF only.',
  '?.profile':
    'The self-service profile whose switches count where a parameter says nothing; DEFAULT by ' +
    'default.',
};
