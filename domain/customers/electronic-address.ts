/** Electronic addresses of companies, to which electronic invoices go: a scheme and an identifier. */

/** The code list EAS of EN 16931 as Peppol has it in May 2026. */
const schemes = [
  '0002 0007 0009 0060 0088 0096 0097 0106 0130 0135 0142 0151 0183 0184 0188 0190 0191 0192 0195',
  '0196 0198 0199 0200 0201 0204 0208 0209 0210 0211 0216 0218 0221 0225 0230 0235 0240 0242 0244',
  '0245 0246 0248 9910 9913 9914 9915 9918 9919 9920 9922 9923 9924 9925 9926 9927 9928 9929 9930',
  '9931 9932 9933 9934 9935 9936 9937 9938 9939 9940 9941 9942 9943 9944 9945 9946 9947 9948 9949',
  '9950 9951 9952 9953 9957 9959',
].flatMap((row) => row.split(' '));

/** `scheme:identifier`, of visible characters of ASCII. */
export const electronicAddressPattern = new RegExp(`^(${schemes.join('|')}):([!-~]{1,50})$`);

export interface ElectronicAddress {
  readonly scheme: string;
  readonly id: string;
}

/** @example electronicAddressOf('9930:DE123456789') // { scheme: '9930', id: 'DE123456789' } */
export function electronicAddressOf(text: string | null | undefined): ElectronicAddress | null {
  const [, scheme, id] = electronicAddressPattern.exec(text ?? '') ?? [];
  return scheme === undefined || id === undefined ? null : { scheme, id };
}
