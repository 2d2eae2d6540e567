import { t } from '@annals/kernel/domain';
import type { Integration } from './integration';
import { reject } from './rejections';
import { maybe, readerOf } from './shared/payload';

const ZAPIER = 'Zapier';
const text = maybe(t.String());
/** `subject` is the older name of the topic. */
const read = readerOf(ZAPIER, t.Object({ type: text, topic: text, subject: text, content: text }));

/** Zapier sends topic and text as its user wrote them. */
export const zapier: Integration = {
  name: 'zapier',
  displayName: ZAPIER,
  caller: ZAPIER,
  eventTypes: null,
  options: [],
  translate: ({ payload }) => {
    const { topic, subject, content } = read(payload);
    const chosen = topic ?? subject;
    if (typeof chosen !== 'string') throw reject.noTopic();
    if (typeof content !== 'string') throw reject.noContent();
    return [{ topic: chosen, content }];
  },
  asksForAccount: (payload) => read(payload).type === 'auth',
};
