import type { EventDescription, PropertyChange, SentencePart } from '@annals/kernel';
import { counted, describeEvent, listed, thing, wordsOf } from '@annals/kernel';
import type { Recorded } from '@annals/kernel/domain';
import type { DraftEdited as Edited, DraftSaved as Saved, DraftDestination } from '../domain/events';
import { DraftDeleted, DraftEdited, DraftSaved, DraftsDiscarded } from '../domain/events';

function destination(target: DraftDestination): SentencePart[] {
  if (target === null) return [];
  if ('channelId' in target) return [' to ', thing.channel(target.channelId)];
  return [' to ', ...listed(target.userIds.map((id) => thing.user(id)))];
}

function propertiesOf(event: Recorded<Saved | Edited>): PropertyChange[] {
  const { target, editedAt } = event.data;
  const to = target === null ? null : 'channelId' in target ? target.channelId : target.userIds;
  return [
    { property: 'to', after: to },
    { property: 'edited_at', after: new Date(editedAt).toISOString() },
    { property: 'topic', after: wordsOf<{ topic: string }, string>(event, ({ topic }) => topic), isWords: true },
    {
      property: 'content',
      after: wordsOf<{ content: string }, string>(event, ({ content }) => content),
      isWords: true,
    },
  ];
}

const saved = describeEvent(DraftSaved, {
  meaning: 'A client of a user saved a draft.',
  commands: ['CreateDrafts'],
  sentence: ({ position, data }) => [`saved draft ${position}`, ...destination(data.target)],
  begins: propertiesOf,
});

const edited = describeEvent(DraftEdited, {
  meaning: 'A draft has another text or destination. The event has all of its properties.',
  commands: ['EditDraft'],
  sentence: ({ data }) => [`edited draft ${data.draftId}`, ...destination(data.target)],
  changes: propertiesOf,
});

const deleted = describeEvent(DraftDeleted, {
  meaning: 'A user deleted a draft.',
  commands: ['DeleteDraft'],
  sentence: ({ data }) => [`deleted draft ${data.draftId}`],
});

const discarded = describeEvent(DraftsDiscarded, {
  meaning: 'The server no longer has the drafts of a user, because their synchronization was turned off.',
  commands: ['ChangeOwnSettings', 'ChangeSettingsOfUsers'],
  sentence: ({ actorId, data: { userId, draftIds } }) => [
    `discarded ${counted(draftIds.length, 'draft')}`,
    ...(actorId === userId ? [] : [' of ', thing.user(userId)]),
  ],
});

export const draftDescriptions: readonly EventDescription[] = [saved, edited, deleted, discarded];
