// What does not fit the window: the board with all that one plays with, without scrolling.
() => {
  const faults = [];
  const box = (element) => element.getBoundingClientRect();
  const shown = (selector) => [...document.querySelectorAll(selector)].filter((each) => each.checkVisibility());
  const apart = (one, two) => one.right <= two.left + 1 || two.right <= one.left + 1 || one.bottom <= two.top + 1 || two.bottom <= one.top + 1;
  if (document.documentElement.scrollWidth > innerWidth) faults.push(`the page is ${document.documentElement.scrollWidth} wide`);
  const board = box(document.querySelector('#board'));
  for (const each of [document.querySelector('#board'), ...shown('#score .player > *, #controls button, #status, #legend > *, nav > *')]) {
    const { left, top, right, bottom, width } = box(each);
    const what = each.id || each.textContent;
    if (left < 0 || top < 0 || right > innerWidth || bottom > innerHeight) faults.push(`${what} sticks out: ${[left, top, right, bottom]}`);
    if (each.id !== 'board' && !apart(box(each), board)) faults.push(`${what} lies on the board`);
    if (each.scrollWidth > Math.ceil(width) + 1) faults.push(`${what} is cut off`);
  }
  const buttons = shown('#controls button, nav > *');
  for (const each of buttons) {
    const { width, height } = box(each);
    if (Math.min(width, height) < 32) faults.push(`${each.id} is small for a finger: ${width} x ${height}`);
    for (const other of buttons) if (each !== other && !apart(box(each), box(other))) faults.push(`${each.id} lies on ${other.id}`);
  }
  const points = document.querySelectorAll('.hits [data-point]');
  const spacing = Math.min(...[...points].map((point) => box(point).width));
  if (spacing < 9) faults.push(`points are ${spacing} apart`);
  const texts = [...document.querySelectorAll('.labels text')].map((text) => {
    const { left, top, right, bottom } = box(text);
    const size = parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a;
    return { name: text.textContent, left, right, middle: (top + bottom) / 2, size };
  });
  if (spacing > 14 && !texts.length) faults.push('there is room for names of rows and columns');
  texts.forEach((text, index) => {
    if (text.size < 9.9) faults.push(`${text.name} is ${text.size} high`);
    if (text.left < board.left - 1 || text.right > board.right + 1 || text.middle + text.size / 2 > board.bottom + 1 || text.middle - text.size / 2 < board.top - 1) faults.push(`${text.name} is beside the board`);
    for (const other of texts.slice(0, index)) {
      const aside = text.right <= other.left + 0.5 || other.right <= text.left + 0.5;
      if (!aside && Math.abs(text.middle - other.middle) < 0.72 * text.size) faults.push(`${text.name} lies on ${other.name}`);
    }
  });
  return faults;
}
