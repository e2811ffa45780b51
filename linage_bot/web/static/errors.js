// Errors and their messages.

/** The server refuses a request; the status is 0 if it does not answer. */
export class Refused extends Error {
  /** @param {number} status @param {string} reason */
  constructor(status, reason) {
    super(reason);
    this.status = status;
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
 * What the server says of a refusal, with the full stop that it leaves to us.
 * @param {string} reason
 */
export function sentence(reason) {
  return /[.!?]$/.test(reason) ? reason : `${reason}.`;
}
