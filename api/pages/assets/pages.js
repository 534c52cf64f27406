/**
 * Makes hosted pages quicker: problems show at once, a form is sent once, and the page that waits
 * asks by itself. Every page works without it. It sends nothing anywhere: forms are the browser's.
 */

import {
  brandOf,
  digitsOf,
  DIGITS_MAX,
  faultOfIban,
  faultOfNumber,
  grouped,
  isExpired,
  isOfKind,
  isSecurityCode,
  needsNewMethod,
} from './cards.js';
import { watchChoice, watchQuantity } from './choice.js';
import { showChallenge, showFields } from './gateway.js';
import { watchStates } from './states.js';

const POLL_MS = 3_000;
const POLL_FAILURES_MAX = 5;
/** A form may be sent again after so long, when the browser's stop button ended it. */
const BUSY_MS = 30_000;

/** What is wrong with a field of a form, as a key of its words; null if nothing is. */
function faultOf(form, control) {
  const { name, value, type } = control;
  const { cardNumber, expiryMonth, expiryYear } = form.elements;
  const kinds = kindsOf(control);
  const isUnused = kinds !== null && !isOfKind(form.elements, kinds);
  if (isUnused || (kinds !== null && !needsNewMethod(form.elements))) return null;
  if (type === 'checkbox') {
    const fault = name === 'mandateAccepted' ? 'mandate' : 'tos';
    return control.required && !control.checked ? fault : null;
  }
  if (value.trim() === '') {
    if (!control.required && kinds === null) return null;
    return control.options === undefined ? 'required' : 'choose';
  }
  if (name === 'iban') return faultOfIban(value.trim());
  if (name === 'cardNumber') return faultOfNumber(value.trim());
  if (name === 'cvv') return isSecurityCode(value.trim(), cardNumber.value) ? null : 'code';
  if (name === 'expiryMonth' && expiryYear.value !== '') {
    const expiry = { month: expiryMonth.value, year: expiryYear.value, today: form.dataset.today };
    return isExpired(expiry) ? 'past' : null;
  }
  return null;
}

/** The kinds of new methods that a field is of; null for any other field. */
function kindsOf(control) {
  if (control.closest('.card-fields') !== null) return ['card'];
  return control.closest('.of-kinds')?.dataset.kinds.split(' ') ?? null;
}

/** Puts a fault beside its field, or takes away what was there. */
function show(control, text) {
  const id = `${control.name ?? control.id}-error`;
  const field = control.closest('.field');
  const described = (control.getAttribute('aria-describedby') ?? '').split(' ');
  const others = described.filter((each) => each !== '' && each !== id);
  const ids = text === null ? others : [...others, id];
  const put = (name, value) =>
    value === '' ? control.removeAttribute(name) : control.setAttribute(name, value);
  // A group of fields that are not ours has no such state.
  if (control.name !== undefined) put('aria-invalid', text === null ? '' : 'true');
  put('aria-describedby', ids.join(' '));
  field.classList.toggle('has-error', text !== null);
  const error = document.getElementById(id) ?? document.createElement('p');
  Object.assign(error, { id, className: 'error', textContent: text });
  if (text === null) error.remove();
  else field.append(error);
}

/** The list at the top, as the server writes it. */
function summarize(faults, words) {
  document.getElementById('problems')?.remove();
  const problems = document.createElement('div');
  Object.assign(problems, { id: 'problems', className: 'problems', tabIndex: -1 });
  problems.setAttribute('role', 'alert');
  const title = document.createElement('h2');
  Object.assign(title, { className: 'problems-title', textContent: words.problemsTitle });
  const list = document.createElement('ul');
  for (const { control, fault, text } of faults) {
    const link = document.createElement('a');
    const label = (control.labels?.[0]?.firstChild.textContent ?? control.ariaLabel).trim();
    const values = { label, text: text ?? words[fault] };
    const named = words.labelled.replaceAll(/\{(\w+)\}/g, (_, name) => values[name]);
    link.href = `#${control.id}`;
    // The text of a box says all.
    link.textContent = control.type === 'checkbox' ? words[fault] : named;
    list.appendChild(document.createElement('li')).append(link);
  }
  problems.append(title, list);
  document.querySelector('.head').after(problems);
  problems.focus();
}

function watch(form) {
  const words = JSON.parse(form.dataset.words);
  watchStates(form);
  // The control of a state may be another one each time.
  const controls = () => [...form.elements].filter(({ id, name }) => id !== '' && id === name);
  const check = (control) => {
    const fault = faultOf(form, control);
    show(control, fault === null ? null : words[fault]);
    return fault;
  };
  const isFaulty = (control) => control.getAttribute('aria-invalid') === 'true';
  form.addEventListener('input', ({ target }) => {
    if (controls().includes(target) && isFaulty(target)) check(target);
  });
  form.addEventListener('change', ({ target }) => {
    // The code depends on the number, and the month on the year.
    const { cvv, expiryMonth } = form.elements;
    const others = { cardNumber: [cvv], expiryYear: [expiryMonth] }[target.name] ?? [];
    const asked = [target, ...others].filter((each) => controls().includes(each));
    afterPress(() => {
      for (const each of asked) if (each.value !== '' || isFaulty(each)) check(each);
    });
  });
  const again = sendOnce(form, words);
  const closing = form.querySelector('[data-choice]');
  const faultsOfChoice = closing === null ? () => [] : watchChoice(form, closing, words);
  const part = form.querySelector('[data-gateway]');
  const gateway = part === null ? null : showFields(form, part);
  form.addEventListener('submit', (event) => {
    const own = controls().map((control) => ({ control, fault: check(control) }));
    const faults = [...faultsOfChoice(), ...own].filter(({ fault }) => fault !== null);
    if (faults.length === 0 && !again.isBusy()) {
      again.begin();
      if (gateway === null || !gateway.isNeeded()) return;
      event.preventDefault();
      void enterAndSend(gateway);
      return;
    }
    event.preventDefault();
    if (faults.length > 0) summarize(faults, words);
  });
  /** What was entered goes to the gateway first, and the form only with what it made of it. */
  async function enterAndSend({ control, enter }) {
    const fault = await enter();
    show(control, fault);
    if (fault === null) return form.submit();
    again.end();
    summarize([{ control, text: fault }], words);
  }
}

let isPressed = false;

/**
 * Leaving a field by pressing something else must not move that away: the click would not reach it.
 */
function afterPress(run) {
  if (isPressed) addEventListener('pointerup', () => setTimeout(() => run()), { once: true });
  else run();
}

/** A second click does nothing; a page that the browser shows again can be sent again. */
function sendOnce(form, words) {
  const button = form.querySelector('button[type=submit]');
  const text = button.textContent;
  const end = () => {
    button.removeAttribute('aria-disabled');
    button.textContent = button.dataset.label ?? text;
  };
  addEventListener('pageshow', end);
  return {
    end,
    isBusy: () => button.hasAttribute('aria-disabled'),
    begin() {
      button.setAttribute('aria-disabled', 'true');
      button.textContent = words.pleaseWait;
      setTimeout(end, BUSY_MS);
    },
  };
}

/** Groups the digits while they are typed, keeps the caret beside its digit, names the brand. */
function watchNumber(number) {
  const brand = Object.assign(document.createElement('span'), { className: 'card-brand' });
  brand.setAttribute('aria-live', 'polite');
  number.closest('.field').append(brand);
  const rewrite = () => {
    const { value } = number;
    const digits = digitsOf(value);
    brand.textContent = brandOf(digits)?.name ?? '';
    if (/[^\d -]/.test(value) || digits.length > DIGITS_MAX || value === grouped(digits)) return;
    const left = digitsOf(value.slice(0, number.selectionStart)).length;
    const isAtEnd = number.selectionStart === value.length;
    number.value = grouped(digits);
    const caret = isAtEnd ? number.value.length : placeAfter(number.value, left);
    if (document.activeElement === number) number.setSelectionRange(caret, caret);
  };
  number.addEventListener('input', rewrite);
  rewrite();
}

function placeAfter(text, digits) {
  let place = 0;
  for (let seen = 0; seen < digits; place += 1) if (/\d/.test(text[place])) seen += 1;
  return place;
}

/** Asks the page's own address until it says something else, then goes there. */
async function poll(address, { failures = 0 } = {}) {
  await new Promise((resolve) => void setTimeout(resolve, POLL_MS));
  try {
    const answer = await fetch(address, { redirect: 'manual', cache: 'no-store' });
    const isBusy = answer.status === 429 || answer.status >= 500;
    const isWorking = answer.ok && (await answer.text()).includes(' data-poll="');
    if (isWorking) return poll(address);
    if (!isBusy) return location.replace(address);
  } catch {
    // The network may come back.
  }
  if (failures >= POLL_FAILURES_MAX) return location.replace(address);
  return poll(address, { failures: failures + 1 });
}

function start() {
  const press = ({ type }) => (isPressed = type === 'pointerdown');
  for (const what of ['down', 'up', 'cancel']) addEventListener(`pointer${what}`, press, true);
  // On the way back to a form at fault, browsers would refuse to show it, or would send it again.
  history.replaceState(null, '', location.href);
  document.getElementById('problems')?.focus();
  for (const field of document.querySelectorAll('.field-quantity')) watchQuantity(field);
  for (const form of document.querySelectorAll('form[data-words]')) watch(form);
  for (const number of document.querySelectorAll('input[name=cardNumber]')) watchNumber(number);
  for (const { dataset } of document.querySelectorAll('[data-poll]')) void poll(dataset.poll);
  for (const part of document.querySelectorAll('[data-challenge]')) void showChallenge(part);
}

if (typeof document !== 'undefined') start(); // Tests import it without a page.
