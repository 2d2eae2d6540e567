import type { Caller } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { ProcessServer } from '../../support/processes/processes';
import { race } from '../../support/guards/race';

/** Bots change hands while accounts end. */
export function bots(the: () => ProcessServer): void {
  let server: ProcessServer;
  let here: Caller;
  let there: Caller;
  let ann: Person;
  beforeAll(async () => {
    server = the();
    [here, there] = server.sides(server.owner);
    ann = await server.person();
  });

  const give = (by: Caller, bot: Person, to: Person) => () => by.patch(`/bots/${bot.id}`, { bot_owner_id: to.id });
  const end = (by: Caller, person: Person) => () => by.delete(`/users/${person.id}`);
  const shown = async ({ id }: Person) =>
    granted(await here.get<{ user: { bot_owner_id: number; is_active: boolean } }>(`/users/${id}`)).user;

  describe('of two processes, one gives a bot away while the other', () => {
    it('deactivates the new owner: the bot is deactivated too, or is not given', async () => {
      const [early, late] = [await server.person(), await server.person()];
      const [one, other] = [await server.bot(ann), await server.bot(ann)];
      for (const answer of await race(server.kernel, [give(here, one, early), end(there, early)])) granted(answer);
      expect(await shown(one)).toMatchObject({ bot_owner_id: early.id, is_active: false });
      const [ended, given] = await race(server.kernel, [end(here, late), give(there, other, late)]);
      granted(ended);
      const body = { code: 'BAD_REQUEST', msg: 'Failed to change owner, user is deactivated' };
      expect(given).toMatchObject({ status: 400, body });
      expect(await shown(other)).toMatchObject({ bot_owner_id: ann.id, is_active: true });
    });

    it('deactivates the former owner: the bot remains active, or is deactivated and given all the same', async () => {
      const [early, late] = [await server.person(), await server.person()];
      const [one, other] = [await server.bot(early), await server.bot(late)];
      for (const answer of await race(server.kernel, [give(here, one, ann), end(there, early)])) granted(answer);
      expect(await shown(one)).toMatchObject({ bot_owner_id: ann.id, is_active: true });
      for (const answer of await race(server.kernel, [end(here, late), give(there, other, ann)])) granted(answer);
      expect(await shown(other)).toMatchObject({ bot_owner_id: ann.id, is_active: false });
    });

    it('gives it to another user: it has one owner', async () => {
      const [ben, clara] = [await server.person(), await server.person()];
      const bot = await server.bot(ann);
      for (const answer of await race(server.kernel, [give(here, bot, ben), give(there, bot, clara)])) granted(answer);
      expect(await shown(bot)).toMatchObject({ bot_owner_id: clara.id });
      granted(await here.delete(`/users/${ben.id}`));
      expect(await shown(bot)).toMatchObject({ is_active: true });
    });
  });
}
