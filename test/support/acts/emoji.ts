import fc from 'fast-check';
import { addEmoji, emojiOf } from '../requests/emoji';
import type { Act } from './act';
import { act } from './act';
import { pick, viewer } from './world';

const emoji = fc.constantFrom('tada', 'heart', 'own-0');

/** Acts on emoji and with them. */
export const emojiActs: readonly Act[] = [
  act('add emoji', 1, fc.record({ by: viewer, name: fc.nat(2) }), (world, { by, name }) =>
    addEmoji(world.viewer(by), `own-${name}`),
  ),
  act('end emoji', 1, fc.nat(9), async (world, index) => {
    const one = pick(Object.values(await emojiOf(world.owner)), index);
    return world.owner.delete(`/realm/emoji/${one?.name ?? 'none'}`);
  }),
  act('react', 2, fc.record({ by: viewer, channel: fc.nat(9), emoji }), async (world, { by, channel, emoji }) => {
    const asked = { narrow: [['channel', world.channel(channel)]], anchor: 'newest', num_before: 1 };
    const { body } = await world.viewer(by).get<{ messages?: { id: number }[] }>('/messages', asked);
    const path = `/messages/${body.messages?.[0]?.id ?? 0}/reactions`;
    const { status } = await world.viewer(by).post(path, { emoji_name: emoji });
    return status === 200 ? null : world.viewer(by).delete(path, { emoji_name: emoji });
  }),
];
