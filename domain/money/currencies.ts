/** The currencies of ISO 4217 for payments, and the decimals of each. */

const withoutMinorUnit = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF';
const withTwoDigits =
  'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD ' +
  'CDF CHE CHF CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS ' +
  'GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD ' +
  'LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB ' +
  'PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP ' +
  'SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG';
const withThreeDigits = 'BHD IQD JOD KWD LYD OMR TND';
const withFourDigits = 'CLF UYW';

/** Each currency code with the number of decimals of its minor unit. */
export const currencyDigits: ReadonlyMap<string, number> = new Map(
  (
    [
      [withoutMinorUnit, 0],
      [withTwoDigits, 2],
      [withThreeDigits, 3],
      [withFourDigits, 4],
    ] as const
  ).flatMap(([codes, digits]) => codes.split(' ').map((code) => [code, digits] as const)),
);
