import { granted } from '../support/server/caller';
import type { Person } from '../support/server/organization';

/** Programs follow the log. */
export async function consumersComeAndGo(owner: Person): Promise<void> {
  const wanted = { view: 'domain', types: ['messages.*'], subjects: ['channel:3'], from: 'beginning' };
  granted(await owner.post('/feed/consumers', { name: 'archive', ...wanted }));
  granted(await owner.patch('/feed/consumers/archive', { types: ['messages.*', 'channels.*'], paused: true }));
  granted(await owner.patch('/feed/consumers/archive', { paused: false }));
  granted(await owner.post('/feed/consumers/archive/rewind', { to: 'p5' }));
  granted(await owner.delete('/feed/consumers/archive'));
}
