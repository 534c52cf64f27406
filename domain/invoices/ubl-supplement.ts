/**
 * What an electronic invoice takes from today's parties, because those of the invoice's making said
 * nothing: where it goes, what it names for the buyer, and the countries of addresses.
 */
import type { PostalAddress } from '../customers/postal-address.ts';
import type { SourceCustomer, SourceSender } from './page-parties.ts';

export interface UblParties {
  readonly sender: SourceSender;
  readonly customer: SourceCustomer;
}

/** Kept when the first electronic invoice is given out. */
export interface UblSupplement {
  readonly sender: {
    readonly electronicAddress: string | null;
    readonly countryCode: string | null;
  };
  readonly customer: {
    readonly electronicAddress: string | null;
    readonly buyerReference: string | null;
    readonly countryCode: string | null;
  };
}

/** @example supplementOf(frozen, today).customer.buyerReference // '04011000-12345-03' */
export function supplementOf(frozen: UblParties, today: UblParties): UblSupplement {
  const { sender, customer } = frozen;
  return {
    sender: {
      electronicAddress: filling(sender.electronicAddress, today.sender.electronicAddress),
      countryCode: fillingCode(sender.address, today.sender.address),
    },
    customer: {
      electronicAddress: filling(customer.electronicAddress, today.customer.electronicAddress),
      buyerReference: filling(customer.buyerReference, today.customer.buyerReference),
      countryCode: fillingCode(addressOf(customer), addressOf(today.customer)),
    },
  };
}

const addressOf = ({ billingContact }: SourceCustomer): PostalAddress | null =>
  billingContact?.address ?? null;

type Text = string | null | undefined;

const isEmpty = (text: Text): boolean => (text ?? '').trim() === '';

function filling(was: Text, is: Text): string | null {
  return isEmpty(was) && !isEmpty(is) ? (is ?? null) : null;
}

const otherParts = ['street1', 'street2', 'city', 'state', 'zip', 'country'] as const;

/** Of an address that is otherwise the same. */
function fillingCode(was: PostalAddress | null, is: PostalAddress | null): string | null {
  const isSame = otherParts.every((part) => (was?.[part] ?? '') === (is?.[part] ?? ''));
  return was !== null && isSame ? filling(was.countryCode, is?.countryCode) : null;
}

/** @example supplemented(frozen, supplement).customer.buyerReference // '04011000-12345-03' */
export function supplemented(
  { sender, customer }: UblParties,
  supplement: UblSupplement,
): UblParties {
  const ofSender = supplement.sender;
  const ofCustomer = supplement.customer;
  const { billingContact } = customer;
  return {
    sender: {
      ...sender,
      electronicAddress: ofSender.electronicAddress ?? sender.electronicAddress ?? null,
      address: sender.address && withCode(sender.address, ofSender.countryCode),
    },
    customer: {
      ...customer,
      electronicAddress: ofCustomer.electronicAddress ?? customer.electronicAddress ?? null,
      buyerReference: ofCustomer.buyerReference ?? customer.buyerReference ?? null,
      billingContact: billingContact && {
        ...billingContact,
        address: withCode(billingContact.address, ofCustomer.countryCode),
      },
    },
  };
}

function withCode(address: PostalAddress, countryCode: string | null): PostalAddress {
  return countryCode === null ? address : { ...address, countryCode };
}
