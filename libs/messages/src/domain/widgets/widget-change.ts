import type { Rejected } from '@annals/kernel/domain';
import { reject } from '../rejections';
import { MAX_MESSAGE_LENGTH } from '../message/text';
import type { FieldCheck } from './widget-fields';
import { faultIn, isObject, isText } from './widget-fields';
import type { WidgetType } from './widget-text';

/** What a change of a widget does, as clients name it. */
export type ChangeKind = 'vote' | 'new_option' | 'question' | 'new_task' | 'strike' | 'new_task_list_title';

/** A change of a widget that has the right form. */
export interface WidgetChange {
  readonly kind: ChangeKind;
  /** Of a vote. */
  readonly vote: 1 | -1;
  /** JSON, as the client wrote it. */
  readonly content: string;
}

/** Greatest number that clients give to an option or a task. */
const MAX_NUMBER = 1_000;
const isTruth: FieldCheck = (value, field) => (typeof value === 'boolean' ? null : `${field} is not a boolean`);
const isVote: FieldCheck = (value, field) => (value === 1 || value === -1 ? null : `Invalid ${field}`);
const isNumber: FieldCheck = (value, field) => {
  if (!Number.isInteger(value)) return `${field} is not an integer`;
  if ((value as number) < 0) return `${field} is too small`;
  return (value as number) > MAX_NUMBER ? `${field} is too large` : null;
};

interface ChangeForm {
  /** The fields beside `type`, in the order in which they are checked. */
  readonly fields: Readonly<Record<string, FieldCheck>>;
  /** The refusal for everybody but the author of the message. Left out for what every reader may do. */
  readonly ofAuthor?: () => Rejected;
}

const FORMS: Readonly<Record<WidgetType, ReadonlyMap<unknown, ChangeForm & { readonly kind: ChangeKind }>>> = {
  poll: formsOf({
    vote: { fields: { key: isText, vote: isVote } },
    question: { fields: { question: isText }, ofAuthor: reject.pollQuestionOfAuthor },
    new_option: { fields: { option: isText, idx: isNumber } },
  }),
  todo: formsOf({
    new_task: { fields: { key: isNumber, task: isText, desc: isText, completed: isTruth } },
    strike: { fields: { key: isText } },
    new_task_list_title: { fields: { title: isText }, ofAuthor: reject.taskListTitleOfAuthor },
  }),
};

function formsOf(forms: Readonly<Partial<Record<ChangeKind, ChangeForm>>>) {
  return new Map<unknown, ChangeForm & { readonly kind: ChangeKind }>(
    Object.entries(forms).map(([kind, form]) => [kind, { ...form, kind: kind as ChangeKind }]),
  );
}

/**
 * Reads a change of a widget. Only its form is checked: clients ignore votes for options that do not exist.
 *
 * @param isAuthor whether the author of the message changes it
 * @throws Rejected BAD_REQUEST
 */
export function widgetChange(type: WidgetType, content: string, isAuthor: boolean): WidgetChange {
  if (content.length > MAX_MESSAGE_LENGTH) throw reject.widgetChangeTooLong({ limit: MAX_MESSAGE_LENGTH });
  const data = parsed(content);
  const name = `${type} data`;
  if (!isObject(data)) throw wrong(`${name} is not a dict`);
  ensureFields(data, { type: isText }, name);
  const form = FORMS[type].get(data['type']);
  if (!form) throw wrong(`Unknown type for ${name}: ${String(data['type'])}`);
  if (form.ofAuthor && !isAuthor) throw form.ofAuthor();
  ensureFields(data, form.fields, name);
  const unknown = Object.keys(data).filter((field) => field !== 'type' && !Object.hasOwn(form.fields, field));
  if (unknown.length > 0) throw wrong(`Unexpected arguments: ${unknown.join(', ')}`);
  return { kind: form.kind, vote: data['vote'] === -1 ? -1 : 1, content };
}

function ensureFields(data: Readonly<Record<string, unknown>>, fields: ChangeForm['fields'], name: string): void {
  const why = faultIn(data, fields, name);
  if (why !== null) throw wrong(why);
}

function parsed(content: string): unknown {
  try {
    return JSON.parse(content) as unknown;
  } catch {
    throw reject.noWidgetJson();
  }
}

const wrong = (why: string): Rejected => reject.invalidWidgetChange({ why });
