/** The search: an index that the server made, and a list of results that the keyboard walks. */
import MiniSearch from '/docs/assets/minisearch.js';
import { options, ranked } from '/docs/assets/ranking.js';

const input = document.querySelector('#query');
const list = document.querySelector('#hits');
const count = document.querySelector('#hit-count');
let active = -1;

export async function searching() {
  const answer = await fetch('/docs/search.json');
  const index = MiniSearch.loadJSON(await answer.text(), options);
  const show = () => {
    const words = input.value.trim();
    render(words === '' ? [] : ranked(index.search(words), words));
  };
  input.addEventListener('input', show);
  input.addEventListener('keydown', steer);
  input.addEventListener('focus', show);
  document.addEventListener('pointerdown', ({ target }) => {
    if (!target.closest('.search')) close();
  });
  input.addEventListener('blur', close);
  // A pressed result keeps the focus in the field, so that blur does not close the list first.
  list.addEventListener('pointerdown', (event) => event.preventDefault());
  list.addEventListener('click', ({ target }) => go(target.closest('[role=option]')));
  show();
}

function render(hits) {
  list.replaceChildren(...hits.map(optionOf));
  const words = input.value.trim();
  if (hits.length === 0 && words !== '') list.append(emptyLine(words));
  count.textContent = words === '' ? '' : `${hits.length} results`;
  list.hidden = words === '';
  input.setAttribute('aria-expanded', String(!list.hidden));
  mark(hits.length > 0 ? 0 : -1);
}

function optionOf({ kind, title, excerpt, href }, index) {
  const option = document.createElement('li');
  option.id = `hit-${index}`;
  option.dataset.href = href;
  option.setAttribute('role', 'option');
  option.append(piece('kind', kind), piece('hit', title), piece('excerpt', excerpt));
  return option;
}

function emptyLine(words) {
  const line = document.createElement('li');
  line.setAttribute('role', 'option');
  line.setAttribute('aria-disabled', 'true');
  line.append(piece('excerpt', `Nothing found for “${words}”`));
  return line;
}

function piece(className, text) {
  const span = document.createElement('span');
  span.className = className;
  span.textContent = text;
  return span;
}

const shown = () => [...list.querySelectorAll('[data-href]')];

function mark(index) {
  active = index;
  for (const [at, option] of shown().entries()) {
    option.setAttribute('aria-selected', String(at === index));
    if (at === index) option.scrollIntoView({ block: 'nearest' });
  }
  if (index < 0) input.removeAttribute('aria-activedescendant');
  else input.setAttribute('aria-activedescendant', `hit-${index}`);
}

function steer(event) {
  const found = shown();
  if (event.key === 'Escape') return close();
  if (found.length === 0 || list.hidden) return undefined;
  const steps = { ArrowDown: 1, ArrowUp: -1 };
  if (event.key in steps) {
    event.preventDefault();
    return mark((active + steps[event.key] + found.length) % found.length);
  }
  return event.key === 'Enter' ? go(found[active]) : undefined;
}

function go(option) {
  if (option?.dataset.href === undefined) return;
  close();
  input.blur();
  location.assign(option.dataset.href);
}

function close() {
  list.hidden = true;
  input.setAttribute('aria-expanded', 'false');
  input.removeAttribute('aria-activedescendant');
}
