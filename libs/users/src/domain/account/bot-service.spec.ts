import type { BotType, UserId } from '@annals/kernel/domain';
import { fact } from '@annals/kernel/domain';
import { given } from '../../../../../test/support/events/recorded-events';
import { BotProgramChosen } from '../events';
import { BOT_PROGRAMS } from './bot-programs';
import type { ServiceInput } from './bot-service';
import { botProgramAggregate, chooseProgram, requestedProgram } from './bot-service';

const BOT = 9 as UserId;
const program = (type: BotType, service: Partial<ServiceInput> = {}, shortName = 'helper') =>
  requestedProgram(type, shortName, { name: undefined, config: {}, ...service });

describe('the service behind a new bot', () => {
  it.each(BOT_PROGRAMS)('is the program %s by its name, or by the short name of the bot', (name) => {
    expect(program(4, { name })).toBe(name);
    expect(program(4, {}, ` ${name} `)).toBe(name);
    expect(program(4, { name: '' }, name)).toBe(name);
  });

  it.each([
    ['an unknown program', 4, { name: 'encrypt' }, 'Invalid embedded bot name.'],
    ['a name that every object has', 4, { name: 'constructor' }, 'Invalid embedded bot name.'],
    ['no program', 4, {}, 'Invalid embedded bot name.'],
    ['an unknown integration', 2, { name: 'github' }, "Invalid integration 'github'."],
    ['values that no program has', 4, { name: 'converter', config: { key: '1' } }, 'Invalid configuration data!'],
    ['values without a program', 1, { config: { key: '1' } }, 'Invalid configuration data!'],
  ] as const)('is refused for %s', (_, type, service, message) => {
    expect(() => program(type, service)).toThrow(message);
  });

  it.each([1, 2, 3] as const)('is no program for bots of type %i', (type) => expect(program(type)).toBeNull());

  it('is remembered with the bot', () => {
    const chosen = chooseProgram(BOT, 'converter');
    expect(chosen).toEqual([fact(BotProgramChosen, { userId: BOT, program: 'converter' })]);
    expect(given(botProgramAggregate, ...chosen)).toBe('converter');
  });
});
