/** Copy buttons, the form that sends a call, and the search, which is loaded when somebody turns to it. */

const COPIED_SHOWN_MS = 2_000;

for (const button of document.querySelectorAll('button.copy')) {
  button.hidden = false;
  const label = button.innerHTML;
  button.addEventListener('click', () => void copyExample(button, label));
}

async function copyExample(button, label) {
  const parts = button.closest('.example').querySelectorAll('.preparation pre, .request pre');
  const text = [...parts].map((part) => part.textContent).join('\n\n');
  const copied = await copy(`${text}\n`);
  button.textContent = copied ? 'Copied' : 'Press Ctrl+C';
  setTimeout(() => (button.innerHTML = label), COPIED_SHOWN_MS);
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** Pages over plain HTTP have no clipboard, except those of this machine. */
function copyBySelection(text) {
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  const copied = document.execCommand('copy');
  area.remove();
  return copied;
}

const box = document.querySelector('.search');
const input = document.querySelector('#query');
box.hidden = false;

const opened = () => import('/docs/assets/search.js').then(({ searching }) => searching());
input.addEventListener('focus', () => void opened(), { once: true });

document.addEventListener('keydown', (event) => {
  const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
  const isShortcut = event.key === 'k' && (event.ctrlKey || event.metaKey);
  if (!isShortcut && (event.key !== '/' || isTyping)) return;
  event.preventDefault();
  input.focus();
  input.select();
});

if (document.querySelector('form.try') !== null) {
  void import('/docs/assets/try.js').then(({ trying }) => trying());
}

/** Paper has nothing to unfold. */
addEventListener('beforeprint', () => {
  for (const each of document.querySelectorAll('main details')) each.open = true;
});
