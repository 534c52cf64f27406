/** Reads and checks what the form of the profile takes; it calls nobody. */
import { isCountry } from '../../../../domain/customers/countries.ts';
import { isMailAddress } from '../../../../domain/mail/kinds.ts';
import type { AskedPlace } from '../../../../domain/tax/place.ts';
import type { ContactFields } from '../../../../operations/customers/contact-input.ts';
import type { Profile } from '../../../../operations/self-service/profile.ts';
import type { FormFields } from '../../../calls/route-types.ts';
import { readPlace, shownState } from '../../../pages/place.ts';
import { isStrongPassword, refuseName, typedText } from '../../../pages/typed-text.ts';
import type { PageProblem } from '../../../pages/view.ts';

/** The fields of the page but those of the password, and the contact's field of each. */
const columns = {
  companyName: 'companyName',
  firstName: 'firstName',
  lastName: 'lastName',
  email: 'emailPrimary',
  phone: 'workPhone',
  street1: 'street1',
  street2: 'street2',
  city: 'city',
  zip: 'zip',
} as const;
type TextName = keyof typeof columns;

export type TypedName = TextName | 'state' | 'country';
const textNames = Object.keys(columns) as readonly TextName[];
export const typedNames: readonly TypedName[] = [...textNames, 'state', 'country'];

export interface ReadProfileForm {
  /** What differs from the stored contact. */
  readonly changes: ContactFields;
  /** Null where none is needed: for a new one, and for another e-mail address. */
  readonly password: TypedPassword | null;
  readonly problems: readonly PageProblem[];
}

export interface TypedPassword {
  readonly old: string;
  /** Null to keep the old one. */
  readonly new: string | null;
}

/** What the page shows of a contact. */
export function shownProfile(profile: Profile): Readonly<Partial<Record<TypedName, string>>> {
  const texts = textNames.map((name) => [name, profile[columns[name]] ?? '']);
  return { ...Object.fromEntries(texts), ...shownPlace(profile) };
}

const shownPlace = (profile: Profile) => {
  const country = shownCountry(profile);
  return { country, state: shownState({ country, state: profile.state?.trim() ?? '' }) };
};

/** The code, for the list; a name that the caller of the interface had is an entry of its own. */
const shownCountry = ({ country, countryCode }: Profile): string => {
  const code = countryCode?.toUpperCase() ?? '';
  return isCountry(code) ? code : (country ?? countryCode ?? '');
};

export function readProfileForm(
  fields: FormFields,
  profile: Profile,
  { asksPassword, asked }: { readonly asksPassword: boolean; readonly asked: AskedPlace },
): ReadProfileForm {
  const problems: PageProblem[] = [];
  const refuse = (field: string, key: string): void => void problems.push({ field, key });
  const changes: Record<string, string | null> = {};
  for (const name of textNames) {
    const typed = typedText(fields, name, refuse);
    const column = columns[name];
    if (typed === null && isRequired(name)) refuse(name, 'required');
    if (typed === (profile[column]?.trim() || null)) continue;
    changes[column] = typed;
    if (isName(name)) refuseName(name, typed, refuse);
  }
  const { emailPrimary, workPhone } = changes;
  if (emailPrimary != null && !isMailAddress(emailPrimary)) refuse('email', 'email');
  if (workPhone != null && !/\d/.test(workPhone)) refuse('phone', 'phone');
  const shown = shownPlace(profile);
  const stored = { country: shown.country || null, state: shown.state || null };
  const { country, state } = readPlace(fields, { asked, stored }, refuse);
  if (state !== stored.state) changes['state'] = state;
  if (country !== stored.country) {
    changes['country'] = country;
    changes['countryCode'] = country;
  }
  const needsOld = emailPrimary !== undefined;
  const password = asksPassword ? readPassword(fields, { needsOld, refuse }) : null;
  return { changes, password, problems };
}

const isName = (name: TextName): boolean => ['companyName', 'firstName', 'lastName'].includes(name);
const isRequired = (name: TextName): boolean => ['firstName', 'lastName', 'email'].includes(name);

interface ReadingPassword {
  /** Something else is changed for which it is needed. */
  readonly needsOld: boolean;
  readonly refuse: (field: string, key: string) => void;
}

/** Browsers fill in the old one by themselves, which means nothing where it is not needed. */
function readPassword(
  fields: FormFields,
  { needsOld, refuse }: ReadingPassword,
): TypedPassword | null {
  const [old = '', typed = ''] = [fields.get('oldPassword'), fields.get('newPassword')];
  if (typed === '' && !needsOld) return null;
  if (old === '') refuse('oldPassword', 'required');
  if (typed !== '' && !isStrongPassword(typed)) refuse('newPassword', 'passwd.weak');
  return { old, new: typed === '' ? null : typed };
}
