/** Kinds of widgets: messages whose readers change a state of them together. */
export const WIDGET_TYPES = ['poll', 'todo'] as const;
export type WidgetType = (typeof WIDGET_TYPES)[number];

/** All that a message may be for clients beside its text. A `zform` has buttons that send replies, and never changes. */
export const MESSAGE_WIDGETS = [...WIDGET_TYPES, 'zform'] as const;
export type MessageWidget = (typeof MESSAGE_WIDGETS)[number];

/** How a widget begins, in the words of clients (contract/messages.md section 2, `submessages`). */
export type WidgetBeginning =
  | {
      readonly widget_type: 'poll';
      readonly extra_data: { readonly question: string; readonly options: readonly string[] };
    }
  | {
      readonly widget_type: 'todo';
      readonly extra_data: { readonly task_list_title: string; readonly tasks: readonly Task[] };
    };

interface Task {
  readonly task: string;
  readonly desc: string;
}

const COMMAND = /^\/(poll|todo)(?!\S)/;
const LINE_END = /\r\n|[\n\v\f\r\x1c-\x1e\x85\u2028\u2029]/;
/** The mark of an item of a list. */
const MARK = /^[-*]?\s*/;

/** The kind of widget that a text makes of a new message: its first word is `/poll` or `/todo`. */
export const widgetOf = (text: string): WidgetType | null =>
  (COMMAND.exec(text)?.[1] as WidgetType | undefined) ?? null;

/**
 * How the widget of a message begins: the first line is the question or the title, and each further one is an option or
 * a task. What is written before the first ": " of a task is its name, and the rest describes it.
 *
 * @param text of a message that is a widget
 */
export function beginningOf(text: string, type: WidgetType): WidgetBeginning {
  const [first = '', ...lines] = text.replace(COMMAND, '').split(LINE_END);
  const items = lines.map((line) => line.trim().replace(MARK, '')).filter((item) => item !== '');
  if (type === 'poll') return { widget_type: type, extra_data: { question: first.trim(), options: items } };
  return { widget_type: type, extra_data: { task_list_title: first.trim(), tasks: items.map(taskOf) } };
}

function taskOf(item: string): Task {
  const end = item.indexOf(': ');
  return end < 0
    ? { task: item.trim(), desc: '' }
    : { task: item.slice(0, end).trim(), desc: item.slice(end + 2).trim() };
}
