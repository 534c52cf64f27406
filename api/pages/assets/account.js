/**
 * Ends a page of an account with its session: it warns an idle reader, loads itself again when the
 * session is over, and shows nothing from the browser's own store. It sends nothing by itself.
 */

/** Before the page loads itself again. */
const WARNED_SECONDS_BEFORE = 125;
/** A browser may stop the timers of a page that nobody sees. */
const LOOK_MS = 1_000;

/** What an idle page does after so many seconds: `warn`, `leave`, or null. */
export function actionAfter(seconds, reloadAfter) {
  if (seconds >= reloadAfter) return 'leave';
  return seconds >= reloadAfter - WARNED_SECONDS_BEFORE ? 'warn' : null;
}

function watch({ dataset }) {
  const shownAt = Date.now();
  const warning = document.getElementById('idle');
  const look = () => {
    const action = actionAfter((Date.now() - shownAt) / 1_000, Number(dataset.reloadAfter));
    // Marked, so that this is no click of a person.
    if (action === 'leave') return location.replace(dataset.reloadTo);
    if (action === 'warn' && warning.hidden) warning.hidden = false;
    setTimeout(look, LOOK_MS);
  };
  look();
  addEventListener('visibilitychange', () => {
    if (actionAfter((Date.now() - shownAt) / 1_000, Number(dataset.reloadAfter)) === 'leave') {
      location.replace(dataset.reloadTo);
    }
  });
}

function start() {
  // The way back never shows what a session showed that may be over: a browser that keeps the page
  // keeps it empty, and loads it anew.
  addEventListener('pagehide', () => document.body.replaceChildren());
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) location.reload();
  });
  const account = document.querySelector('[data-reload-after]');
  if (account) watch(account);
}

if (typeof document !== 'undefined') start(); // Tests import the rule without a page.
