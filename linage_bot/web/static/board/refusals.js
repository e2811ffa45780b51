// The points that make a move illegal: their marks on the board, and their names for screen readers.

import { svg } from "../dom.js";
import { t } from "../language.js";

const MOST_NAMED = 6;

/**
 * Return the shapes that mark a region or group: its area, and a line around it.
 * @param {Geometry} geometry
 * @param {number[]} points
 */
export function marks(geometry, points) {
  if (!points.length) return [];
  const edges = new Map(); // an edge between two of the points occurs twice and is not drawn
  for (const point of points) {
    const corners = geometry.corners(point);
    corners.forEach((corner, index) => {
      const edge = [corner, corners[(index + 1) % corners.length]];
      const key = [...edge].sort().join(" ");
      edges.set(key, edges.has(key) ? null : edge);
    });
  }
  const drawn = [...edges.values()].filter((edge) => edge !== null);
  return [
    svg("path", { class: "inside", d: points.map((point) => geometry.cell(point)).join("") }),
    svg("path", { class: "around", d: drawn.map(([from, to]) => `M${from}L${to}`).join("") }),
  ];
}

/**
 * Return the names of the points that a refusal is about, such as "A1 and B1", or their number if there are many.
 * Return an empty string if it is about `point` alone.
 * @param {Geometry} geometry
 * @param {Refusal} refusal
 * @param {number} point
 */
export function named(geometry, { about }, point) {
  if (!about.length || (about.length === 1 && about[0] === point)) return "";
  if (about.length > MOST_NAMED) return ` (${t`${about.length} points`})`;
  const names = about.map((each) => geometry.name(each));
  const last = names.pop();
  return ` (${names.length ? t`${names.join(", ")} and ${last}` : last})`;
}
