/** The states of the countries in which pages let people choose one, by their codes of ISO 3166-2. */

export interface State {
  /** In capitals: `NY`. */
  readonly code: string;
  readonly name: string;
}

/** With the armed forces of the United States, as its post writes them. */
const lists: Readonly<Record<string, string>> = {
  US:
    'AL Alabama|AK Alaska|AS American Samoa|AZ Arizona|AR Arkansas|AA Armed Forces Americas|' +
    'AE Armed Forces Europe|AP Armed Forces Pacific|CA California|CO Colorado|CT Connecticut|' +
    'DE Delaware|DC District of Columbia|FL Florida|GA Georgia|GU Guam|HI Hawaii|ID Idaho|' +
    'IL Illinois|IN Indiana|IA Iowa|KS Kansas|KY Kentucky|LA Louisiana|ME Maine|MD Maryland|' +
    'MA Massachusetts|MI Michigan|MN Minnesota|MS Mississippi|MO Missouri|MT Montana|NE Nebraska|' +
    'NV Nevada|NH New Hampshire|NJ New Jersey|NM New Mexico|NY New York|NC North Carolina|' +
    'ND North Dakota|MP Northern Mariana Islands|OH Ohio|OK Oklahoma|OR Oregon|PA Pennsylvania|' +
    'PR Puerto Rico|RI Rhode Island|SC South Carolina|SD South Dakota|TN Tennessee|TX Texas|' +
    'UT Utah|VT Vermont|VI Virgin Islands|VA Virginia|WA Washington|WV West Virginia|' +
    'WI Wisconsin|WY Wyoming',
  CA:
    'AB Alberta|BC British Columbia|MB Manitoba|NB New Brunswick|NL Newfoundland and Labrador|' +
    'NT Northwest Territories|NS Nova Scotia|NU Nunavut|ON Ontario|PE Prince Edward Island|' +
    'QC Québec|SK Saskatchewan|YT Yukon',
  AU:
    'ACT Australian Capital Territory|NSW New South Wales|NT Northern Territory|QLD Queensland|' +
    'SA South Australia|TAS Tasmania|VIC Victoria|WA Western Australia',
  IN:
    'AN Andaman and Nicobar Islands|AP Andhra Pradesh|AR Arunachal Pradesh|AS Assam|BR Bihar|' +
    'CH Chandigarh|CG Chhattisgarh|DH Dadra and Nagar Haveli and Daman and Diu|DL Delhi|GA Goa|' +
    'GJ Gujarat|HR Haryana|HP Himachal Pradesh|JK Jammu and Kashmir|JH Jharkhand|KA Karnataka|' +
    'KL Kerala|LA Ladakh|LD Lakshadweep|MP Madhya Pradesh|MH Maharashtra|MN Manipur|' +
    'ML Meghalaya|MZ Mizoram|NL Nagaland|OD Odisha|PY Puducherry|PB Punjab|RJ Rajasthan|' +
    'SK Sikkim|TN Tamil Nadu|TS Telangana|TR Tripura|UK Uttarakhand|UP Uttar Pradesh|' +
    'WB West Bengal',
  BR:
    'AC Acre|AL Alagoas|AP Amapá|AM Amazonas|BA Bahia|CE Ceará|DF Distrito Federal|' +
    'ES Espírito Santo|GO Goiás|MA Maranhão|MT Mato Grosso|MS Mato Grosso do Sul|' +
    'MG Minas Gerais|PA Pará|PB Paraíba|PR Paraná|PE Pernambuco|PI Piauí|RJ Rio de Janeiro|' +
    'RN Rio Grande do Norte|RS Rio Grande do Sul|RO Rondônia|RR Roraima|SC Santa Catarina|' +
    'SP São Paulo|SE Sergipe|TO Tocantins',
  MX:
    'AGU Aguascalientes|BCN Baja California|BCS Baja California Sur|CAM Campeche|CHP Chiapas|' +
    'CHH Chihuahua|CMX Ciudad de México|COA Coahuila|COL Colima|DUR Durango|GUA Guanajuato|' +
    'GRO Guerrero|HID Hidalgo|JAL Jalisco|MEX México|MIC Michoacán|MOR Morelos|NAY Nayarit|' +
    'NLE Nuevo León|OAX Oaxaca|PUE Puebla|QUE Querétaro|ROO Quintana Roo|SLP San Luis Potosí|' +
    'SIN Sinaloa|SON Sonora|TAB Tabasco|TAM Tamaulipas|TLA Tlaxcala|VER Veracruz|YUC Yucatán|' +
    'ZAC Zacatecas',
};

/** Other names, and codes of before: those of India changed in 2023, that of Mexico City in 2016. */
const otherNames: Readonly<Record<string, string>> = {
  US: 'DC Washington DC|VI US Virgin Islands|VI Virgin Islands of the US',
  CA: 'NL Newfoundland|NL NF|QC PQ|YT Yukon Territory|PE PEI',
  AU: '',
  IN: 'CG CT|OD OR|OD Orissa|TS TG|UK UT|UK UA|UK Uttaranchal|DL New Delhi|PY Pondicherry',
  BR: '',
  MX:
    'CMX DIF|CMX DF|CMX CDMX|CMX Mexico City|CMX Distrito Federal|COA Coahuila de Zaragoza|' +
    'MEX Estado de México|MIC Michoacán de Ocampo|QUE Querétaro de Arteaga|' +
    'VER Veracruz de Ignacio de la Llave',
};

function parsed(list: string): State[] {
  if (list === '') return [];
  return list.split('|').map((entry) => {
    const at = entry.indexOf(' ');
    return { code: entry.slice(0, at), name: entry.slice(at + 1) };
  });
}

const byCountry = new Map(Object.entries(lists).map(([country, list]) => [country, parsed(list)]));

const codes = new Map(
  [...byCountry].map(([country, states]) => {
    const others = parsed(otherNames[country] ?? '');
    const names = [...others, ...states].map(({ code, name }) => [folded(name), code] as const);
    return [country, new Map([...names, ...states.map(({ code }) => [code, code] as const)])];
  }),
);

/** The countries that have a choice. */
export const countriesOfStates: readonly string[] = [...byCountry.keys()];

/**
 * The states to choose from, by their names; none for a country without a choice.
 *
 * @example statesOf('CA')[0] // { code: 'AB', name: 'Alberta' }
 */
export function statesOf(country: string | null): readonly State[] {
  return byCountry.get(country ?? '') ?? [];
}

/**
 * The code of a state that is written as its code or by its name, without case, accents and dots;
 * null if the country has no such state, or no choice.
 *
 * @example knownState('US', 'new york') // 'NY'
 */
export function knownState(country: string | null, text: string | null): string | null {
  return codes.get(country ?? '')?.get(folded(text ?? '')) ?? null;
}

/**
 * What of a state is compared: its code where it is known, else its text without case.
 *
 * @example stateKey('US', 'Nueva York') // 'NUEVA YORK'
 */
export function stateKey(country: string | null, text: string | null): string | null {
  const written = (text ?? '').trim().toUpperCase();
  return knownState(country, text) ?? (written === '' ? null : written);
}

function folded(text: string): string {
  const letters = text.normalize('NFD').replaceAll(/[\p{M}.,]/gu, '');
  return letters.trim().replaceAll(/\s+/g, ' ').toUpperCase();
}
