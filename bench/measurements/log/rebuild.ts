import type { Measurement } from '../../harness';
import { Chat } from '../../chat/chat';
import { messages } from '../../chat/context';
import { storeMessages } from '../../chat/stored-messages';

/**
 * A read model of messages rebuilt from the log, as after an upgrade: every event is read, decoded, folded and written.
 */
export const rebuild: Measurement = {
  name: 'rebuild',
  title: 'Rebuild of the read model of messages',
  async run(bench) {
    const { kernel } = await Chat.open(bench);
    await storeMessages(kernel, bench.stored, (done) =>
      bench.say('filling the log', `${done} of ${bench.stored} events`),
    );
    const build = kernel.rebuild({
      onProgress: ({ phase, done, total }) => bench.say(phase, total === 0 ? '' : `${done} of ${total} events`),
    });
    const began = performance.now();
    await build.build([messages.name]);
    const seconds = (performance.now() - began) / 1_000;
    const differences = await build.diff(messages.name);
    if (differences.length > 0) throw new Error('what was built is not what was live');
    return { 'rebuild.rate': { value: bench.stored / seconds, unit: 'events/s' } };
  },
};
