/** The fields of a person and of a place, as every form that asks for them has them. */
import type { Language } from '../../domain/text/language.ts';
import type { FieldSpec } from './fields.ts';

/** The rest is of the form: its name, its label, its value. */
export type FormField = Omit<FieldSpec, 'name' | 'label' | 'value'>;
type FormFields = Readonly<Record<string, FormField>>;

export const contactFields = {
  companyName: { autocomplete: 'organization' },
  firstName: { autocomplete: 'given-name', isRequired: true },
  lastName: { autocomplete: 'family-name', isRequired: true },
  email: { autocomplete: 'email', type: 'email', isRequired: true },
  phone: { autocomplete: 'tel', type: 'tel' },
} as const satisfies FormFields;

/** Below the street, in the order in which people write an address. */
export function placeFields(
  language: Language,
  { zipName, state }: { readonly zipName: string; readonly state: FormField },
): FormFields {
  const place: FormFields = { city: { autocomplete: 'address-level2' }, state };
  const zip = { [zipName]: { autocomplete: 'postal-code' } };
  return language === 'en' ? { ...place, ...zip } : { ...zip, ...place };
}
