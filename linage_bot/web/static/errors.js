// Errors and their messages.

/** A request that the server refused. The status is 0 if the server did not answer. `about` are the points meant. */
export class RequestRefused extends Error {
  /** @param {number} status @param {string} reason @param {number[]} [about] */
  constructor(status, reason, about = []) {
    super(reason);
    this.status = status;
    this.about = about;
  }
}

/**
 * Return the message of a caught error.
 * @param {unknown} error
 */
export function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Return a text with its first letter in upper case.
 * @param {string} text
 */
export function capital(text) {
  return text[0].toUpperCase() + text.slice(1);
}

/**
 * Return the reason of a refusal with a full stop at its end, which the server omits.
 * @param {string} reason
 */
export function sentence(reason) {
  return /[.!?]$/.test(reason) ? reason : `${reason}.`;
}
