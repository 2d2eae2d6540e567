import type { FeedReader } from '@annals/kernel';
import { defineFeed, translate } from '@annals/kernel';
import type { ClientEvent, Instant, Position, Recorded, Role, UserId } from '@annals/kernel/domain';
import { Role as Roles } from '@annals/kernel/domain';
import type { SystemGroups } from '@annals/realm';
import { RealmCreated, RealmSettingsChanged, readRealm } from '@annals/realm';
import { AccountCreated, Deactivated, FirstLoggedIn, RoleChanged } from '@annals/users';
import type { SystemName } from '../domain/system-groups';
import { directSystemGroups, isFullMember } from '../domain/system-groups';

/** What `user_group` events carry until they are delivered. */
export type MembersPayload = {
  readonly op: 'add_members' | 'remove_members';
  readonly groupId: number;
  readonly userIds: readonly UserId[];
};

interface Person {
  readonly userId: UserId;
  readonly role: Role;
  readonly createdAt: Instant;
  readonly joinedAt: Instant;
  /** The stretch of the log in which the account was active with this role. */
  readonly from: Position;
  readonly to: Position | null;
}

interface Facts {
  readonly groups: SystemGroups;
  /** Days until a member counts as a full member, and from where in the log on; ascending. */
  readonly waitingPeriods: readonly { readonly from: Position; readonly days: number }[];
  /** Members around events that a waiting period matters for; empty where there never was one. */
  readonly members: readonly Person[];
}

/** System groups as they follow from roles (contract/users.md section 6): a role change moves people between them. */
export const groupsFeed = defineFeed({
  name: 'groups',
  facts: readFacts,
  translations: [
    translate(AccountCreated, (event, facts: Facts) => {
      const { userId, role, isSystemBot } = event.data;
      return isSystemBot ? [] : move(facts, userId, [], placesOf(event, userId, role, facts));
    }),
    translate(RoleChanged, (event, facts: Facts) => {
      const { userId, from, to, isActive } = event.data;
      if (!isActive) return [];
      return move(facts, userId, placesOf(event, userId, from, facts), placesOf(event, userId, to, facts));
    }),
    translate(Deactivated, (event, facts: Facts) => {
      const { userId, role } = event.data;
      return move(facts, userId, placesOf(event, userId, role, facts), []);
    }),
    translate(FirstLoggedIn, (event, facts: Facts) => {
      const person = facts.members.find(({ userId }) => userId === event.data.userId);
      if (!person) return [];
      const days = waitingPeriodAt(event.position, facts);
      const wasFull = isFullMember({ role: person.role, joinedAt: person.createdAt }, days, event.at);
      const isFull = isFullMember({ role: person.role, joinedAt: event.at }, days, event.at);
      return move(facts, person.userId, placed(person.role, wasFull), placed(person.role, isFull));
    }),
    translate(RealmSettingsChanged, (event, facts: Facts) => {
      const { settings, previous } = event.data;
      const { waiting_period_threshold: after } = settings;
      const { waiting_period_threshold: before } = previous;
      return after === undefined || before === undefined ? [] : regroup(event, before, after, facts);
    }),
  ],
});

const placed = (role: Role, isFull: boolean): readonly SystemName[] => directSystemGroups(role, isFull);

function placesOf(event: Recorded, userId: UserId, role: Role, facts: Facts): readonly SystemName[] {
  const days = waitingPeriodAt(event.position, facts);
  if (days === 0) return placed(role, true);
  const person = facts.members.find((one) => one.userId === userId);
  return placed(role, isFullMember({ role, joinedAt: person ? joinedBy(event.at, person) : event.at }, days, event.at));
}

/** The first login came later than the event: until then the account counts from its creation. */
const joinedBy = (at: Instant, person: Person): Instant => (person.joinedAt > at ? person.createdAt : person.joinedAt);

const waitingPeriodAt = (position: Position, { waitingPeriods }: Facts): number =>
  waitingPeriods.findLast(({ from }) => from <= position)?.days ?? 0;

function move(facts: Facts, userId: UserId, from: readonly SystemName[], to: readonly SystemName[]): ClientEvent[] {
  const left = from.filter((name) => !to.includes(name));
  const joined = to.filter((name) => !from.includes(name));
  return [
    ...left.map((name) => membersEvent('remove_members', facts.groups[name], [userId])),
    ...joined.map((name) => membersEvent('add_members', facts.groups[name], [userId])),
  ];
}

/** Another waiting period makes full members of some people, or new members of them. */
function regroup(event: Recorded, before: number, after: number, facts: Facts): ClientEvent[] {
  const changed = facts.members
    .filter((person) => person.from < event.position && (person.to === null || person.to > event.position))
    .filter((person) => {
      const at = { role: person.role, joinedAt: joinedBy(event.at, person) };
      return isFullMember(at, before, event.at) !== isFullMember(at, after, event.at);
    })
    .map(({ userId }) => userId);
  if (changed.length === 0) return [];
  return [membersEvent(after < before ? 'add_members' : 'remove_members', facts.groups.fullmembers, changed)];
}

const membersEvent = (op: MembersPayload['op'], groupId: number, userIds: readonly UserId[]): ClientEvent => ({
  type: 'user_group',
  audience: { kind: 'everyone' },
  payload: { op, groupId, userIds } satisfies MembersPayload,
});

async function readFacts(reader: FeedReader, events: readonly Recorded[]): Promise<Facts> {
  const realm = await readRealm(reader.client, reader.realmId);
  if (!realm) throw new Error(`realm ${reader.realmId} does not exist`);
  const waitingPeriods = await readWaitingPeriods(reader);
  const matters = waitingPeriods.some(({ days }) => days > 0);
  return { groups: realm.systemGroups, waitingPeriods, members: matters ? await readMembers(reader, events) : [] };
}

/** From the log itself: what is in force now may be newer than the events that are translated. */
async function readWaitingPeriods({ client, realmId }: FeedReader): Promise<Facts['waitingPeriods']> {
  const { rows } = await client.query<{ from: Position; days: number }>({
    name: 'groups-waiting-periods',
    text: `SELECT position AS from, (data->'settings'->>'waiting_period_threshold')::int4 AS days FROM events
      WHERE realm_id = $1 AND stream = 'realm' AND type = ANY($2::text[])
        AND data->'settings'->>'waiting_period_threshold' IS NOT NULL ORDER BY position`,
    values: [realmId, [RealmCreated.type, RealmSettingsChanged.type]],
  });
  return rows;
}

/** @returns for a changed waiting period every member, otherwise those whom the events are about */
async function readMembers({ client, realmId }: FeedReader, events: readonly Recorded[]): Promise<readonly Person[]> {
  const isAboutAll = events.some(({ type }) => type === RealmSettingsChanged.type);
  const named = events.map(({ data }) => (data as { userId?: UserId }).userId).filter((id) => id !== undefined);
  const { rows } = await client.query<Person>({
    name: 'groups-members-around',
    text: `SELECT s.user_id AS "userId", s.role, u.created_at AS "createdAt", u.joined_at AS "joinedAt",
        s.from_position AS from, s.to_position AS to
      FROM view.account_spans s JOIN view.users u ON u.realm_id = s.realm_id AND u.user_id = s.user_id
      WHERE s.realm_id = $1 AND s.is_active AND s.role = $4 AND ($2 OR s.user_id = ANY($3::int8[]))
      ORDER BY s.user_id, s.from_position`,
    values: [realmId, isAboutAll, named, Roles.member],
  });
  return rows;
}
