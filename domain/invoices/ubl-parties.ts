/** Seller and buyer of an electronic invoice. */
import { electronicAddressOf, type ElectronicAddress } from '../customers/electronic-address.ts';
import type { PostalAddress } from '../customers/postal-address.ts';
import { countryOf } from '../tax/rates.ts';
import type { SourceCustomer, SourceSender } from './page-parties.ts';
import { node, value, type UblNode } from './ubl-nodes.ts';

interface Naming {
  /** Outside of the scope of tax nobody has a VAT number. */
  readonly namesVat: boolean;
}

/** @example senderNode(sender, { namesVat: true }).name // 'cac:AccountingSupplierParty' */
export function senderNode(sender: SourceSender, { namesVat }: Naming): UblNode {
  const { name, address, contact } = sender;
  const endpoint = electronicAddressOf(sender.electronicAddress);
  const vat = vatOf(sender.taxId);
  return node('cac:AccountingSupplierParty', [
    node('cac:Party', [
      endpointNode(endpoint),
      addressNode(address),
      namesVat ? vatNode(vat) : null,
      node('cac:PartyLegalEntity', [
        value('cbc:RegistrationName', name),
        isRegistered(endpoint)
          ? value('cbc:CompanyID', endpoint.id, { schemeID: endpoint.scheme })
          : value('cbc:CompanyID', vat),
      ]),
      node('cac:Contact', [
        value('cbc:Name', contact?.name),
        value('cbc:Telephone', contact?.phone),
        value('cbc:ElectronicMail', contact?.email),
      ]),
    ]),
  ]);
}

/** @example customerNode(customer, { namesVat: true }).name // 'cac:AccountingCustomerParty' */
export function customerNode(customer: SourceCustomer, { namesVat }: Naming): UblNode {
  const { name, billingContact } = customer;
  return node('cac:AccountingCustomerParty', [
    node('cac:Party', [
      endpointNode(electronicAddressOf(customer.electronicAddress)),
      addressNode(billingContact?.address ?? null),
      namesVat ? vatNode(vatOf(customer.taxId)) : null,
      node('cac:PartyLegalEntity', [value('cbc:RegistrationName', name)]),
    ]),
  ]);
}

/** Whether an address is also the number of a register: the schemes that begin with 0. */
export function isRegistered(address: ElectronicAddress | null): address is ElectronicAddress {
  return address?.scheme.startsWith('0') === true;
}

/**
 * A VAT number as the directive writes it; null for another number, which is none.
 *
 * @example vatOf('ATU 1234 5678') // 'ATU12345678'
 */
export function vatOf(taxId: string | null): string | null {
  const written = (taxId ?? '').replaceAll(/[\s.-]/g, '').toUpperCase();
  return /^[A-Z]{2}[A-Z0-9+*]{2,13}$/.test(written) ? written : null;
}

function endpointNode(address: ElectronicAddress | null): UblNode {
  return address && value('cbc:EndpointID', address.id, { schemeID: address.scheme });
}

function addressNode(address: PostalAddress | null): UblNode {
  return node('cac:PostalAddress', [
    value('cbc:StreetName', address?.street1),
    value('cbc:AdditionalStreetName', address?.street2),
    value('cbc:CityName', address?.city),
    value('cbc:PostalZone', address?.zip),
    value('cbc:CountrySubentity', address?.state),
    node('cac:Country', [value('cbc:IdentificationCode', countryCodeOf(address))]),
  ]);
}

/** @example countryCodeOf({ country: 'de' }) // 'DE' */
export function countryCodeOf(address: PostalAddress | null | undefined): string | null {
  const { country = null, countryCode = null } = address ?? {};
  return countryOf({ country, countryCode });
}

function vatNode(vat: string | null): UblNode {
  if (vat === null) return null;
  return node('cac:PartyTaxScheme', [
    value('cbc:CompanyID', vat),
    node('cac:TaxScheme', [value('cbc:ID', 'VAT')]),
  ]);
}

const CREDIT_TRANSFER = '30';

/** Where to pay to; nothing without an IBAN. @example bankNodes(sender).length // 1 */
export function bankNodes({ name, bankAccount }: SourceSender): readonly UblNode[] {
  if (bankAccount?.iban === undefined) return [];
  const { holder = name, iban, bic } = bankAccount;
  return [
    node('cac:PaymentMeans', [
      value('cbc:PaymentMeansCode', CREDIT_TRANSFER),
      node('cac:PayeeFinancialAccount', [
        value('cbc:ID', iban),
        value('cbc:Name', holder),
        node('cac:FinancialInstitutionBranch', [value('cbc:ID', bic)]),
      ]),
    ]),
  ];
}
