import type { UserId } from '@annals/kernel/domain';
import { Role, fact } from '@annals/kernel/domain';
import { given } from '../../../../test/support/events/recorded-events';
import { WelcomeBotChosen } from './events';
import { chooseWelcomeBot, greetingFor, welcomeAggregate, welcomeBotAggregate, welcomed } from './welcome';

const BOT = 9 as UserId;

describe('the welcome bot', () => {
  it('is chosen once', () => {
    const chosen = chooseWelcomeBot(null, BOT);
    expect(chosen).toEqual([fact(WelcomeBotChosen, { botId: BOT })]);
    expect(given(welcomeBotAggregate, ...chosen)).toBe(BOT);
    expect(chooseWelcomeBot(BOT, 10 as UserId)).toEqual([]);
  });

  it('remembers whom it has welcomed', () => {
    expect(given(welcomeAggregate)).toBe(false);
    expect(given(welcomeAggregate, ...welcomed(7 as UserId))).toBe(true);
  });

  it('says more to administrators', () => {
    const [member, guest, administrator, owner] = [Role.member, Role.guest, Role.administrator, Role.owner].map(
      (role) => greetingFor({ role }),
    );
    expect(member).toMatch(/^Hello, and welcome!/);
    expect(guest).toBe(member);
    expect(administrator?.startsWith(member ?? '')).toBe(true);
    expect(administrator).not.toBe(member);
    expect(owner).toBe(administrator);
  });
});
