import type { Caller } from '../server/caller';
import { granted } from '../server/caller';
import type { ProcessServer } from '../processes/processes';
import type { Races } from './stage';

/** Races for consumers of the log. */
export const consumerRaces = (server: ProcessServer): Races => {
  const create = (by: Caller, name: string) => by.post('/feed/consumers', { name, view: 'client' });
  const named = async (by: Caller) => {
    const { consumers } = granted(await by.get<{ consumers: { name: string }[] }>('/feed/consumers'));
    return consumers.map(({ name }) => name);
  };
  return {
    'consumer-name-free': async () => {
      const ann = await server.person();
      const bea = await server.person();
      const [here] = server.sides(ann);
      const [, there] = server.sides(bea);
      return {
        acts: [() => create(here, 'indexer'), () => create(there, 'indexer')],
        second: { status: 409, body: { result: 'error', code: 'CONSUMER_EXISTS' } },
        look: async () => expect([...(await named(here)), ...(await named(there))]).toEqual(['indexer']),
      };
    },

    'consumer-room': async () => {
      const writer = await server.person();
      const [here, there] = server.sides(writer);
      for (let n = 1; n < 20; n += 1) granted(await create(here, `room-${n}`));
      return {
        acts: [() => create(here, 'room-20'), () => create(there, 'room-21')],
        second: { status: 400, body: { result: 'error', code: 'CONSUMER_LIMIT' } },
        look: async () => expect(await named(here)).toHaveLength(20),
      };
    },
  };
};
