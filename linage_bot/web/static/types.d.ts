// Types that the page's scripts share. The server does not send this file.

// Messages of the server, and types derived from them.
type Advice = import("../wire.js").Advice;
type Analysis = import("../wire.js").Analysis;
type Attempt = import("../wire.js").Attempt;
type Area = import("../wire.js").Area;
type Candidate = import("../wire.js").Candidate;
type Seat = import("../wire.js").Seat;
type Code = import("../wire.js").Code;
type Pass = import("../wire.js").Pass;
type ClockSettings = import("../wire.js").Time;
type ClockView = import("../wire.js").Clock;
type Seats = import("../wire.js").Seats;
type CompileProgress = import("../wire.js").CompileProgress;
type ScoredItem = import("../wire.js").ScoredItem;
type Ending = import("../wire.js").Ending;
type ExactValue = import("../wire.js").MoveValue;
type Game = import("../wire.js").Game;
type GameKind = import("../wire.js").GameKind;
type GameOption = import("../wire.js").Option;
type Kinds = import("../wire.js").Form;
type Lesson = import("../wire.js").Lesson;
type LessonAnswer = import("../wire.js").LessonAnswer;
type LessonStep = import("../wire.js").LessonStep;
type Loss = import("../wire.js").Loss;
type Mistake = import("../wire.js").Mistake;
type Outcome = import("../wire.js").Outcome;
type Pie = import("../wire.js").OpenPie;
type Position = import("../wire.js").Position;
type PositionAnswer = import("../wire.js").SetUp;
type Puzzle = import("../wire.js").Puzzle;
type PuzzleGame = import("../wire.js").PuzzleGame;
type PuzzleList = import("../wire.js").PuzzleList;
type PuzzleStep = import("../wire.js").PuzzleStep;
type PuzzleTitle = import("../wire.js").PuzzleTitle;
type Refusal = import("../wire.js").IllegalMoves;
type ReviewProgress = import("../wire.js").ReviewProgress;
type ReviewResult = import("../wire.js").Review;
type RulesAnswer = import("../wire.js").Rules;
type TableEvents = import("../wire.js").Events;
type TableView = import("../wire.js").Table;
type TreeMessage = import("../wire.js").Tree;
type ValueGraph = import("../wire.js").Graph;
type WireActions = import("../wire.js").Actions;
type Requests = import("../wire.js").Requests;
type NewTable = import("../wire.js").NewTableRequest;

type Seating = NonNullable<NewTable["seats"]>;

type PuzzleEntry = PuzzleTitle & { game: string };
type Review = ReviewProgress | ReviewResult;
type Player = 0 | 1;
type TabName = "play" | "analysis" | "moves" | "review";
type SharedTable = TableView & { seats: Seats };

// The bodies of a page's actions.
interface Actions extends WireActions {
  "move-now": Requests["move-now"];
}

// Responses by the paths of their requests.
interface GetResponses {
  kinds: Kinds;
  puzzles: PuzzleList;
  [lesson: `lessons/${string}`]: Lesson;
  [puzzle: `puzzles/${string}`]: Puzzle;
  [rules: `games/${string}/rules`]: RulesAnswer;
  [pass: `games/${string}/pass`]: Pass;
}

interface PostResponses {
  games: { name: string; warnings?: string[] };
  positions: PositionAnswer;
  [action: `games/${string}/${keyof Actions}`]: unknown;
  [hint: `games/${string}/hint`]: Advice;
  [loss: `games/${string}/loss`]: Loss;
  [attempt: `games/${string}/attempt`]: Attempt;
  [discard: `games/${string}/discard`]: unknown;
  [code: `games/${string}/code`]: Code;
  [rematch: `games/${string}/rematch`]: { name: string; pass?: string };
  [seat: `games/${string}/take`]: unknown;
}

// The bodies of requests by their paths.
interface PostBodies {
  games: Requests["games"];
  positions: { link: string };
  [action: `games/${string}/${keyof Actions}`]: Actions[keyof Actions];
  [hint: `games/${string}/hint`]: Requests["hint"];
  [loss: `games/${string}/loss`]: Requests["loss"];
  [attempt: `games/${string}/attempt`]: Requests["attempt"];
  [discard: `games/${string}/discard`]: Requests["discard"];
  [code: `games/${string}/code`]: Requests["code"];
  [rematch: `games/${string}/rematch`]: Requests["rematch"];
  [seat: `games/${string}/take`]: { word: string };
}

// Classes of the scripts.
type Board = import("./board/board.js").Board;
type Geometry = import("./board/geometry.js").Geometry;
type Guest = import("./board/guest.js").Guest;
type Page = import("./main.js").Page;
type RequestRefused = import("./errors.js").RequestRefused;
type Tree = import("./table/tree.js").Tree;

// The board. A move is a point or PASS, a player 0 or 1, a node its number in the tree.
interface BoardHandlers {
  play(move: number): unknown;
  point(point: number | null): unknown;
  say(text: string, unseen?: boolean): unknown;
  choose?(point: number | null): unknown;
}

type BoardPosition = Pick<Position, "areas" | "first" | "legal" | "over" | "refused" | "second" | "toMove">;

// The state that the board draws: that of a table, or a position of a puzzle, a lesson or the editor.
interface BoardTable {
  game: Game;
  position: BoardPosition;
  last: number | null;
  node: number;
  viewed: number;
  turn: string | null;
  paused: boolean;
  pie: Pie | null;
  over: boolean;
  closed?: string | null;
  seats?: Seats | null;
  about?: number[]; // the points for which a set-up position is impossible
}

interface TreeNode {
  node: number;
  parent: number | null;
  move: number | null;
  noted: boolean;
  closed: boolean;
  number: number;
  player: number;
  children: number[];
}

// Functions that one part of the page gives to another.
type Act = <A extends keyof Actions>(action: A, fields: Actions[A]) => unknown;

interface AnalysisHandlers {
  line(move: number | null): void;
  play(move: number): void;
}

interface MoveListHandlers {
  look(node: number): void;
  comment(node: number, text: string): void;
}

interface ReviewHandlers {
  review(on: boolean): void;
  look(node: number): void;
  line(node: number, line: number[], cross: number | null): void;
}

// Handlers of the server's events by their kind.
type EventHandlers = { [K in keyof TableEvents]: (value: TableEvents[K]) => void };


// What the panel beside a puzzle asks for.
interface PuzzleActions {
  mix(): unknown;
  game(id: string): unknown;
  grade(grade: string): unknown;
  number(index: number): unknown;
  step(by: number): unknown;
  again(): unknown;
  pass(): unknown;
  solution(): unknown;
  leave(): unknown;
}

// Values stored in the browser.
type Solved = "first" | "later" | "shown";

interface PuzzleMemory {
  solved: Record<string, Solved>;
  at?: string;
  grade?: string;
  mixed?: boolean;
  rating?: PuzzleRating;
}

// The learner's rating, with the change by the last puzzle.
interface PuzzleRating {
  value: number;
  count: number;
  change: number;
  last: string;
}

interface GameMemory {
  name: string;
  title: string;
  game: Pick<Game, "id" | "name" | "columns" | "rows" | "hex" | "oneColour">;
  position: Pick<Position, "areas" | "first" | "second">;
  levels: number[]; // of the engines
  shared: boolean;
  moves: number;
  over: boolean;
  winner: number | null;
  when: number;
}

interface SeatMemory {
  secret: string;
  asked?: string;
  invitations?: (string | null)[];
}

// The ids of elements that can be disabled.
type ButtonId = {
  [I in keyof PageElements]: PageElements[I] extends { disabled: boolean } ? I : never;
}[keyof PageElements];

// The page's elements by id: first those of page.html, in its order.
interface PageElements {
  welcome: HTMLElement;
  "start-main": HTMLElement;
  "start-head": HTMLElement;
  "start-game": HTMLSelectElement;
  "start-language": HTMLSelectElement;
  "start-theme": HTMLButtonElement;
  "start-aim": HTMLElement;
  "start-board": HTMLElement;
  doors: HTMLElement;
  "door-learn": HTMLButtonElement;
  "door-play": HTMLButtonElement;
  "door-puzzles": HTMLButtonElement;
  "door-friend": HTMLButtonElement;
  "start-said": HTMLElement;
  games: HTMLElement;
  "games-title": HTMLElement;
  "games-export": HTMLButtonElement;
  "games-said": HTMLElement;
  "games-list": HTMLElement;
  page: HTMLElement;
  screen: HTMLElement;
  title: HTMLElement;
  subtitle: HTMLElement;
  home: HTMLButtonElement;
  new: HTMLButtonElement;
  load: HTMLButtonElement;
  save: HTMLAnchorElement;
  share: HTMLButtonElement;
  puzzles: HTMLButtonElement;
  theme: HTMLButtonElement;
  help: HTMLButtonElement;
  play: HTMLElement;
  score: HTMLElement;
  standing: HTMLElement;
  stage: HTMLElement;
  field: HTMLElement;
  "board-place": HTMLElement;
  board: HTMLElement;
  legend: HTMLElement;
  said: HTMLElement;
  message: HTMLElement;
  place: HTMLButtonElement;
  spoken: HTMLElement;
  controls: HTMLElement;
  first: HTMLButtonElement;
  back: HTMLButtonElement;
  forward: HTMLButtonElement;
  last: HTMLButtonElement;
  undo: HTMLButtonElement;
  redo: HTMLButtonElement;
  pass: HTMLButtonElement;
  resign: HTMLButtonElement;
  hint: HTMLButtonElement;
  "move-now": HTMLButtonElement;
  state: HTMLElement;
  status: HTMLElement;
  current: HTMLElement;
  sides: HTMLElement;
  deeds: HTMLElement;
  "end-open": HTMLButtonElement;
  "pace-field": HTMLLabelElement;
  pace: HTMLSelectElement;
  compiling: HTMLElement;
  "compiling-what": HTMLLabelElement;
  compiled: HTMLProgressElement;
  warning: HTMLElement;
  "warning-words": HTMLElement;
  "take-back": HTMLButtonElement;
  "let-be": HTMLButtonElement;
  tabs: HTMLElement;
  "tab-play": HTMLButtonElement;
  "tab-analysis": HTMLButtonElement;
  "tab-moves": HTMLButtonElement;
  "tab-review": HTMLButtonElement;
  guest: HTMLElement;
  "panel-play": HTMLElement;
  end: HTMLElement;
  "end-close": HTMLButtonElement;
  "end-words": HTMLElement;
  "end-deeds": HTMLElement;
  rematch: HTMLButtonElement;
  "end-level": HTMLButtonElement;
  "end-review": HTMLButtonElement;
  "end-learn": HTMLButtonElement;
  "end-new": HTMLButtonElement;
  "end-counting": HTMLElement;
  "end-count": HTMLTableElement;
  "end-summary": HTMLElement;
  seats: HTMLElement;
  "lesson-offer": HTMLElement;
  playing: HTMLElement;
  "playing-title": HTMLElement;
  coordinates: HTMLInputElement;
  "move-numbers": HTMLInputElement;
  "larger-text": HTMLInputElement;
  language: HTMLSelectElement;
  turn: HTMLButtonElement;
  mirror: HTMLButtonElement;
  legal: HTMLInputElement;
  "warn-pass": HTMLInputElement;
  "warn-mistake": HTMLInputElement;
  sound: HTMLInputElement;
  "panel-analysis": HTMLElement;
  analyse: HTMLInputElement;
  ownership: HTMLInputElement;
  analysis: HTMLElement;
  verdict: HTMLElement;
  estimated: HTMLElement;
  graph: HTMLElement;
  candidates: HTMLTableElement;
  "lead-head": HTMLElement;
  "exact-head": HTMLElement;
  line: HTMLElement;
  values: HTMLElement;
  "values-title": HTMLElement;
  "values-rows": HTMLElement;
  "panel-moves": HTMLElement;
  movers: HTMLElement;
  moves: HTMLElement;
  variations: HTMLElement;
  before: HTMLButtonElement;
  beside: HTMLButtonElement;
  promote: HTMLButtonElement;
  delete: HTMLButtonElement;
  edit: HTMLButtonElement;
  comment: HTMLTextAreaElement;
  "panel-review": HTMLElement;
  review: HTMLButtonElement;
  "review-stop": HTMLButtonElement;
  learn: HTMLButtonElement;
  reviewing: HTMLElement;
  "reviewing-what": HTMLLabelElement;
  reviewed: HTMLProgressElement;
  "review-found": HTMLElement;
  "review-graph": HTMLElement;
  "review-verdict": HTMLElement;
  "no-mistakes": HTMLElement;
  mistakes: HTMLElement;
  "review-line": HTMLElement;
  "new-dialog": HTMLDialogElement;
  "load-dialog": HTMLDialogElement;
  "load-title": HTMLElement;
  "load-file": HTMLInputElement;
  "load-text": HTMLTextAreaElement;
  "load-start": HTMLButtonElement;
  "share-dialog": HTMLDialogElement;
  "share-title": HTMLElement;
  "share-text": HTMLTextAreaElement;
  copy: HTMLButtonElement;
  pictures: HTMLElement;
  "picture-png": HTMLButtonElement;
  "picture-svg": HTMLAnchorElement;
  "game-page": HTMLAnchorElement;
  animation: HTMLButtonElement;
  "pictures-said": HTMLElement;
  "pass-dialog": HTMLDialogElement;
  "pass-title": HTMLElement;
  "pass-words": HTMLElement;
  "lesson-dialog": HTMLDialogElement;
  "help-dialog": HTMLDialogElement;
  "help-title": HTMLElement;
  "help-lesson": HTMLButtonElement;
  "help-options": HTMLElement;
  rules: HTMLElement;
  keys: HTMLElement;

  // Made by the scripts.
  "lesson-back": HTMLButtonElement;
  "lesson-board": HTMLElement;
  "lesson-message": HTMLElement;
  "lesson-next": HTMLButtonElement;
  "lesson-pass": HTMLButtonElement;
  "lesson-play": HTMLButtonElement;
  "lesson-show": HTMLButtonElement;
  "lesson-spoken": HTMLElement;
  "lesson-steps": HTMLElement;
  "lesson-task": HTMLElement;
  "lesson-topic": HTMLElement;
  "lesson-words": HTMLElement;
  offer: HTMLInputElement | null;
  [link: `link-${string}`]: HTMLInputElement;
  [player: `player-${number}`]: HTMLElement;
}
