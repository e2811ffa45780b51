// The controls that a screen reader cannot name.
() => [...document.querySelectorAll(
  'button, a, input, select, textarea, output, dialog[open], [role=img], [role=application]')]
  .filter(each => each.offsetParent !== null || each.matches('[role]'))
  .filter(each => !(
    each.getAttribute('aria-label') || each.textContent.trim() || each.labels?.length ||
    each.getAttribute('aria-labelledby')))
  .map(each => each.outerHTML.slice(0, 100))
