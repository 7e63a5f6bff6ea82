// @ts-check

/**
 * The text of whatever was thrown.
 *
 * @param {unknown} error
 */
export const errorMessage = (error) => (error instanceof Error ? error.message : String(error));
