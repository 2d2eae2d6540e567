import type { FeedReader } from '@annals/kernel';
import type { Instant, Position, Recorded, UserId } from '@annals/kernel/domain';
import { Role, contains } from '@annals/kernel/domain';
import { RealmSettingsChanged } from '@annals/realm';
import { FirstLoggedIn } from '@annals/users';
import { isFullMember, waitingSince } from '../domain/system-groups';
import type { MemberSpan, WaitingPeriods } from './group-history';
import { joinedBy, readMemberSpans, readWaitingPeriods, waitingPeriodAt } from './group-history';

/** Members who became full members by an event, or stopped being ones, with the same role. */
export interface FullMemberChange {
  readonly became: readonly UserId[];
  readonly ceased: readonly UserId[];
}

type Change = Recorded<RealmSettingsChanged>;
type Login = Recorded<FirstLoggedIn>;

/**
 * The effect of a new waiting period or a first login on full membership, by position. Events without an effect are
 * left out.
 */
export async function readFullMemberChanges(
  reader: FeedReader,
  events: readonly Recorded[],
): Promise<ReadonlyMap<Position, FullMemberChange>> {
  const changes = events.filter((event): event is Change => event.type === RealmSettingsChanged.type);
  const periods = changes.filter(({ data }) => data.settings.waiting_period_threshold !== undefined);
  const logins = events.filter((event): event is Login => event.type === FirstLoggedIn.type);
  if (periods.length + logins.length === 0) return new Map();
  const waiting = await readWaitingPeriods(reader);
  if (waiting.every(({ days }) => days === 0)) return new Map();
  const users = periods.length > 0 ? null : logins.map(({ data }) => data.userId);
  const members = await readMemberSpans(reader, users, turnedSince([...periods, ...logins], waiting));
  const all = [
    ...periods.map((event) => [event.position, byWaitingPeriod(event, waiting, members)] as const),
    ...logins.map((event) => [event.position, byLogin(event, waiting, members)] as const),
  ];
  return new Map(all.filter(([, { became, ceased }]) => became.length + ceased.length > 0));
}

/** Users who joined before this time were full members before and after each of these events. */
const turnedSince = (events: readonly Recorded[], waiting: WaitingPeriods): Instant =>
  Math.min(
    ...events.flatMap(({ position, at }) =>
      [position - 1, position].map((place) => waitingSince(waitingPeriodAt(waiting, place as Position), at)),
    ),
  ) as Instant;

/** Whether somebody was a member both right before an event and right after it. */
const isThere = ({ position }: Recorded, member: MemberSpan): boolean =>
  contains(member, position - 1) && contains(member, position);

const full = (joinedAt: Instant, days: number, at: Instant) => isFullMember({ role: Role.member, joinedAt }, days, at);

function byWaitingPeriod(event: Change, waiting: WaitingPeriods, members: readonly MemberSpan[]): FullMemberChange {
  const [before, after] = [event.position - 1, event.position].map((at) => waitingPeriodAt(waiting, at as Position));
  return fullMemberChange(
    members.filter((member) => isThere(event, member)),
    (member) => full(joinedBy(event.at, member), before ?? 0, event.at),
    (member) => full(joinedBy(event.at, member), after ?? 0, event.at),
  );
}

function byLogin(event: Login, waiting: WaitingPeriods, members: readonly MemberSpan[]): FullMemberChange {
  const days = waitingPeriodAt(waiting, event.position);
  return fullMemberChange(
    members.filter((member) => member.userId === event.data.userId && isThere(event, member)),
    ({ createdAt }) => full(createdAt, days, event.at),
    () => full(event.at, days, event.at),
  );
}

function fullMemberChange(
  members: readonly MemberSpan[],
  was: (member: MemberSpan) => boolean,
  is: (member: MemberSpan) => boolean,
): FullMemberChange {
  const ids = (some: readonly MemberSpan[]) => some.map(({ userId }) => userId);
  return {
    became: ids(members.filter((member) => !was(member) && is(member))),
    ceased: ids(members.filter((member) => was(member) && !is(member))),
  };
}
