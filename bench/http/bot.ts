import type { Answer } from './client';
import { ApiClient } from './client';

/** An account beside the owner's. It is a bot, because a bot is created with its key. */
export async function makeBot(owner: ApiClient, name = 'sender'): Promise<ApiClient> {
  const bot = await owner.post('/bots', { full_name: `Bot ${name}`, short_name: name });
  const { user } = await owner.get(`/users/${String(bot['user_id'])}`);
  return new ApiClient(owner.address, String((user as Answer)['email']), String(bot['api_key']));
}
