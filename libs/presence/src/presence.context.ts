import { defineContext } from '@annals/kernel';
import { presencePresenter } from './feed/presence.presenter';
import { presenceMigrations } from './schema';

export const presenceContext = defineContext({
  name: 'presence',
  presenters: [presencePresenter],
  migrations: presenceMigrations,
  transient: ['presences', 'presence_heads'],
});
