/** Greatest id of a user or a group in a request, which every column can have. */
const MAX_ID = 2 ** 31 - 1;
const DECIMAL = /^[1-9]\d{0,9}$/;

/** The id that a text names, as `id` is written. Null for any other text. */
export const toInt = (text: string): string | null => (DECIMAL.test(text) && Number(text) <= MAX_ID ? text : null);
