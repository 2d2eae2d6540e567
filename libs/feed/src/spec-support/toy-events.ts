import type { ChannelId, FactOf, Role, UserId } from '@annals/kernel/domain';
import { channelId, defineEvent, fact, Role as Roles, t, userId } from '@annals/kernel/domain';

const role = t.Unsafe<Role>(t.Integer());
const people = t.Object({ channelId, userIds: t.Array(userId) });
export const Arrived = defineEvent('toy.Arrived', { data: t.Object({ userId, role }) });
export const RoleChanged = defineEvent('toy.RoleChanged', { data: t.Object({ userId, role }) });
export const Departed = defineEvent('toy.Departed', { data: t.Object({ userId }) });
export const KeysRevoked = defineEvent('toy.KeysRevoked', {
  data: t.Object({ userId, keyIds: t.Array(t.Integer()) }),
});
export const Opened = defineEvent('toy.Opened', {
  data: t.Object({ channelId, isPrivate: t.Boolean() }),
  sealed: t.Object({ name: t.String() }),
});
export const Renamed = defineEvent('toy.Renamed', {
  data: t.Object({ channelId }),
  sealed: t.Object({ name: t.String() }),
});
export const Joined = defineEvent('toy.Joined', { data: people });
export const Left = defineEvent('toy.Left', { data: people });
export const Posted = defineEvent('toy.Posted', {
  data: t.Object({ channelId }),
  sealed: t.Object({ text: t.String() }),
});

export const arrived = (user: UserId, is: Role = Roles.member) => fact(Arrived, { userId: user, role: is });
export const roleChanged = (user: UserId, is: Role) => fact(RoleChanged, { userId: user, role: is });
export const departed = (user: UserId) => fact(Departed, { userId: user });
export const keysRevoked = (user: UserId, ...keyIds: number[]) => fact(KeysRevoked, { userId: user, keyIds });
export const opened = (channel: ChannelId, isPrivate = false, name = `channel ${channel}`) =>
  fact(Opened, { channelId: channel, isPrivate }, { name });
export const renamed = (channel: ChannelId, name: string) => fact(Renamed, { channelId: channel }, { name });
export const joined = (channel: ChannelId, ...userIds: UserId[]) => fact(Joined, { channelId: channel, userIds });
export const left = (channel: ChannelId, ...userIds: UserId[]) => fact(Left, { channelId: channel, userIds });
export const posted = (channel: ChannelId, text: string) => fact(Posted, { channelId: channel }, { text });

export type ToyFact = FactOf<
  | typeof Arrived
  | typeof RoleChanged
  | typeof Departed
  | typeof KeysRevoked
  | typeof Opened
  | typeof Renamed
  | typeof Joined
  | typeof Left
  | typeof Posted
>;
