/** Hosted pages: sign-ups, self-service, their forms and cards. */
import { defineEntity, p } from '@mikro-orm/postgresql';
import type { EditOrderOption } from '../../domain/self-service/switches.ts';
import type { DebitKind } from '../../domain/payments/debits.ts';
import type { DisplayAmount, SignupStatus, TryStatus } from '../../domain/signups/signup.ts';
import type { AutopayPreference, StorableMethodType } from '../../domain/payments/allocation.ts';
import { ids, money, ofTenant, quantity, tenanted, texts } from './columns.ts';
import { code, digest, personal, text, saysNothingOfCustomers } from './personal.ts';
import { returnContext, sealed } from './sealed.ts';

/** What a session of self-service shows and allows; a profile gives it. */
const switches = () => ({
  showNavigationBar: p.boolean(),
  showStatements: p.boolean(),
  showPayments: p.boolean(),
  allowPayments: p.boolean(),
  allowProfileEdit: p.boolean(),
  editOrderOptions: texts().$type<readonly EditOrderOption[]>(),
  pdfMode: p.boolean(),
});

export const AllowedOrigin = defineEntity({
  name: 'AllowedOrigin',
  tableName: 'allowed_origin',
  properties: {
    ...ofTenant,
    origin: p.text().primary(),
  },
});

export const SelfServiceProfile = defineEntity({
  name: 'SelfServiceProfile',
  tableName: 'self_service_profile',
  properties: {
    ...ofTenant,
    profileId: p.text().primary(),
    ...switches(),
  },
});

export const Signup = defineEntity({
  name: 'Signup',
  tableName: 'signup',
  uniques: [{ properties: ['tenantId', 'tracking'] }, { properties: ['tenantId', 'tokenHash'] }],
  properties: {
    ...tenanted,
    tracking: code(),
    tokenHash: digest(),
    status: code<SignupStatus>(),
    successUrl: text('emptied'),
    failUrl: text('emptied'),
    cssUrl: text('emptied'),
    hideCustomerFields: p.boolean(),
    hideOrderFields: p.boolean(),
    displayAmount: code<DisplayAmount>(),
    tosLink: text('emptied').nullable(),
    sku: code().nullable(),
    billerCode: code().nullable(),
    profileId: code().nullable(),
    linkHasPassword: p.boolean(),
    extCustomerRef: text('emptied').nullable(),
    companyName: text('emptied').nullable(),
    firstName: text('emptied').nullable(),
    lastName: text('emptied').nullable(),
    email: text('emptied').nullable(),
    phone: text('emptied').nullable(),
    street: text('emptied').nullable(),
    city: text('emptied').nullable(),
    state: text('emptied').nullable(),
    zipcode: text('emptied').nullable(),
    country: text('emptied').nullable(),
    login: text('emptied').nullable(),
    passwordHash: text('emptied').nullable(),
    contractCode: code().nullable(),
    quantity: quantity(),
    startDate: p.date().nullable(),
    couponCode: code().nullable(),
    hasDetails: p.boolean(),
    tosAccepted: p.boolean().default(false),
    savePaymentMethod: p.boolean().default(false),
    locale: code().nullable(),
    cardType: code().nullable(),
    expiry: personal('emptied', p.date().nullable()),
    cardholderName: text('emptied').nullable(),
    customerId: p.bigint('number').nullable(),
    isNewCustomer: p.boolean().nullable(),
    orderId: p.bigint('number').nullable(),
    invoiceIds: ids().defaultRaw("'{}'"),
    failureCode: code().nullable(),
    cancelReason: text('emptied').nullable(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
    expiresAt: p.datetime(),
    endedAt: p.datetime().nullable(),
    version: p.integer().default(1),
    isUnproven: p.boolean().default(false),
  },
});

export const SignupTry = defineEntity({
  name: 'SignupTry',
  tableName: 'signup_try',
  uniques: [{ properties: ['tenantId', 'signupId', 'number'] }],
  properties: {
    ...tenanted,
    signupId: p.bigint('number'),
    number: p.integer(),
    status: code<TryStatus>(),
    network: text('emptied'),
    shownAmount: money(),
    gateway: code().nullable(),
    methodType: code().nullable(),
    token: text('emptied').nullable(),
    brand: text('emptied').nullable(),
    lastFour: text('emptied').nullable(),
    expiry: personal('emptied', p.date().nullable()),
    paymentId: p.bigint('number').nullable(),
    code: code().nullable(),
    field: code().nullable(),
    createdAt: p.datetime(),
    endedAt: p.datetime().nullable(),
    quoteHash: code().nullable(),
    startDate: p.date().nullable(),
    confirmAskedAt: p.datetime().nullable(),
    confirmUntil: p.datetime().nullable(),
    confirmHash: digest().nullable(),
    confirmedAt: p.datetime().nullable(),
    taxBasis: code().nullable(),
    debit: code<DebitKind>().nullable(),
    country: text('emptied').nullable(),
    mandate: text('emptied').nullable(),
    /** Sealed: where its page is, to which a payer comes back. */
    returnSealed: sealed(text('emptied').nullable(), ['tenantId'], returnContext),
    /** The gateway's id of the validation that asks for the payer, and until when it waits. */
    validationId: text('emptied').nullable(),
    asksUntil: p.datetime().nullable(),
  },
});

export const UsedForm = defineEntity({
  name: 'UsedForm',
  tableName: 'used_form',
  properties: {
    ...ofTenant,
    key: code().primary(),
    usedAt: p.datetime(),
    invoiceIds: ids().defaultRaw("'{}'"),
  },
});

export const CardDecline = defineEntity({
  name: 'CardDecline',
  tableName: 'card_decline',
  properties: {
    ...tenanted,
    network: text('deleted'),
    customerId: p.bigint('number').nullable(),
    declinedAt: p.datetime(),
    invoiceId: p.bigint('number').nullable(),
  },
});

export const SelfServiceSession = defineEntity({
  name: 'SelfServiceSession',
  tableName: 'self_service_session',
  uniques: [{ properties: ['tenantId', 'tokenHash'] }],
  properties: {
    ...tenanted,
    tokenHash: digest(),
    customerId: p.bigint('number'),
    cssUrl: text('emptied'),
    loginUrl: text('emptied'),
    ...switches(),
    startedAt: p.datetime(),
    expiresAt: p.datetime(),
    endedAt: p.datetime().nullable(),
    declines: p.integer().default(0),
  },
});

export const SelfServicePayment = defineEntity({
  name: 'SelfServicePayment',
  tableName: 'self_service_payment',
  uniques: [{ properties: ['tenantId', 'formKey'] }],
  properties: {
    ...ofTenant,
    paymentId: p.bigint('number').primary(),
    sessionId: p.bigint('number').nullable(),
    formKey: code(),
    network: text('emptied'),
    shownAmount: money(),
    createdAt: p.datetime(),
    invoiceId: p.bigint('number').nullable(),
  },
});

export const PayLink = defineEntity({
  name: 'PayLink',
  tableName: 'pay_link',
  uniques: [{ properties: ['tenantId', 'tokenHash'] }],
  properties: {
    ...tenanted,
    tokenHash: digest(),
    invoiceId: p.bigint('number'),
    expiresAt: p.datetime(),
  },
});

/** A card that the gateway asks its payer to authenticate before it is on file. */
export const AskedCard = defineEntity({
  name: 'AskedCard',
  tableName: 'asked_card',
  properties: {
    ...ofTenant,
    formKey: code().primary(),
    sessionId: p.bigint('number'),
    preference: p.smallint().$type<AutopayPreference>(),
    type: code<StorableMethodType>(),
    gateway: code<'sandbox' | 'stripe'>(),
    token: text('deleted'),
    brand: text('deleted').nullable(),
    lastFour: text('deleted').nullable(),
    expiry: p.date().nullable(),
    validationId: text('deleted'),
    asksUntil: p.datetime(),
    outcome: code<'filed' | 'declined'>().nullable(),
  },
});

export const PasswordReset = defineEntity({
  name: 'PasswordReset',
  tableName: 'password_reset',
  uniques: [{ properties: ['tenantId', 'tokenHash'] }],
  properties: {
    ...tenanted,
    customerId: p.bigint('number'),
    contactId: p.bigint('number'),
    tokenHash: digest().nullable(),
    requestedAt: p.datetime(),
    expiresAt: p.datetime().nullable(),
    usedAt: p.datetime().nullable(),
  },
});

saysNothingOfCustomers(AllowedOrigin, SelfServiceProfile);
