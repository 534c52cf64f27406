/** Examples: the payment methods that a customer has on file. */
import type { Step } from '../../docs/examples/example-step.ts';

export const byReference = '?extCustomerRef={ref}';

export const card = (
  number: string,
  preference = '',
): string => `<paymentMethodDTO type="CreditCard">
    <creditCardPaymentMethod>${preference}
      <cardNumber>${number}</cardNumber>
      <expiry>2029-12-31</expiry>
      <cardholderName>Ada Byron</cardholderName>
      <cvv>123</cvv>
    </creditCardPaymentMethod>
  </paymentMethodDTO>`;

export const autopaySteps: readonly Step[] = [
  {
    name: 'autopay-put',
    summary: 'A card, verified first with a charge of zero',
    method: 'PUT',
    route: '/customer/:id/autopay',
    path: '/customer/{customer}/autopay?validate=true',
    request: `<autopay>
  ${card('4111111111111111', '\n      <autopayPreference>1</autopayPreference>')}
</autopay>`,
  },
  {
    name: 'autopay-put-by-reference',
    summary: 'A bank account, in case the card declines',
    method: 'PUT',
    route: '/customer/autopay',
    path: `/customer/autopay${byReference}`,
    request: `<autopay>
  <paymentMethodDTO type="ACH">
    <achPaymentMethod>
      <autopayPreference>2</autopayPreference>
      <abaRoutingNumber>021000021</abaRoutingNumber>
      <accountNumber>000123456789</accountNumber>
      <institutionName>First Bank</institutionName>
      <accountName>Ada Byron</accountName>
      <accountType>Checking</accountType>
    </achPaymentMethod>
  </paymentMethodDTO>
</autopay>`,
  },
  {
    name: 'autopay-post',
    summary: "A method already in the gateway's vault",
    method: 'POST',
    route: '/customer/:id/autopay',
    path: '/customer/{customer}/autopay',
    request: `<autopay>
  <paymentMethodDTO type="Token">
    <tokenPaymentMethod>
      <autopayPreference>3</autopayPreference>
      <token>tok_ok</token>
      <lastFour>4242</lastFour>
    </tokenPaymentMethod>
  </paymentMethodDTO>
</autopay>`,
  },
  {
    name: 'autopay-post-by-reference',
    summary: 'Replace the card on file',
    method: 'POST',
    route: '/customer/autopay',
    path: `/customer/autopay${byReference}`,
    request: `<autopay>
  ${card('5555555555554444', '\n      <autopayPreference>1</autopayPreference>')}
</autopay>`,
  },
  {
    name: 'autopay-declined',
    summary: 'A card that the gateway declines: nothing is put on file',
    method: 'PUT',
    route: '/customer/autopay',
    path: `/customer/autopay${byReference}&validate=true`,
    request: `<autopay>
  ${card('4000000000000002')}
</autopay>`,
    status: 400,
  },
  {
    name: 'autopay',
    summary: 'The methods on file, without their numbers',
    method: 'GET',
    route: '/customer/:id/autopay',
    path: '/customer/{customer}/autopay',
    needs: ['autopay-put', 'autopay-put-by-reference'],
  },
  {
    name: 'autopay-by-reference',
    summary: 'The same by external reference',
    needs: ['autopay-put', 'autopay-put-by-reference'],
    method: 'GET',
    route: '/customer/autopay',
    path: `/customer/autopay${byReference}`,
  },
];

/** After the payments, which are made by methods that go here. */
export const changedMethodSteps: readonly Step[] = [
  {
    name: 'autopay-reorder',
    summary: 'The third method is to be tried first',
    method: 'POST',
    route: '/customer/:id/autopay',
    action: 'reorder',
    path: '/customer/{customer}/autopay?actionName=reorder&order=3,1,2',
    needs: ['autopay-put', 'autopay-put-by-reference', 'autopay-post'],
  },
  {
    name: 'autopay-reorder-by-reference',
    summary: 'The first one becomes the last again',
    method: 'POST',
    route: '/customer/autopay',
    action: 'reorder',
    path: `/customer/autopay${byReference}&actionName=reorder&order=2,3,1`,
    needs: ['autopay-reorder'],
  },
  {
    name: 'autopay-remove',
    summary: 'Take the third method off file',
    method: 'DELETE',
    route: '/customer/:id/autopay',
    path: '/customer/{customer}/autopay?autopayPreference=3',
    needs: ['autopay-post'],
  },
  {
    name: 'autopay-remove-by-reference',
    summary: 'The same by external reference',
    method: 'DELETE',
    route: '/customer/autopay',
    path: `/customer/autopay${byReference}&autopayPreference=2`,
    needs: ['autopay-put-by-reference'],
  },
];
