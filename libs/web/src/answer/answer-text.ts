import { ReadyJson } from '@annals/kernel/domain';

/**
 * The JSON text of an answer that has parts whose text is there already.
 *
 * @returns undefined where no field is such a part: any writer of JSON will do
 */
export function textWithReadyParts(answer: Readonly<Record<string, unknown>>): string | undefined {
  const fields = Object.entries(answer);
  if (!fields.some(([, value]) => value instanceof ReadyJson)) return undefined;
  const texts = fields.flatMap(([name, value]) => {
    const text = value instanceof ReadyJson ? value.text : JSON.stringify(value);
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`];
  });
  return `{${texts.join()}}`;
}
