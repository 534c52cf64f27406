/**
 * Lets people choose a state while the country is one that has a choice, and type one otherwise. The
 * server does the same for the country that a form came with.
 */

/** By country: `[code, name]` of each state. */
export function parsedStates(text) {
  return new Map(
    text.split('\n').map((line) => {
      const states = line.slice(3).split('|');
      return [line.slice(0, 2), states.map((each) => cutAt(each, each.indexOf(' ')))];
    }),
  );
}

const cutAt = (text, at) => [text.slice(0, at), text.slice(at + 1)];
const folded = (text) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').trim().toLowerCase();

/** The code of a state that is written as its code or its name. */
export const codeOf = (states, written) =>
  states.find((state) => state.some((text) => folded(text) === folded(written)))?.[0] ?? '';

export function watchStates(form) {
  const field = form.querySelector('[data-states]');
  const { country } = form.elements;
  if (field === null || country === undefined) return;
  const byCountry = parsedStates(field.dataset.states);
  const requiredIn = field.dataset.requiredIn.split(' ');
  country.addEventListener('change', () => {
    const states = byCountry.get(country.value) ?? [];
    const isRequired = requiredIn.includes(country.value);
    const before = field.querySelector('input, select');
    const control = document.createElement(states.length === 0 ? 'input' : 'select');
    const { id, name, value } = before;
    Object.assign(control, { id, name, required: isRequired });
    control.setAttribute('autocomplete', 'address-level1');
    for (const [code, text] of states.length === 0 ? [] : [['', field.dataset.none], ...states]) {
      control.append(new Option(text, code));
    }
    // A code of another country means nothing here.
    control.value = states.length === 0 ? (before.options ? '' : value) : codeOf(states, value);
    before.replaceWith(control);
    field.classList.remove('has-error');
    document.getElementById(`${name}-error`)?.remove();
    mark(field, isRequired);
  });
}

function mark(field, isRequired) {
  const label = field.querySelector('label');
  label.querySelector('.mark')?.remove();
  if (!isRequired) return;
  const star = Object.assign(document.createElement('span'), { className: 'mark' });
  star.setAttribute('aria-hidden', 'true');
  star.textContent = '*';
  label.append(star);
}
