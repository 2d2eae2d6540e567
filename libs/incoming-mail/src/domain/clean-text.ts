/** A text that can be stored and shown: without control characters but line breaks and tabs, and without halves of characters. */
export const cleanText = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/(?![\n\t])\p{Cc}/gu, '')
    .toWellFormed();
