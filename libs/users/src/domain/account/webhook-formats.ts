/** The forms in which the server sends messages to the program behind a bot. */
export const WEBHOOK_FORMATS = ['generic', 'slack'] as const;
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number];

/** The format with a number of the API, which counts from 1. Undefined for another number. */
export const formatWithNumber = (number: number): WebhookFormat | undefined => WEBHOOK_FORMATS[number - 1];

/** The number of a format in the API. */
export const numberOfFormat = (format: WebhookFormat): number => WEBHOOK_FORMATS.indexOf(format) + 1;
