import type { Static } from '@annals/kernel/domain';
import { t } from '@annals/kernel/domain';
import { globalTimeOf, isInCalendar, link } from '../shared/markdown';
import { maybe, readerOf } from '../shared/payload';

export const SLACK = 'SlackIncoming';

const textObject = t.Object({ type: t.String(), text: t.String() });
/** An image or a text. Anything else is for interaction and is left out. */
const element = t.Object({
  type: t.String(),
  text: maybe(t.Unknown()),
  image_url: maybe(t.String()),
  alt_text: maybe(t.String()),
});
export const block = t.Object({
  type: t.String(),
  text: maybe(textObject),
  title: maybe(textObject),
  fields: maybe(t.Array(textObject)),
  elements: maybe(t.Array(t.Unknown())),
  accessory: maybe(element),
  image_url: maybe(t.String()),
  alt_text: maybe(t.String()),
});
const field = t.Object({ title: maybe(t.String()), value: maybe(t.Unknown()) });
export const attachment = t.Object({
  title: maybe(t.String()),
  title_link: maybe(t.String()),
  pretext: maybe(t.String()),
  text: maybe(t.String()),
  fields: maybe(t.Array(field)),
  blocks: maybe(t.Array(block)),
  image_url: maybe(t.String()),
  footer: maybe(t.String()),
  ts: maybe(t.Union([t.Number(), t.String()])),
});
type Block = Static<typeof block>;
type Element = Static<typeof element>;

const readElement = readerOf(SLACK, element);

/** Parts one below the other, without empty ones. */
export const stacked = (parts: readonly string[]): string =>
  parts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('\n\n');

function elementText({ type, text, image_url: url, alt_text: description }: Element): string {
  if (type === 'image') return url ? link(description ?? '', url) : '';
  return (type === 'mrkdwn' || type === 'plain_text') && typeof text === 'string' ? text : '';
}

/** Fields are a table of two columns, which can have no lines and no bars. A single one is a text. */
function fieldsText(fields: readonly Static<typeof textObject>[]): string {
  if (fields.length === 1) return fields[0]?.text ?? '';
  const cells = fields.map(({ text }) => text.replace(/[\n|]/g, ' '));
  const rows = cells.flatMap((cell, at) => (at % 2 === 0 ? [`| ${cell} | ${cells[at + 1] ?? ''} |`] : []));
  return ['| | |', '|-|-|', ...rows].join('\n');
}

/** Kinds of blocks that show something here. Others are for interaction, or repeat the text of the message. */
const BLOCKS: Readonly<Record<string, (block: Block) => string>> = {
  context: ({ elements }) => stacked((elements ?? []).map((one) => elementText(readElement(one)))),
  divider: () => '----',
  header: ({ text }) => (text ? `## ${text.text}` : ''),
  image: ({ image_url: url, alt_text: description, title }) => (url ? link(title?.text ?? description ?? '', url) : ''),
  section: ({ text, accessory, fields }) =>
    stacked([text?.text ?? '', accessory ? elementText(accessory) : '', fields?.length ? fieldsText(fields) : '']),
};

export const blockText = (one: Block): string =>
  (Object.hasOwn(BLOCKS, one.type) ? BLOCKS[one.type]?.(one) : undefined) ?? '';

function fieldLine({ title, value }: Static<typeof field>): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? '').replace(/^""$/, '');
  if (title && text) return `*${title}*: ${text}`;
  return title ? `*${title}*` : text;
}

function timeText(ts: number | string | null | undefined): string {
  const seconds = Math.floor(Number(ts ?? NaN));
  return seconds > 0 && isInCalendar(seconds) ? globalTimeOf(seconds) : '';
}

export function attachmentText(one: Static<typeof attachment>): string {
  const { title, title_link: url, pretext, text, fields, blocks, image_url: picture, footer, ts } = one;
  return stacked([
    title ? `## ${url ? link(title, url) : title}` : '',
    pretext ?? '',
    text ?? '',
    (fields ?? [])
      .map(fieldLine)
      .filter((line) => line !== '')
      .join('\n'),
    ...(blocks ?? []).map(blockText),
    picture ? link('', picture) : '',
    footer ?? '',
    timeText(ts),
  ]);
}
