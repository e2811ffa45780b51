// The learner's rating in a mixed run of puzzles, by the Elo formula: a puzzle is the opponent.

const START = 1200;
const MIDDLE = 1500; // the rating of a puzzle of medium difficulty
const STEP = 240; // between two grades: a search that needs a quarter of the visits loses four games of five
const MIDDLE_GRADE = 3;
const [FAST, SLOW] = [40, 20]; // the most points for one puzzle, at first and later
const SETTLED = 20; // puzzles after which a rating moves slowly
const NEAREST = 6; // puzzles to choose from, so that runs differ

/** @param {number} grade */
export function difficulty(grade) {
  return MIDDLE + STEP * (grade - MIDDLE_GRADE);
}

/**
 * Return the rating after a puzzle that was or was not solved at the first try.
 * @param {PuzzleRating | undefined} rating
 * @param {{ name: string, grade: number }} puzzle
 * @param {boolean} solved
 * @returns {PuzzleRating}
 */
export function rated(rating, { name, grade }, solved) {
  const { value, count } = rating ?? { value: START, count: 0 };
  const expected = 1 / (1 + 10 ** ((difficulty(grade) - value) / 400));
  const change = Math.round((count < SETTLED ? FAST : SLOW) * (Number(solved) - expected));
  return { value: value + change, count: count + 1, change, last: name };
}

/**
 * Return one of the puzzles whose difficulty is nearest to a rating, at random, and not the last one.
 * @param {PuzzleEntry[]} puzzles
 * @param {PuzzleRating | undefined} rating
 * @param {string} [last]
 */
export function next(puzzles, rating, last) {
  const away = (/** @type {PuzzleEntry} */ each) => Math.abs(difficulty(each.grade) - (rating?.value ?? START));
  const mixed = puzzles.filter((each) => each.name !== last).map((each) => ({ each, order: away(each) + Math.random() }));
  const nearest = mixed.toSorted((one, two) => one.order - two.order).slice(0, NEAREST);
  return nearest[Math.floor(Math.random() * nearest.length)]?.each;
}
