import type { BotType, UserId } from '@annals/kernel/domain';
import { defineAggregate, fact } from '@annals/kernel/domain';
import type { BotProgramChosen as Chosen } from '../events';
import { BotProgramChosen } from '../events';
import { reject } from '../rejections';
import type { BotProgram } from './bot-programs';
import { BOT_PROGRAMS } from './bot-programs';

const INCOMING_WEBHOOK: BotType = 2;
const EMBEDDED: BotType = 4;

/** What a request says about the service behind a new bot. */
export interface ServiceInput {
  /** Of an embedded bot the name of its program, of an incoming webhook that of an integration. */
  readonly name: string | undefined;
  /** Values by their keys. */
  readonly config: Readonly<Record<string, string>>;
}

/**
 * The program of a new bot; null for bots of other types. Without a name, it is the short name (contract/whole-interface.md
 * section 5).
 *
 * @throws Rejected BAD_REQUEST for an unknown program or integration, and for values that nothing here has a use for
 */
export function requestedProgram(type: BotType, shortName: string, { name, config }: ServiceInput): BotProgram | null {
  if (type === INCOMING_WEBHOOK && name) throw reject.unknownIntegration({ name });
  const program = type === EMBEDDED ? BOT_PROGRAMS.find((one) => one === (name || shortName.trim())) : null;
  if (program === undefined) throw reject.unknownProgram();
  if (Object.keys(config).length > 0) throw reject.unknownConfiguration();
  return program;
}

/** The program of a bot; null for a bot that answers by itself. */
export const botProgramAggregate = defineAggregate<BotProgram | null, Chosen, UserId>(
  'bot-program',
  null,
  (_, { data }) => data.program,
);

/** Chooses the program of a new bot, for good. */
export const chooseProgram = (userId: UserId, program: BotProgram): Chosen[] => [
  fact(BotProgramChosen, { userId, program }),
];
