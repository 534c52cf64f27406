/** Changes of tenants/demo.yaml, each with the one mistake that it makes. */

/**
 * `path = value` (as JSON) or `path gone`, joined by `; `, and below it how the message begins. The
 * mistake is at the first path, unless `@` names another.
 */
const table = `
# What must be there.
tenant gone
  -> is missing
currency gone
  -> is missing
plans[1].billingPeriod gone
  -> is missing
users[1].password gone
  -> is missing
callbacks[0].secret gone
  -> is missing
# Unknown keys, on every level.
planz = []
  -> is not a key of the format
settings.billing = "x"
  -> is not a key of the format
plans[0].charges[0].prise = "1"
  -> is not a key of the format
users[0].password = {"env":"A","file":"b"}
  -> @users[0].password.file is not a key of the format
users[0].password = {"env":"A-B"}
  -> @users[0].password.env must be the name of an environment variable
users[0].password = ""
  -> must not be empty
users[0].password = ["x"]
  -> must be a text, or env: with the name of an environment variable
# The wrong kind of value.
name = ["x"]
  -> must be a single value
users = "x"
  -> must be a list
gateway = "sandbox"
  -> must be a mapping of keys to values
name = ""
  -> must be text, 1 to 255 characters
name = "a\\u0007b"
  -> must be text, 1 to 255 characters
name = "a\\ud800b"
  -> must be text, 1 to 255 characters
callbacks[0].url = "https://example.com/\\u0000"
  -> must be an address that begins with https:// or http://
tenant = "De_mo"
  -> must be a host name label: lower-case letters, digits and in
timezone = "Berlin"
  -> must be an IANA time zone such as Europe/Berlin
timezone = "+01:00"
  -> must be an IANA time zone such as Europe/Berlin
currency = "usd"
  -> must be a currency code of ISO 4217
testClock = "2027-01-01"
  -> must be an instant such as 2027-01-01T12:00:00Z
testClock = "2027-02-30T00:00:00Z"
  -> must be an instant such as 2027-01-01T12:00:00Z
paymentTerms.units = "Weeks"
  -> must be one of Days, Months
paymentTerms.value = "-1"
  -> must be a whole number from 0 to 3650
numbering.order = "0"
  -> must be a whole number from 1 to 999999999999
settings.billingWindow = "13h"
  -> must be a duration such as 90s, 30m or 2h, at most 12h
settings.billingWindow = "5"
  -> must be a duration such as 90s, 30m or 2h, at most 12h
settings.creditUnusedOnCancel = "yes"
  -> must be true or false
users[0].roles = ["ROLE_ADMIN"]
  -> @users[0].roles[0] must be one of ROLE_API
users[0].rights = ["write"]
  -> @users[0].rights[0] must be one of read, finance, admin
users[0].rights = []
  -> must have at least one right, or be left out
users[0].expires = "2027-02-30"
  -> must be a date that exists, YYYY-MM-DD
users[0].requestsPerMinute = "0"
  -> must be a whole number from 1 to 1000000
users[0].allowedNetworks = []
  -> must have at least one network, or be left out
users[0].allowedNetworks = ["10.0.0.1"]
  -> @users[0].allowedNetworks[0] must be a network such as 203.0.113.0/24 or 2001:db8::/32
users[0].allowedNetworks = ["10.1.2.3/8"]
  -> @users[0].allowedNetworks[0] must begin at 10.0.0.0/8
users[0].allowedNetworks = ["::ffff:10.0.0.0/104"]
  -> @users[0].allowedNetworks[0] must be written as a network of IPv4
users[0].username = "a:b"
  -> must be a user name of 1 to 255 characters without a colon o
tax.rates[0].percent = "100.5"
  -> must be a percentage from 0 to 100 with up to 6 decimals
tax.rates[0].country = "USA"
  -> must be a country code of two capital letters
plans[0].startDate = "2027-02-30"
  -> must be a date that exists, YYYY-MM-DD
plans[1].alignmentDay = "32"
  -> must be a whole number from 1 to 31
plans[0].charges[0].price = "1e3"
  -> must be a decimal of 0 or more with up to 6 decimals
plans[0].charges[0].price = "1,5"
  -> must be a decimal of 0 or more with up to 6 decimals, not 1,5: decimals follow a point, and a n
plans[0].charges[0].price = "1,234.50"
  -> must be a decimal of 0 or more with up to 6 decimals, not 1,234.50: decimals follow a point
numbering.order = "1,001"
  -> must be a whole number from 1 to 999999999999, not 1,001: decimals follow a point, and a n
plans[0].charges[0].price = "0.1234567"
  -> must be a decimal of 0 or more with up to 6 decimals
plans[0].charges[0].price = "-1"
  -> must be a decimal of 0 or more with up to 6 decimals
plans[0].charges[0].chargeType = "Recurring"
  -> must be one of RecurringCharge, OneTimeCharge, UsageCharge
plans[0].charges = []
  -> must have at least one charge
callbacks[0].url = "ftp://example.com"
  -> must be an address that begins with https:// or http://, wit
callbacks[0].url = "example.com/hook"
  -> must be an address that begins with https:// or http://, wit
callbacks[0].events = ["invoice.made"]
  -> @callbacks[0].events[0] must be one of customer.transition, customer.created, custom
callbacks[0].events = []
  -> must name at least one event
hostedPages.allowedOrigins = ["https://a.example/x"]
  -> @hostedPages.allowedOrigins[0] must be an origin such as https://www.example.com, without a
notifications.from = "nobody"
  -> must be an e-mail address
notifications.enabled[0] = "contactChanged"
  -> must be one of newInvoice, newCreditNote, newOrder, paymentReceived, p
notifications.enabled[0] = "passwordReset"
  -> must be one of newInvoice, newCreditNote, newOrder, paymentReceived, p
retention = {"deliveries":"6"}
  -> @retention.deliveries must be a whole number from 7 to 3650
retention = {"gatewayEvents":"3651"}
  -> @retention.gatewayEvents must be a whole number from 7 to 3650
retention = {"mails":"for ever"}
  -> @retention.mails must be a whole number from 7 to 3650
retention = {"events":"90"}
  -> @retention.events is not a key of the format
accounting = {"cash":"123456789012345678901"}
  -> @accounting.cash must be text, 1 to 20 characters
accounting = {"cashAccounts":[{"code":"1010"}]}
  -> @accounting.cashAccounts[0] must have either a gateway or a method
accounting = {"cashAccounts":[{"code":"1010","gateway":"sandbox","method":"Cash"}]}
  -> @accounting.cashAccounts[0] must have either a gateway or a method
notifications.from = "<a@b.zz>"
  -> must be an e-mail address
notifications.from = "a@[127.0.0.1]"
  -> must be an e-mail address
dunning.thresholds[0].status = "Active"
  -> must be one of Overdue1, Overdue2, Overdue3, Suspended1, Sus
# What is there once.
users[1].username = "api@demo"
  -> is also that of number 0 (counted from 0)
productOfferings[1].sku = "INTERNET"; plans[1].productOffering gone
  -> is also that of number 0 (counted from 0)
plans[3].contractCode = "SEATS"
  -> is also that of number 2 (counted from 0)
plans[0].charges[1].priceCode = "GOLD-SETUP"
  -> is also that of number 0 (counted from 0)
coupons[1].code = "WELCOME10"
  -> is also that of number 0 (counted from 0)
selfServiceProfiles[1].id = "DEFAULT"
  -> is also that of number 0 (counted from 0)
commissionPlans[0].charges[1].code = "STD-REC"
  -> is also that of number 0 (counted from 0)
users[0].roles = ["ROLE_API","ROLE_API"]
  -> @users[0].roles[1] repeats ROLE_API
users[0].rights = ["read","read"]
  -> @users[0].rights[1] repeats read
users[0].oldPassword = "before"
  -> @users[0].oldPasswordUntil is needed together with oldPassword
users[0].oldPasswordUntil = "2027-03-31"
  -> @users[0].oldPassword is needed together with oldPasswordUntil
users[0].oldPassword = {"env":"UNSET"}; users[0].oldPasswordUntil = "2027-03-31"
  -> the environment variable UNSET is not set
# What refers to something else in the file.
plans[0].productOffering = "TV"
  -> names a product offering that the file does not have: TV
coupons[0].plans = ["GOLD","SILVER"]
  -> @coupons[0].plans[1] names a plan that the file does not have: SILVER
commissionPlans[0].plans[1] = "SILVER"
  -> names a plan that the file does not have: SILVER
salesAgents[0].commissionPlan = "X"
  -> names a commission plan that the file does not have: X
# Plans.
plans[0].endDate = "2019-12-31"
  -> is before the startDate 2020-01-01
plans[0].dueDateUnits gone
  -> is needed together with dueDateValue
plans[1].alignmentDay gone
  -> is needed for the billingAlignment DayOfMonth
plans[1].billingPeriod = "Weekly"
  -> @plans[1].billingAlignment DayOfMonth is for Monthly and longer periods only
plans[0].alignmentDay = "1"
  -> is for the billingAlignment DayOfMonth
plans[0].charges[0].price gone
  -> is needed for FixedPricing
plans[0].charges[0].tiers = [{"unitsFrom":"0","price":"1"}]
  -> cannot be given together with price
plans[2].charges[0].tiers gone
  -> are needed for VolumePricing
plans[2].charges[0].price = "1"
  -> is for FixedPricing, not VolumePricing
plans[3].charges[0].price = "1"
  -> cannot be given: the price of UserEnteredPricing is on the o
plans[1].charges[1].maxQuantity = "4"; plans[1].charges[1].minQuantity = "5"
  -> is less than the minQuantity 5
plans[0].charges[1].standardQuantity = "101"
  -> 101 is more than the maxQuantity 100
plans[0].charges[1].minQuantity = "2"; plans[0].charges[1].standardQuantity gone
  -> @plans[0].charges[1].standardQuantity 1 (when left out) is less than the minQuantity 2
plans[0].charges[0].penaltyStatus = "Overdue1"
  -> is for charges with isPenalty
plans[0].charges[0].isPenalty = "true"; plans[0].charges[0].penaltyStatus = "Suspended1"
  -> @plans[0].charges[0].penaltyStatus must be one of Overdue1, Overdue2, Overdue3
plans[0].charges[0].isPenalty = "true"; plans[0].charges[0].penaltyStatus = "InActive1"
  -> @plans[0].charges[0].penaltyStatus must be one of Overdue1, Overdue2, Overdue3
# Tiers.
plans[1].charges[1].tiers[0].unitsFrom = "1"
  -> begins at 1 instead of 0
plans[1].charges[1].tiers[1].unitsFrom = "102"
  -> begins at 102, which leaves a gap after 100
plans[1].charges[1].tiers[1].unitsFrom = "99"
  -> begins at 99, which overlaps the tier up to 100
plans[1].charges[1].tiers[0].unitsTo = "0"; plans[1].charges[1].tiers[1].unitsFrom = "0"
  -> ends at 0, too early
plans[1].charges[1].tiers[1].unitsTo gone
  -> @plans[1].charges[1].tiers[2].unitsFrom follows an open tier
plans[1].charges[1].tiers[1].price gone
  -> a tier has either a price or a percent
plans[1].charges[1].tiers[1].percent = "5"
  -> a tier has either a price or a percent
plans[2].charges[0].tiers[1] = {"unitsFrom":"10","percent":"5"}
  -> tiers with a price and tiers with a percent do not mix
plans[2].charges[0].tiers[1].isOverage = "true"
  -> is for usage charges
plans[0].charges[0].followsQuantity = "false"
  -> can be false on a RecurringCharge only
plans[0].trial = {"value":53,"units":"Weeks"}
  -> @plans[0].trial.value is at most 52 Weeks
plans[0].trial = {"value":0,"units":"Days"}
  -> @plans[0].trial.value must be
plans[2].charges[0].tiers[1].currency = "EUR"
  -> @plans[2].charges[0].tiers[1].unitsFrom begins at 10 instead of 0
plans[2].charges[0].tiers[1].unitsTo = "20"; plans[2].charges[0].standardQuantity = "21"
  -> @plans[2].charges[0].standardQuantity 21 is more than the last tier prices: 20
plans[0].charges[0].price gone
; plans[0].charges[0].tiers = [{"unitsFrom":"0","price":"1"},{"unitsFrom":"0","price":"2"}]
  -> @plans[0].charges[0].tiers[1] FixedPricing has one tier for each currency
plans[0].charges[0].price gone
; plans[0].charges[0].tiers = [{"unitsFrom":"0","unitsTo":"5","price":"1"}]
  -> @plans[0].charges[0].tiers[0].unitsTo the tier of FixedPricing is open
settings.usageGraceDays = "32"
  -> must be a whole number from 0 to 31
# Coupons, commissions, tax, dunning, gateway, secrets.
coupons[0].amount = "5"
  -> @coupons[0].percent or else amount must be given, and not both
coupons[1].amount gone; coupons[1].currency gone
  -> @coupons[1].percent or else amount must be given, and not both
coupons[0].percent = "0"
  -> must be more than 0
coupons[0].percent = "101"
  -> must be a percentage from 0 to 100 with up to 6 decimals
coupons[0].currency = "USD"
  -> is for an amount, not for a percentage
coupons[0].periods = "1201"
  -> must be a whole number from 1 to 1200
coupons[0].once = "true"
  -> @coupons[0].periods cannot be given together with once
coupons[1].amount = "5.005"
  -> has more decimals than USD: 2
coupons[1].amount = "5.5"; coupons[1].currency = "JPY"
  -> has more decimals than JPY: 0
coupons[1].amount = "5.005"; coupons[1].currency gone
  -> has more decimals than USD: 2
coupons[0].startDate = "2027-02-01"; coupons[0].endDate = "2027-01-31"
  -> @coupons[0].endDate is before the startDate 2027-02-01
commissionPlans[0].charges[0].commissionAmount = "101"
  -> must be at most 100 for the type Percent
commissionPlans[0].charges[1].dateToChargeUnits gone
  -> is needed together with dateToChargeValue
commissionPlans[0].charges[0].dateToChargeValue = "1"; commissionPlans[0].charges[0].dateToChargeUnits = "Months"
  -> @commissionPlans[0].charges[0].dateToChargeValue is for the date-based types
commissionPlans[0].charges[0].chargeType = "DateBasedCharge"
  -> @commissionPlans[0].charges[0].dateToChargeValue is needed for the type DateBasedCharge
commissionPlans[0].charges[1].chargeType = "DateBasedCharge"; commissionPlans[0].charges[1].dateToChargeValue = "0"
  -> @commissionPlans[0].charges[1].dateToChargeValue must be 1 or more for the type DateBasedCharge
salesAgents[0].achAccountNumber = "1234"
  -> must have 5 to 255 characters
salesAgents[0].disbursementToken = {"env":"UNSET"}
  -> the environment variable UNSET is not set
tax.rates = []
  -> must have at least one rate for the type table
tax.type = "none"; tax.validateAddresses = "true"
  -> @tax.validateAddresses is for the types table and avatax
tax.accountId = "1"
  -> is for the type avatax
tax.licenseKey = "k"
  -> is for the type avatax
tax.companyCode = "E"
  -> is for the type avatax
tax = {"type":"none","url":"https://rest.avatax.com"}
  -> @tax.url is for the type avatax
tax.rates[1].state = "ny"; tax.rates[1].name = "NY sales tax"
  -> @tax.rates[1] repeats another rate
tax.rates[1].state gone; tax.rates[1].name = "NY sales tax"
  -> @tax.rates[1].name is that of another rate for the same addresses
tax.rates[0].country = "UK"
  -> UK is no country of ISO 3166
tax.rates[0].category = "VAT"
  -> must be one of S, Z, E, AE, K, G, O
tax.rates[0].percent = "0.00"; tax.rates[0].category = "S"
  -> must be more than 0 for the category S
tax.rates[0].percent = "0.5"; tax.rates[0].category = "Z"
  -> must be 0 for the category Z
tax.rates[0].percent = "8.875"; tax.rates[0].category = "AE"
  -> must be 0 for the category AE
tax.rates[0].exemptionReason gone; tax.rates[0].category = "E"; tax.rates[0].percent = "0"
  -> is needed for the category E
tax.rates[0].exemptionReason = "Books"
  -> is not for the category S
tax.rates[0].exemptionReason = "Books"; tax.rates[0].percent = "0"
  -> is not for the category Z
dunning.thresholds[1].daysOverdue = "15"
  -> must be more than the 15 before it
dunning.thresholds[1].status = "Overdue1"
  -> is also that of number 0 (counted from 0)
dunning.retryDays[1] = "1"
  -> must be more than the 1 before it
dunning.retryDaysOfMonth = ["5"]
  -> cannot be given together with retryDays
contact = {}
  -> must have at least one of name, phone, email
contact = {"email":"billing"}
  -> @contact.email must be an e-mail address
bankAccount = {}
  -> must have at least one of holder, iban, bic, note
bankAccount = {"iban":"DE89370400440532013001"}
  -> @bankAccount.iban must be an IBAN whose check digits fit
bankAccount = {"bic":"COBADEFFX"}
  -> @bankAccount.bic must be a BIC of 8 or 11 letters and digits
taxId = "123456789"
  -> must be a VAT number that begins with the two letters of its country
electronicAddress = "9999:1"
  -> must be an electronic address: a scheme of the list EAS and an identifier, such as 9930:DE123456789
tax = {"untaxed":{"category":"E"}}
  -> @tax.untaxed.exemptionReason is needed for the category E
tax = {"untaxed":{"exemptionReason":"none"}}
  -> @tax.untaxed.exemptionReason is not for the category Z
tax = {"untaxed":{"category":"S"}}
  -> @tax.untaxed.category must be one of Z, E, AE, K, G, O
gateway.type = "stripe"
  -> @gateway.secretKey is needed for the type stripe
gateway.webhookSecret = "whsec_of_an_endpoint"
  -> is for the type stripe
gateway.publishableKey = "pk_test_1"
  -> is for the type stripe
gateway.rawCards = "false"
  -> is for the type stripe
gateway.url = "https://stripe.example"
  -> is for the type stripe
gateway.scriptUrl = "https://stripe.example/stripe.js"
  -> is for the type stripe
gateway = {"type":"stripe","secretKey":"sk_1","publishableKey":"sk_live_secret"}
  -> @gateway.publishableKey must be a publishable key of Stripe, which begins with pk_
gateway = {"type":"stripe","secretKey":"sk_1","url":"http://stripe.example"}
  -> @gateway.url must be an address that begins with https://
gateway = {"type":"stripe","secretKey":"sk_1","url":"https://stripe.example/v1"}
  -> @gateway.url must be an address that begins with https:// (on this machine also http://), without a path
gateway = {"type":"stripe","secretKey":"sk_1","scriptUrl":"http://stripe.example/stripe.js"}
  -> @gateway.scriptUrl must be an address that begins with https://
gateway.methods = []
  -> must name at least one method
gateway.methods = ["card","paypal"]
  -> @gateway.methods[1] must be one of card, sepa, usBankAccount
gateway.methods = ["card","card"]
  -> @gateway.methods[1] repeats card
gateway.methods = ["card","sepa"]
  -> may have sepa only where notifications enable the mail debitNotice
gateway.actionDays = "15"
  -> must be a whole number from 0 to 14
gateway.debitNoticeDays = "15"
  -> must be a whole number from 0 to 14
callbacks[0].secret = "swordfish"
  -> must have the form whsec_ followed by base64
users[0].password = {"env":"UNSET"}
  -> the environment variable UNSET is not set
`;

export interface Case {
  readonly title: string;
  readonly edits: Readonly<Record<string, unknown>>;
  readonly path: string;
  readonly message: string;
}

export const cases: readonly Case[] = table
  .replaceAll(/^#.*$/gm, '')
  .trim()
  .split(/\n(?=\w)/)
  .map((entry) => {
    const [before = '', after = ''] = entry.split(/\n+  -> /);
    const edits = before.split(/\s*; /).map(editOf);
    const [, path = edits[0]?.[0] ?? '', message = ''] =
      /^(?:@(\S+) )?(.*)$/.exec(after.trim()) ?? [];
    return { title: before.replace('\n', ''), edits: Object.fromEntries(edits), path, message };
  });

function editOf(text: string): readonly [string, unknown] {
  const gone = /^(\S+) gone$/.exec(text);
  if (gone?.[1]) return [gone[1], undefined];
  const [path = '', ...value] = text.split(' = ');
  return [path, JSON.parse(value.join(' = '))];
}
