// Types that the page's scripts share. The server does not send this file.

// Messages of the server: their lists are typed, and everything else is any.
interface Message {
  [field: string]: any;
}

interface Advice extends Message { move: number }
interface Analysis extends Message { best: number[]; candidates: Candidate[]; values: ExactValue[] }
interface Area extends Message { points: number[]; owner: number | null }
interface Candidate extends Message { move: number; line: number[] }
interface Chair extends Message {}
interface ClockSettings { main: number; increment: number; periods: number; period: number }
interface ClockView extends Message {}
interface Company extends Message { chairs: (Chair | null)[] }
interface Compiling extends Message {}
interface Ending extends Message { counted: CountedItem[]; scores: number[] | null }
interface CountedItem extends Message { words: string; owner: number | null; points: number[] }
interface ExactValue extends Message { moves: number[] }
interface Game extends BoardShape, Message { players: string[] }
interface GameKind extends Message { options: Record<string, GameOption>; players: string[] }
interface GameOption extends Message { choices: string[] }
interface Kinds extends Message { games: GameKind[]; levels: number }
interface Lesson extends Message { steps: LessonStep[] }
interface LessonAnswer extends Message { moves: number[] }
interface LessonStep extends Message { answers: LessonAnswer[] }
interface Loss extends Message {}
interface Mistake extends Message { best: number[]; played: number[]; costs: string[] }
interface Pie extends Message {}
interface Position extends Message { first: number[]; second: number[]; areas: Area[]; refused: Refusal[] }
interface PositionAnswer extends Message { game: Game; position: Position }
interface Puzzle extends Message { steps: PuzzleStep[] }
interface PuzzleEntry extends Message { name: string }
interface PuzzleGame extends Message { puzzles: PuzzleEntry[] }
interface PuzzleStep extends Message {}
interface Refusal extends Message { points: number[]; about: number[] }
interface ReviewProgress { doing: string; done: number; total: number }
interface ReviewResult { line: number[]; points: ValueGraph["points"]; mistakes: Mistake[]; verdicts: string[]; given: number }
type Review = ReviewProgress | ReviewResult;
interface RulesAnswer extends Message { rules: string[]; examples: Message[] }
interface TableView extends BoardTable, Message { line: number[]; seats: (number | null)[]; ending: Ending }
interface SharedTable extends TableView { company: Company }
interface TreeMessage extends Message { nodes: [at: number, parent: number | null, move: number | null, noted: boolean, closed: boolean][] }
interface ValueGraph { points: [at: number, rate: number, lead: number][] }

// Classes of the scripts.
type Board = import("./board.js").Board;
type Geometry = import("./geometry.js").Geometry;
type Guest = import("./guest.js").Guest;
type Page = import("./main.js").Page;
type Refused = import("./errors.js").Refused;
type Tree = import("./tree.js").Tree;

// The board. A move is a point or PASS, a player 0 or 1, a node its number in the tree.
type Place = [x: number, y: number];

interface BoardShape {
  columns: number;
  rows: number;
  hex: boolean;
}

interface BoardHandlers {
  play(move: number): unknown;
  point(point: number | null): unknown;
  say(text: string, unseen?: boolean): unknown;
  choose?(point: number | null): unknown;
}

// What the board draws: the table, or a position of a puzzle, a lesson or the editor.
interface BoardTable {
  game: Game;
  position: Position;
  last: number | null;
  at: number;
  viewed: number;
  turn: string | null;
  paused: boolean;
  pie: Pie | null;
  over: boolean;
  closed?: string | null;
  company?: Company | null;
}

interface TreeNode {
  at: number;
  parent: number | null;
  move: number | null;
  noted: boolean;
  closed: boolean;
  number: number;
  player: number;
  children: number[];
}

// Functions that one part of the page gives to another.
type Act = (action: string, fields: Record<string, unknown>) => unknown;

interface AnalysisHandlers {
  line(move: number | null): void;
  play(move: number): void;
}

interface MoveListHandlers {
  look(at: number): void;
  comment(at: number, text: string): void;
}

interface ReviewHandlers {
  review(on: boolean): void;
  look(at: number): void;
  line(at: number, line: number[], cross: number | null): void;
}

// Handlers of the server's events by their kind.
type EventHandlers = Record<string, (value: any) => void>;

// A request for a new table: a game and its settings, a position as a link, or a record.
type NewTable = Record<string, unknown> & { seats?: (number | string | null)[] };

// Stored in the browser.
type Solved = "first" | "later" | "shown";

interface PuzzleMemory {
  solved: Record<string, Solved>;
  at?: string;
  grade?: string;
}

interface SeatMemory {
  secret: string;
  asked?: string;
  invitations?: (string | null)[];
}

// Elements and their attributes. An attribute that is null, undefined or false is not set.
type AttributeValue = string | number | boolean | null | undefined;

type Attributes = Record<string, AttributeValue>;

type Child = string | Node | null;

type ElementHandlers<E> = {
  [K in keyof GlobalEventHandlersEventMap as `on${K}`]?: (
    event: GlobalEventHandlersEventMap[K] & { target: E },
  ) => unknown;
};

type HtmlAttributes<E> = ElementHandlers<E> &
  Partial<Record<HtmlAttributeName | `aria-${string}` | `data-${string}`, AttributeValue>>;

type HtmlAttributeName =
  | "alt" | "autocomplete" | "checked" | "class" | "disabled" | "hidden" | "id" | "list" | "max"
  | "min" | "name" | "open" | "readonly" | "required" | "role" | "scope" | "selected" | "size"
  | "spellcheck" | "src" | "step" | "tabindex" | "title" | "type" | "value";

// The ids of elements that can be disabled.
type ButtonId = {
  [I in keyof PageElements]: PageElements[I] extends { disabled: boolean } ? I : never;
}[keyof PageElements];

// The page's elements by id: first those of page.html, in its order.
interface PageElements {
  page: HTMLElement;
  screen: HTMLElement;
  title: HTMLElement;
  subtitle: HTMLElement;
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
  field: HTMLElement;
  "board-place": HTMLElement;
  board: HTMLElement;
  legend: HTMLElement;
  said: HTMLElement;
  message: HTMLElement;
  place: HTMLButtonElement;
  warning: HTMLElement;
  "warning-words": HTMLElement;
  "take-back": HTMLButtonElement;
  "let-be": HTMLButtonElement;
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
  sides: HTMLElement;
  deeds: HTMLElement;
  "end-open": HTMLButtonElement;
  "pace-field": HTMLLabelElement;
  pace: HTMLSelectElement;
  compiling: HTMLElement;
  "compiling-what": HTMLLabelElement;
  compiled: HTMLProgressElement;
  guest: HTMLElement;
  end: HTMLElement;
  "end-close": HTMLButtonElement;
  "end-words": HTMLElement;
  "end-deeds": HTMLElement;
  rematch: HTMLButtonElement;
  "end-new": HTMLButtonElement;
  "end-counting": HTMLElement;
  "end-count": HTMLTableElement;
  "end-summary": HTMLElement;
  company: HTMLElement;
  "lesson-offer": HTMLElement;
  "analysis-title": HTMLElement;
  analyse: HTMLInputElement;
  ownership: HTMLInputElement;
  analysis: HTMLElement;
  verdict: HTMLElement;
  graph: HTMLElement;
  candidates: HTMLTableElement;
  "lead-head": HTMLElement;
  "exact-head": HTMLElement;
  line: HTMLElement;
  values: HTMLElement;
  "values-title": HTMLElement;
  "values-rows": HTMLElement;
  "review-title": HTMLElement;
  review: HTMLButtonElement;
  "review-stop": HTMLButtonElement;
  reviewing: HTMLElement;
  "reviewing-what": HTMLLabelElement;
  reviewed: HTMLProgressElement;
  "review-found": HTMLElement;
  "review-graph": HTMLElement;
  "review-verdict": HTMLElement;
  "no-mistakes": HTMLElement;
  mistakes: HTMLElement;
  "review-line": HTMLElement;
  playing: HTMLDetailsElement;
  "warn-pass": HTMLInputElement;
  "warn-mistake": HTMLInputElement;
  "moves-title": HTMLElement;
  edit: HTMLButtonElement;
  legal: HTMLInputElement;
  movers: HTMLElement;
  moves: HTMLElement;
  variations: HTMLElement;
  before: HTMLButtonElement;
  beside: HTMLButtonElement;
  promote: HTMLButtonElement;
  delete: HTMLButtonElement;
  comment: HTMLTextAreaElement;
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
