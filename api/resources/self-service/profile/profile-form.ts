/** The form of the profile: its fields, and what of a contact they change; it calls nobody. */
import { isCountry } from '../../../../domain/customers/postal-address.ts';
import type { AskedPlace } from '../../../../domain/tax/place.ts';
import type { ContactFields } from '../../../../operations/customers/contact-input.ts';
import type { Profile } from '../../../../operations/self-service/profile.ts';
import type { FormFields } from '../../../calls/route-types.ts';
import { cityField, contactFields, zipField } from '../../../pages/contact-fields.ts';
import {
  noting,
  readFields,
  shownTexts,
  typedAgain,
  type Fields,
  type Shown,
} from '../../../pages/form.ts';
import { placeFields, readPlace, shownState } from '../../../pages/place.ts';
import { passwordFault, type Refuse } from '../../../pages/typed-text.ts';
import type { PageProblem } from '../../../pages/view.ts';

export const personFields = {
  ...contactFields,
  phone: { ...contactFields.phone, isShownAsTyped: true },
} as const satisfies Fields;

const streetFields = {
  street1: { label: 'street1', autocomplete: 'address-line1' },
  street2: { label: 'street2', autocomplete: 'address-line2' },
  city: cityField,
  zip: zipField,
} as const satisfies Fields;

const ownPlace = {
  ...placeFields,
  state: { ...placeFields.state, label: 'region' },
} as const satisfies Fields;

export const addressFields = { ...ownPlace, ...streetFields };

export const passwordFields = {
  oldPassword: {
    label: 'oldPassword',
    autocomplete: 'current-password',
    type: 'password',
  },
  newPassword: {
    label: 'newPassword',
    autocomplete: 'new-password',
    type: 'password',
    hint: 'newPasswordHint',
    check: passwordFault,
  },
} as const satisfies Fields;

const textFields = { ...personFields, ...streetFields };
type TextName = keyof typeof textFields;
type ContactName = keyof typeof personFields | keyof typeof addressFields;

/** The contact's fields are called as those of the page, but for these. */
const columnOf = (name: TextName) =>
  name === 'email' ? 'emailPrimary' : name === 'phone' ? 'workPhone' : name;

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

export type ProfileTexts = Readonly<Partial<Record<ContactName, string>>>;

/** What the page shows of a contact. */
export const shownProfile = (profile: Profile): ProfileTexts => ({
  ...shownTexts(textFields, { ...profile, email: profile.emailPrimary, phone: profile.workPhone }),
  ...shownPlace(profile),
});

/** What it shows of a form. */
export const typedProfile = (typed: FormFields): ProfileTexts =>
  typedAgain({ ...textFields, ...ownPlace }, typed);

function shownPlace(profile: Profile): Shown<typeof ownPlace> {
  const country = shownCountry(profile);
  return { country, state: shownState({ country, state: profile.state?.trim() ?? '' }) };
}

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
  const { problems, refuse } = noting();
  const names = Object.keys(textFields) as readonly TextName[];
  const storedTexts = Object.fromEntries(
    names.map((name) => [name, profile[columnOf(name)]?.trim() || null]),
  );
  const typed = readFields(textFields, fields, { refuse, stored: storedTexts });
  const changed = names.filter((name) => typed[name] !== storedTexts[name]);
  const changes: Record<string, string | null> = Object.fromEntries(
    changed.map((name) => [columnOf(name), typed[name]]),
  );
  const shown = shownPlace(profile);
  const stored = { country: shown.country || null, state: shown.state || null };
  const { country, state } = readPlace(fields, { asked, stored }, refuse);
  if (state !== stored.state) changes['state'] = state;
  if (country !== stored.country) {
    changes['country'] = country;
    changes['countryCode'] = country;
  }
  const needsOld = changed.includes('email');
  const password = asksPassword ? readPassword(fields, { needsOld, refuse }) : null;
  return { changes, password, problems };
}

interface ReadingPassword {
  /** Something else is changed for which it is needed. */
  readonly needsOld: boolean;
  readonly refuse: Refuse;
}

/** Browsers fill in the old one by themselves, which means nothing where it is not needed. */
function readPassword(
  posted: FormFields,
  { needsOld, refuse }: ReadingPassword,
): TypedPassword | null {
  if (!posted.get('newPassword') && !needsOld) return null;
  const { newPassword, oldPassword } = passwordFields;
  const fields = { oldPassword: { ...oldPassword, isRequired: true }, newPassword };
  const typed = readFields(fields, posted, { refuse });
  return { old: typed.oldPassword ?? '', new: typed.newPassword };
}
