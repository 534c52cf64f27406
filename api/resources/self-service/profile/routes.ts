/** The profile: shows the billing contact of the customer, and takes its changes. */
import { showsPart } from '../../../../domain/self-service/switches.ts';
import { hashInTurn } from '../../../../operations/access/hash-turns.ts';
import { faultsOfAddresses } from '../../../../operations/customers/addresses.ts';
import {
  type ContactFields,
  isAddressField,
  sentAddress,
} from '../../../../operations/customers/contact-input.ts';
import { wasFormUsed } from '../../../../operations/hosted-pages/forms.ts';
import {
  type Profile,
  type ProfileChange,
  changeProfile,
  ProfileChanged,
  readProfile,
} from '../../../../operations/self-service/profile.ts';
import { type ContactLogins, LinkNeeded } from '../../../access/contact-logins.ts';
import type { PageAnswer } from '../../../calls/answer.ts';
import { type SubmittedForm, unknownPage } from '../../../calls/page-route.ts';
import type { FormFields, Route } from '../../../calls/route-types.ts';
import { type RouteDependencies, readingMore } from '../../../calls/services.ts';
import { askedPlaceOf } from '../../../pages/place.ts';
import { type PageProblem, formProblem } from '../../../pages/view.ts';
import { partAddress } from '../page/account.ts';
import { partForm, partPage } from '../page/part-routes.ts';
import { type Visit, accountView, formView, shown, storing } from '../page/visit.ts';
import { type TypedPassword, readProfileForm, shownProfile, typedProfile } from './profile-form.ts';
import { renderProfile } from './render.ts';

const FORM = 'profile';

export function profileRoutes(dependencies: RouteDependencies, logins: ContactLogins): Route[] {
  const shared = {
    path: '/profile',
    allows: (session: Visit['session']) => showsPart('profile', session),
  } as const;
  return [
    partPage(dependencies, {
      ...shared,
      show: async (visit) => profilePage(visit, await profileOf(visit)),
    }),
    partForm(dependencies, {
      ...shared,
      forms: [FORM],
      // The tenant's tax provider may validate the address.
      waitsForOthers: true,
      take: (visit, form) => takeProfile({ visit, form, logins }),
    }),
  ];
}

async function profileOf({ dependencies, call, session }: Visit): Promise<Profile> {
  const profile = await readingMore(dependencies, call.tenant, (tx) =>
    readProfile(tx, session.customerId),
  );
  if (profile === undefined) throw unknownPage();
  return profile;
}

const asksPasswordOf = ({ login, hasPassword }: Profile): boolean => login !== null && hasPassword;

interface Refused {
  readonly status: 400 | 409;
  readonly problems: readonly PageProblem[];
  readonly typed: FormFields;
}

function profilePage(visit: Visit, profile: Profile, refused?: Refused): PageAnswer {
  const { status = 200, problems = [], typed } = refused ?? {};
  const { message } = visit.call.parameters;
  const isMessage = message === 'saved' || message === 'unchanged';
  const html = renderProfile({
    ...accountView(visit),
    form: formView(visit, { form: FORM, shown: String(profile.version), problems }),
    values: typed === undefined ? shownProfile(profile) : typedProfile(typed),
    asked: askedPlaceOf(visit.call.tenant),
    username: profile.username,
    asksPassword: asksPasswordOf(profile),
    message: isMessage && refused === undefined ? message : null,
  });
  return shown(visit, status, html);
}

interface Taken {
  readonly visit: Visit;
  readonly form: SubmittedForm;
  readonly logins: ContactLogins;
}

async function takeProfile({ visit, form, logins }: Taken): Promise<PageAnswer> {
  const { fields } = form;
  const profile = await profileOf(visit);
  if (String(profile.version) !== form.shown) return changedMeanwhile(visit, form);
  const asksPassword = asksPasswordOf(profile);
  const asked = askedPlaceOf(visit.call.tenant);
  const read = readProfileForm(fields, profile, { asksPassword, asked });
  const refused = (problems: readonly PageProblem[]): PageAnswer =>
    profilePage(visit, profile, { status: 400, problems, typed: fields });
  if (read.problems.length > 0) return refused(read.problems);
  const { changes, password } = read;
  const isUnchanged = Object.keys(changes).length === 0 && password === null;
  if (isUnchanged) return led(visit, 'unchanged');
  const faults = await addressProblems(visit, changes);
  if (faults.length > 0) return refused(faults);
  const fault = password === null ? null : await oldFault({ visit, logins, profile }, password);
  if (fault !== null) return refused([{ field: 'oldPassword', key: fault }]);
  const typed = password?.new ?? null;
  const passwordHash = typed === null ? {} : { passwordHash: await hashOf(visit, typed) };
  const isProven = password !== null;
  return store(visit, form, { fields: { ...changes, ...passwordHash }, isProven });
}

const led = ({ home }: Visit, message: 'saved' | 'unchanged'): PageAnswer => ({
  to: `${partAddress(home, 'profile')}?message=${message}`,
});

async function store(
  visit: Visit,
  form: SubmittedForm,
  { fields, isProven }: Pick<ProfileChange, 'fields' | 'isProven'>,
): Promise<PageAnswer> {
  const { customerId, id: sessionId } = visit.session;
  const shown = { version: Number(form.shown), formKey: form.id };
  const change = { customerId, sessionId, ...shown, fields, isProven };
  try {
    await storing(visit, (context) => changeProfile(context, change));
  } catch (error) {
    if (error instanceof ProfileChanged) return changedMeanwhile(visit, form);
    throw error;
  }
  return led(visit, 'saved');
}

/** A repeat meets its own change. */
async function changedMeanwhile(visit: Visit, { id, fields }: SubmittedForm): Promise<PageAnswer> {
  const { dependencies, call } = visit;
  const isRepeat = await readingMore(dependencies, call.tenant, (tx) => wasFormUsed(tx, id));
  if (isRepeat) return led(visit, 'saved');
  const problems = [formProblem('profile.changed')];
  return profilePage(visit, await profileOf(visit), { status: 409, problems, typed: fields });
}

/** As a call of the interface validates it; only what is surely wrong is not taken. */
async function addressProblems(
  { dependencies, call, session }: Visit,
  changes: ContactFields,
): Promise<PageProblem[]> {
  if (!Object.keys(changes).some(isAddressField)) return [];
  const sent = { kind: 'billing', path: 'billingContact', address: sentAddress(changes) } as const;
  const stored = { id: session.customerId };
  const faults = (await faultsOfAddresses(dependencies, call.tenant, [sent], stored)) ?? [];
  return faults
    .filter(({ code }) => code === 'address.invalid')
    .map(({ path }) => ({ field: fieldOfElement(path.split('/').at(-1) ?? ''), key: 'address' }));
}

/** The street stands for the address as a whole. */
function fieldOfElement(element: string): string {
  if (element === 'countryCode') return 'country';
  return isAddressField(element) ? element : 'street1';
}

interface Owner {
  readonly visit: Visit;
  readonly logins: ContactLogins;
  readonly profile: Profile;
}

/** Null for the right one. Wrong ones are limited as those of the login; throws auth.tooManyAttempts. */
async function oldFault(
  { visit, logins, profile }: Owner,
  { old }: TypedPassword,
): Promise<'password.wrong' | 'password.guarded' | null> {
  const { tenant, address, stepOut } = visit.call;
  const credentials = { tenantId: tenant.id, username: profile.login ?? '', password: old };
  try {
    const user = await stepOut(() => logins.login(credentials, address));
    return user?.id === profile.contactId ? null : 'password.wrong';
  } catch (error) {
    if (error instanceof LinkNeeded) return 'password.guarded';
    throw error;
  }
}

const hashOf = (
  { dependencies: { hashCost }, call: { tenant, stepOut } }: Visit,
  password: string,
): Promise<string> => stepOut(() => hashInTurn(password, { hashCost, tenant }));
