// Types that the scripts of a board share. No server sends this file.

type Place = [x: number, y: number];

interface BoardShape {
  columns: number;
  rows: number;
  hex: boolean;
}

// How a board is shown: mirrored left to right, then turned clockwise.
interface Orientation {
  turns: number; // quarters, or sixths on a hexagonal board
  mirrored: boolean;
}

interface DrawnGame extends BoardShape {
  oneColour: boolean;
}

interface DrawnArea {
  owner: number | null;
  points: number[];
}

// A game to step through, as drawing/steps.py writes it.
interface ViewedGame {
  board: DrawnGame;
  changes: number[][];
  moves: (number | null)[];
  words: string[];
  notes: Record<number, string>;
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
  | "alt" | "autocomplete" | "checked" | "class" | "disabled" | "download" | "hidden" | "href"
  | "id" | "label" | "list" | "max" | "min" | "name" | "open" | "readonly" | "required" | "role" | "scope" | "selected" | "size"
  | "spellcheck" | "src" | "step" | "tabindex" | "title" | "type" | "value";
