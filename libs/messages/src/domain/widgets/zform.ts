import { MAX_MESSAGE_LENGTH } from '../message/text';
import { reject } from '../rejections';
import { faultIn, isObject, isText } from './widget-fields';
import type { FieldCheck } from './widget-fields';

const isChoice: FieldCheck = (value, name) =>
  faultIn(value, { short_name: isText, long_name: isText, reply: isText }, name);

const areChoices: FieldCheck = (value, name) => {
  if (!Array.isArray(value)) return `${name} is not a list`;
  for (const [n, one] of value.entries()) {
    const why = isChoice(one, `${name}[${n}]`);
    if (why !== null) return why;
  }
  return null;
};

/**
 * Reads what a program sends as `widget_content` with a message: a heading, and choices that clients show as buttons. A
 * click sends the reply of its choice.
 *
 * @returns how the widget begins, as JSON
 * @throws Rejected BAD_REQUEST for anything else, and for what is longer than a text may be
 */
export function zformOf(widgetContent: string): string {
  if (widgetContent.length > MAX_MESSAGE_LENGTH) throw reject.widgetContentTooLong({ limit: MAX_MESSAGE_LENGTH });
  const widget = parsed(widgetContent);
  const why = faultOf(widget);
  if (why !== null) throw reject.invalidWidgetContent({ why });
  return JSON.stringify(widget);
}

function faultOf(widget: unknown): string | null {
  if (!isObject(widget)) return 'widget_content is not a dict';
  for (const field of ['widget_type', 'extra_data'])
    if (!Object.hasOwn(widget, field)) return `${field} is not in widget_content`;
  const { widget_type: type, extra_data: data } = widget;
  if (!isObject(data)) return 'extra_data is not a dict';
  if (type !== 'zform') return `unknown widget type: ${nameOf(type)}`;
  if (!Object.hasOwn(data, 'type')) return 'zform is missing type field';
  if (data['type'] !== 'choices') return `unknown zform type: ${nameOf(data['type'])}`;
  return faultIn(data, { heading: isText, choices: areChoices }, 'extra_data');
}

const nameOf = (type: unknown): string => (typeof type === 'string' ? type : JSON.stringify(type));

function parsed(widgetContent: string): unknown {
  try {
    return JSON.parse(widgetContent) as unknown;
  } catch {
    throw reject.noWidgetContentJson();
  }
}
