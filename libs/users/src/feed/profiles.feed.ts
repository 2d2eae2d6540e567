import type { FeedReader } from '@annals/kernel';
import { defineFeed, definePresenter, translate } from '@annals/kernel';
import type { Audience, ClientEvent, Position, Recorded, UserId } from '@annals/kernel/domain';
import { ProfileDeleted } from '../domain/events';
import type { ProfileFieldEvent, ProfileFieldId, ProfileValueEvent } from '../domain/profile/profile-events';
import { PROFILE_FIELD_EVENTS, ProfileValueCleared, ProfileValueSet } from '../domain/profile/profile-events';
import type { ProfileFields } from '../domain/profile/profile-fields';
import { PROFILE_FIELDS, profileFieldsAggregate } from '../domain/profile/profile-fields';
import { profileAggregate } from '../domain/profile/profile-values';
import { presentField, shownField } from '../read/profile/profile-fields';
import type { UserPayload } from './payloads';

const EVERYONE: Audience = { kind: 'everyone' };

const FIELD_EVENTS: ReadonlySet<string> = new Set(PROFILE_FIELD_EVENTS.map(({ type }) => type));

/** Clients receive all fields again, once for each request that changed any (contract/profile-fields.md section 4). */
const oncePerCommand = ({ position }: Recorded, append: readonly Recorded[]): ClientEvent[] => {
  const last = append.findLast(({ type }) => FIELD_EVENTS.has(type));
  return last?.position === position ? [{ type: 'custom_profile_fields', audience: EVERYONE, payload: {} }] : [];
};

const valueEvent = (userId: UserId, fieldId: ProfileFieldId): ClientEvent => ({
  type: 'realm_user',
  audience: EVERYONE,
  payload: { op: 'update', userId, change: 'custom_profile_field', fieldId } satisfies UserPayload,
});

const valueChanged = ({ data: { userId, fieldId } }: Recorded<ProfileValueEvent>): ClientEvent[] => [
  valueEvent(userId, fieldId),
];

/** The fields in which users had a value when their profiles were deleted, by the position of the deletion. */
type Taken = ReadonlyMap<Position, readonly ProfileFieldId[]>;

async function takenWithProfiles({ stream }: FeedReader, events: readonly Recorded[]): Promise<Taken> {
  const taken = new Map<Position, readonly ProfileFieldId[]>();
  for (const { type, data, position } of events) {
    if (type !== ProfileDeleted.type) continue;
    const { userId } = data as ProfileDeleted['data'];
    const said = (await stream(profileAggregate.stream(userId))) as readonly Recorded<ProfileValueEvent>[];
    const last = new Map(said.map((event) => [event.data.fieldId, event.type]));
    taken.set(
      position,
      [...last].filter(([, what]) => what === ProfileValueSet.type).map(([id]) => id),
    );
  }
  return taken;
}

/** Profile fields and their values (contract/profile-fields.md section 4). */
export const profilesFeed = defineFeed({
  name: 'profiles',
  facts: takenWithProfiles,
  translations: [
    ...PROFILE_FIELD_EVENTS.map((definition) =>
      translate(definition, (event, _, append) => oncePerCommand(event, append)),
    ),
    translate(ProfileValueSet, valueChanged),
    translate(ProfileValueCleared, valueChanged),
    translate(ProfileDeleted, ({ data: { userId }, position }, taken: Taken) =>
      (taken.get(position) ?? []).map((fieldId) => valueEvent(userId, fieldId)),
    ),
  ],
});

/**
 * Fields as they were after each event: clients remove values of missing fields and choices, and a choice that is added
 * again later is a new one.
 */
export const profileFieldsPresenter = definePresenter<ReadonlyMap<Position, ProfileFields>>({
  type: 'custom_profile_fields',
  load: async ({ stream }, events) => {
    const asked = new Set(events.map(({ position }) => position));
    const then = new Map<Position, ProfileFields>();
    let fields = profileFieldsAggregate.initial;
    for (const event of (await stream(PROFILE_FIELDS)) as readonly Recorded<ProfileFieldEvent>[]) {
      fields = profileFieldsAggregate.evolve(fields, event);
      if (asked.has(event.position)) then.set(event.position, fields);
    }
    return then;
  },
  present: ({ type, position }, then) => {
    const fields = [...(then.get(position)?.values() ?? [])].sort((a, b) => a.order - b.order || a.id - b.id);
    return [{ type, fields: fields.map((field) => presentField(shownField(field))) }];
  },
  variant: () => 'all',
});
