#!/usr/bin/env bash
# The first order in curl: a customer, an order with its invoice, the invoice.
set -euo pipefail
if (($# != 4)); then
  {
    echo 'usage: bash first-order.sh ADDRESS HOST USER PASSWORD'
    echo 'for example: bash first-order.sh http://127.0.0.1:8080 demo.localhost api@demo demo-secret'
  } >&2
  exit 2
fi
address=$1 host=$2 user=$3 password=$4
reference="curl-$(date +%s)-$$"

# Sends a call and prints the answer; anything but success is printed to stderr and ends the program.
send() { # METHOD PATH [BODY]
  local answer status
  # The password goes by standard input: arguments are seen by everybody on the machine.
  answer=$(curl -sS --config - -X "$1" -H "Host: $host" -H 'Content-Type: application/xml' \
    ${3:+--data-binary "$3"} ${3:+-H "Idempotency-Key: $reference-${2%%\?*}"} \
    -w '\n%{http_code}' "$address/rest$2" <<<"user = \"$user:$password\"")
  status=${answer##*$'\n'}
  if [[ $status != 2* ]]; then
    printf '%s %s answered %s\n' "$1" "$2" "$answer" >&2
    exit 1
  fi
  printf '%s' "${answer%$'\n'*}"
}

# The text of the first element of a name.
text() { sed -n "s:.*<$1>\([^<]*\)</$1>.*:\1:p" <<<"${2//></>$'\n'<}" | head -n 1; }

# The id of the first element of a name.
id() { grep -o "<$1 id=\"[0-9]*\"" <<<"$2" | grep -o '[0-9]*' | head -n 1; }

customer=$(send POST /customers "<customer>
  <extCustomerRef>$reference</extCustomerRef>
  <billingContact><firstName>Ada</firstName><lastName>Byron</lastName></billingContact>
</customer>")
printf 'customer %s\n' "$(id customer "$customer")"

order=$(send POST "/orders?extCustomerRef=$reference&generateInvoice=true" "<subscriptionOrder>
  <contractCode>GOLD</contractCode>
</subscriptionOrder>")
printf 'order %s\n' "$(text orderNumber "$order")"

invoice=$(send GET "/invoice/$(id invoice "$order")")
printf 'invoice %s of %s over %s, due %s\n' "$(text invoiceNumber "$invoice")" \
  "$(text invoiceDate "$invoice")" "$(text currentAmountDue "$invoice")" "$(text dueDate "$invoice")"
