import type { EventDescription } from '@annals/kernel';
import { describeEvent, thing } from '@annals/kernel';
import { UserWelcomed, WelcomeBotChosen } from '../domain/events';

const { user } = thing;

const chosen = describeEvent(WelcomeBotChosen, {
  meaning: 'A system bot writes to newcomers from then on.',
  commands: ['Welcomes', 'TryOutWelcome'],
  sentence: ({ data: { botId } }) => ['made ', user(botId), ' the bot that welcomes newcomers'],
});

const welcomed = describeEvent(UserWelcomed, {
  meaning: 'The welcome bot wrote to a newcomer.',
  commands: ['Welcomes'],
  sentence: ({ data: { userId } }) => ['welcomed ', user(userId)],
});

export const welcomeDescriptions: readonly EventDescription[] = [chosen, welcomed];
