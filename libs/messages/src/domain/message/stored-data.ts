import { withDefaults } from '@annals/kernel/domain';
import type { MessageContentFacts } from '../events';
import { ContentEdited, MessageSent } from '../events';

/** The data of a `MessageSent`, from the column of the log. For queries that read events without decoding them whole. */
export const sentData = (json: string): MessageSent['data'] => withDefaults(MessageSent.defaults, JSON.parse(json));

/** The facts about a text, from the column of the event that has the text, of either type. */
export const textFacts = (json: string): MessageContentFacts => withDefaults(ContentEdited.defaults, JSON.parse(json));
