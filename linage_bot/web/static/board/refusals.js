// What a refusal speaks of: marked on the board, and named for who cannot see it.

import { svg } from "../dom.js";

const MOST_NAMED = 6;

/**
 * One line around these points, region or group.
 * @param {Geometry} geometry
 * @param {number[]} points
 */
export function marks(geometry, points) {
  if (!points.length) return [];
  const edges = new Map(); // those between two of the points come twice, and are not drawn
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
 * "A1 and B1", or how many there are; nothing if it is the point itself that is spoken of.
 * @param {Geometry} geometry
 * @param {Refusal} refusal
 * @param {number} point
 */
export function named(geometry, { about }, point) {
  if (!about.length || (about.length === 1 && about[0] === point)) return "";
  if (about.length > MOST_NAMED) return ` (${about.length} points)`;
  const names = about.map((each) => geometry.name(each));
  const last = names.pop();
  return ` (${names.length ? `${names.join(", ")} and ` : ""}${last})`;
}
