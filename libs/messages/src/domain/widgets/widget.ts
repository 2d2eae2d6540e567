import type { MessageId, UserId } from '@annals/kernel/domain';
import { defineAggregate, fact } from '@annals/kernel/domain';
import { reject } from '../rejections';
import type { WidgetChange } from './widget-change';
import type { WidgetEvent } from './widget-events';
import {
  PollOptionAdded,
  PollQuestionChanged,
  PollVoted,
  TaskAdded,
  TaskListRenamed,
  TaskToggled,
} from './widget-events';

/** Most changes of one widget, and most UTF-16 units of all of them: everybody who reads the message gets all. */
export const MAX_CHANGES = 10_000;
export const MAX_CHARACTERS = 500_000;

/** How much a widget was changed. What the changes mean together is worked out by clients. */
export interface WidgetSize {
  readonly changes: number;
  readonly characters: number;
}

export const widgetAggregate = defineAggregate<WidgetSize, WidgetEvent, MessageId>(
  'widget',
  { changes: 0, characters: 0 },
  ({ changes, characters }, { sealed }) => ({
    changes: changes + 1,
    characters: characters + (sealed === 'erased' ? 0 : sealed.content.length),
  }),
);

/** Commands that may run at the same time in all processes; each adds one change at most. */
const SIMULTANEOUS = 1_000;

/** Whether changes have to be counted one after the other, because the limits are near. */
export const isNearlyFull = ({ changes, characters }: WidgetSize): boolean =>
  changes >= MAX_CHANGES - SIMULTANEOUS || characters >= MAX_CHARACTERS / 2;

/** The user who changes a widget, and its message. */
export interface Changing {
  readonly messageId: MessageId;
  readonly userId: UserId;
}

/** @throws Rejected BAD_REQUEST for a widget that was changed too often */
export function changeWidget(size: WidgetSize, change: WidgetChange, by: Changing): WidgetEvent[] {
  const isFull = size.changes >= MAX_CHANGES || size.characters + change.content.length > MAX_CHARACTERS;
  if (isFull) throw reject.widgetFull();
  return [eventOf(change, by)];
}

function eventOf({ kind, vote, content }: WidgetChange, by: Changing): WidgetEvent {
  const sealed = { content };
  switch (kind) {
    case 'vote':
      return fact(PollVoted, { ...by, vote }, sealed);
    case 'new_option':
      return fact(PollOptionAdded, by, sealed);
    case 'question':
      return fact(PollQuestionChanged, by, sealed);
    case 'new_task':
      return fact(TaskAdded, by, sealed);
    case 'strike':
      return fact(TaskToggled, by, sealed);
    case 'new_task_list_title':
      return fact(TaskListRenamed, by, sealed);
  }
}
