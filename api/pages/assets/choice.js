/**
 * Keeps a form true to what is chosen in it: total and button to the invoices that it pays, and the
 * quantity to the plan. A form says the total that was on its button, so that no other one is charged.
 */

/** Exact: as many decimals as the currency has, without a binary floating-point number. */
export function sumOf(amounts, digits) {
  const parsed = amounts.map((amount) => {
    const [whole, fraction = ''] = amount.split('.');
    return BigInt(whole + fraction.padEnd(digits, '0').slice(0, digits));
  });
  const text = String(parsed.reduce((sum, each) => sum + each, 0n)).padStart(digits + 1, '0');
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** Returns what tells the faults of the choice. */
export function watchChoice(form, closing, words) {
  const { locale, options, pay, none } = JSON.parse(closing.dataset.choice);
  words.none = none;
  const amounts = new Intl.NumberFormat(locale, options);
  const boxes = [...form.querySelectorAll('tbody .box input')];
  const all = form.querySelector('.choose-all input');
  const button = closing.querySelector('button[type=submit]');
  const ticked = () => boxes.filter((box) => box.checked);
  const update = () => {
    const chosen = ticked();
    const total = sumOf(
      chosen.map(({ value }) => value),
      options.minimumFractionDigits,
    );
    const amount = amounts.format(total);
    form.elements.total.value = total;
    closing.querySelector('.sum-count dd').textContent = chosen.length;
    closing.querySelector('.sum-total dd').textContent = amount;
    button.dataset.label = pay.replace('{amount}', () => amount);
    if (!button.hasAttribute('aria-disabled')) button.textContent = button.dataset.label;
    all.checked = chosen.length === boxes.length;
    all.indeterminate = chosen.length > 0 && !all.checked;
  };
  all.parentElement.hidden = boxes.length < 2;
  all.addEventListener('change', () => {
    for (const box of boxes) box.checked = all.checked;
    update();
  });
  for (const box of boxes) box.addEventListener('change', update);
  // A browser may have kept other ticks than the page came with.
  addEventListener('pageshow', update);
  update();
  return () => (ticked().length > 0 ? [] : [{ control: all, fault: 'none' }]);
}

/** A plan of which nothing follows a quantity asks for none. */
export function watchQuantity(field) {
  const quantity = field.querySelector('input');
  const plans = [...quantity.form.querySelectorAll('input[name=contractCode]')];
  const update = () => {
    const chosen = plans.find((plan) => plan.checked);
    field.hidden = chosen !== undefined && 'noQuantity' in chosen.dataset;
    quantity.disabled = field.hidden;
  };
  for (const plan of plans) plan.addEventListener('change', update);
  addEventListener('pageshow', update);
  update();
}
