// The messages between the server and the page. Written by tools/wire.py; do not edit.

/** The best known move and its value, from the side of the player to move. */
export interface Advice {
  move: number;
  only: boolean;
  winRate: number | null;
  certain: number | null;
  lead: number | null;
  exact: boolean;
  value: number | null;
}

/** The analysis of the position at node `at`. */
export interface Analysis {
  node: number;
  visits: number;
  winRate: number | null;
  lead: number | null;
  exact: number | null;
  best: number[];
  estimated: boolean;
  settled: boolean;
  candidates: Candidate[];
  ownership: number[] | null;
  values: MoveValue[];
}

/** A part of the board to colour; `shown` is as in `rules.game.Area`. */
export interface Area {
  kind: string;
  points: number[];
  owner: 0 | 1 | null;
  shown: "owned" | "always" | "dots";
  number: number | null;
}

/** The check of a learner's move in place of a mistake, and its loss against the best move. */
export interface Attempt {
  right: boolean;
  winRate: number;
  points: number;
  proven: boolean;
  line: number[];
}

/** A learner's move in place of the reviewed one at a node, to be checked. */
export interface AttemptRequest {
  node: number;
  move: number;
}

/** The evaluation of one move, with the principal variation that starts with it. */
export interface Candidate {
  move: number;
  visits: number;
  winRate: number;
  error: number;
  lead: number;
  spread: number;
  line: number[];
  lineVisits: number[];
  certain: number | null;
  exact: boolean;
}

/** The time left on both clocks, and the player whose clock runs. */
export interface Clock {
  left: [TimeLeft, TimeLeft];
  runs: 0 | 1 | null;
  period: number;
  periods: number;
}

/** A QR code of `size` times `size` modules, its margin included; `path` fills the dark ones. */
export interface Code {
  size: number;
  path: string;
}

/** A request for the QR code of a link to a table. */
export interface CodeRequest {
  link: string;
}

/** The compilation that a table waits for: its subject, share (0 to 1) and seconds left. */
export interface CompileProgress {
  what: string;
  share: number;
  seconds: number;
}

/** The reason why a game ended and its final count. */
export interface Ending {
  reason: string;
  counted: ScoredItem[];
  scores: [number, number] | null;
  words: string | null;
}

/** A picture in the rules, placed after the paragraph of its number. */
export interface Example {
  after: number;
  name: string;
  alt: string | null;
  words: string;
}

/** The form of a new game, with the preselected game and players. */
export interface Form {
  games: GameKind[];
  chosen: Game;
  players: [number | null, number | null];
  levels: number;
  guest: boolean;
}

/** A game with its board, komi and options. */
export interface Game {
  id: string;
  name: string;
  players: [string, string];
  size: string;
  columns: number;
  rows: number;
  hex: boolean;
  directed: boolean;
  komi: number;
  komiStep: number | null;
  pie: string;
  options: Record<string, string>;
  oneColour: boolean;
  countsPoints: boolean;
}

/** A kind of game in the form of a new game, with its default options. */
export interface GameKind extends Game {
  optionKinds: Record<string, Option>;
  lesson: boolean;
  aim: string;
}

/** First's win rate and lead: `[index of the node in the line, win rate, lead]`. */
export interface Graph {
  points: [number, number, number][];
}

/** A question for the best move in the position at a node. */
export interface HintRequest {
  node: number;
}

/** Empty points where no stone may be placed, the reason, and the points that it refers to. */
export interface IllegalMoves {
  reason: string;
  about: number[];
  points: number[];
}

/** The first lesson of a game; the page needs no rules for it. */
export interface Lesson {
  game: string;
  name: string;
  steps: LessonStep[];
}

/** The answer to some moves in a lesson, with the position afterwards if they are right. */
export interface LessonAnswer {
  moves: number[];
  right: boolean;
  words: string;
  about: number[];
  position: Position | null;
  last: number | null;
}

/** A step of a lesson: a position with a task, and an answer for each possible move. */
export interface LessonStep {
  title: string;
  words: string;
  task: string;
  board: Game;
  position: Position;
  last: number | null;
  answers: LessonAnswer[];
}

/** The loss of a move against the best one, from its player's side. */
export interface Loss {
  winRate: number;
  points: number;
  proven: boolean;
  best: number | null;
  serious: boolean;
}

/** A question for the loss of a move in the position at a node. */
export interface LossRequest {
  node: number;
  move: number;
}

/** A mistake: the number of the move, and the node where another would have been better. */
export interface Mistake {
  number: number;
  node: number;
  player: 0 | 1;
  move: number;
  best: number[];
  played: number[];
  costs: string[];
}

/** The proven value of symmetric moves for the player to move, exact or an upper bound. */
export interface MoveValue {
  moves: number[];
  most: number;
  exact: boolean;
}

/** A request for a table: a new game, or one that is given as a link, an SGF text or a file. */
export interface NewTableRequest {
  game?: string | null;
  size?: string | null;
  komi?: number | null;
  options?: Record<string, string> | null;
  pie?: boolean;
  clock?: Time | null;
  link?: string | null;
  sgf?: string | null;
  file?: string | null;
  pace?: number;
  seats?: [number | null | "friend", number | null | "friend"];
  invitations?: [string | null, string | null];
  secret?: string | null;
}

/** A pie that is not finished: whether its offer is made, and whether an engine acts next. */
export interface OpenPie {
  offered: boolean;
  engine: boolean;
}

/** An option of a game in the form of a new game. */
export interface Option {
  default: string;
  help: string;
  choices: string[];
  minimum: number;
  maximum: number;
}

/** The result of a game; `lost` says how the loser ended it early. */
export interface Outcome {
  winner: 0 | 1 | null;
  margin: number | null;
  lost: string | null;
}

/** The word that admits others to a table, for links at the address that they can reach. */
export interface Pass {
  word: string;
  address: string | null;
}

/** The counts of a position in a game without scores, as text for a viewer of the board. */
export interface PointCount {
  words: string;
  counts: [string, string];
}

/** A position with its legal moves, and the reasons why other points are illegal. */
export interface Position {
  first: number[];
  second: number[];
  toMove: 0 | 1;
  legal: number[];
  mayPass: boolean;
  noPass: string | null;
  refused: IllegalMoves[];
  areas: Area[];
  scores: [number, number] | null;
  tally: PointCount | null;
  standing: Result;
  over: boolean;
}

/** A puzzle with all that a page needs to play it. */
export interface Puzzle {
  name: string;
  game: Game;
  toMove: 0 | 1;
  grade: number;
  link: string;
  steps: PuzzleStep[];
}

/** A game with its puzzles, the easier ones first. */
export interface PuzzleGame {
  id: string;
  name: string;
  puzzles: PuzzleTitle[];
}

/** The list of all puzzles by game. */
export interface PuzzleList {
  games: PuzzleGame[];
}

/** One move that the learner has to find. */
export interface PuzzleStep {
  best: number;
  lead: number;
  wrong: Record<number, Refutation>;
  reply: number | null;
}

/** A puzzle in the list of all. */
export interface PuzzleTitle {
  name: string;
  size: string;
  grade: number;
}

/** The learner's result of a wrong move under best play, and the line that refutes it. */
export interface Refutation {
  lead: number;
  line: number[];
}

/** The winner or leader, and the lead in points in games that count points. */
export interface Result {
  winner: 0 | 1 | null;
  margin: number | null;
}

/** The result of a review; `points` is as in a graph. */
export interface Review {
  line: number[];
  points: [number, number, number][];
  verdicts: string[];
  mistakes: Mistake[];
  given: number;
  exactFrom: number | null;
  visits: number | null;
}

/** The progress of a review: its current activity, and the steps done of at most `total`. */
export interface ReviewProgress {
  doing: string;
  done: number;
  total: number;
}

/** The rules of a game, in paragraphs. */
export interface Rules {
  rules: string[];
  examples: Example[];
}

/** An item of the count at the end of a game. */
export interface ScoredItem {
  words: string;
  owner: 0 | 1 | null;
  value: number;
  points: number[];
}

/** A person's seat at a shared table: whether it is taken, and the person present. */
export interface Seat {
  taken: boolean;
  here: boolean;
  name: string;
}

/** The seats of a shared table, the people present, and the number of viewers. */
export interface Seats {
  you: number | null;
  byPlayer: [Seat | null, Seat | null];
  viewers: number;
  closed: boolean;
}

/** A position that a link describes, and its last move. */
export interface SetUp {
  game: Game;
  position: Position;
  last: number | null;
}

/** The outcome of a pie: the side chosen, the player who chose it, and the one who offered. */
export interface Sides {
  chosen: 0 | 1;
  chooser: number | null;
  offerer: number | null;
}

/** A table as one page sees it, except the analysis of its positions. */
export interface Table {
  revision: string;
  game: Game;
  players: [number | null, number | null];
  pie: OpenPie | null;
  sides: Sides | null;
  node: number;
  played: number;
  viewed: number;
  number: number;
  line: number[];
  position: Position;
  last: number | null;
  comment: string;
  closed: string | null;
  over: boolean;
  result: Outcome | null;
  ending: Ending | null;
  turn: "engine" | "person" | "other" | null;
  seats: Seats | null;
  again: boolean;
  paused: boolean;
  time: Time | null;
  pace: number;
  trouble: string | null;
  canUndo: boolean;
  canRedo: boolean;
  analysing: boolean;
  ownership: boolean;
  link: string;
}

/** Both players' time settings in seconds, as in a request for a new game. */
export interface Time {
  main: number;
  increment: number;
  period: number;
  periods: number;
}

/** The time that a clock shows. */
export interface TimeLeft {
  seconds: number;
  periods: number;
}

/** All moves of a table, the main line first, and the player who moves first. */
export interface Tree {
  begins: 0 | 1;
  nodes: ([number, number | null, number | null, boolean, boolean])[];
}

/** The events to the pages of a table, by kind. */
export interface Events {
  compiling: CompileProgress | null;
  tree: Tree;
  table: Table;
  clock: Clock | null;
  analysis: Analysis;
  graph: Graph;
  review: Review | ReviewProgress | null;
}

/** The responses to requests. */
export interface Responses {
  kinds: Form;
  lesson: Lesson;
  puzzles: PuzzleList;
  puzzle: Puzzle;
  position: SetUp;
  rules: Rules;
  pass: Pass;
  code: Code;
  hint: Advice;
  loss: Loss;
  attempt: Attempt;
}

/** The bodies of other requests. */
export interface Requests {
  games: NewTableRequest;
  hint: HintRequest;
  loss: LossRequest;
  attempt: AttemptRequest;
  "move-now": Record<string, never>;
  rematch: NewTableRequest;
  code: CodeRequest;
  discard: Record<string, never>;
}

/** The bodies of a page's actions, by the last word of the path. */
export interface Actions {
  play: { move: number; node: number };
  undo: Record<string, never>;
  redo: Record<string, never>;
  look: { node: number };
  "play-on": Record<string, never>;
  promote: { node: number };
  analyse: { on: boolean; ownership: boolean };
  resign: Record<string, never>;
  pause: { on: boolean };
  sit: { player: 0 | 1; seat: number | null };
  name: { name: string };
  offer: { komi: number };
  choose: { player: 0 | 1 };
  delete: { node: number };
  comment: { node: number; text: string };
  review: { on: boolean };
  pace: { seconds: number };
}
