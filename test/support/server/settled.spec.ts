import { defineContext } from '@annals/kernel';
import { defineEvent, fact, t } from '@annals/kernel/domain';
import { openTestKernel } from './kernel';
import { settled } from './settled';

const Noted = defineEvent('toy.Noted', { data: t.Object({}) });
const toyContext = defineContext({
  name: 'toy',
  events: [Noted],
  unhandled: { [Noted.type]: 'only its position matters here' },
});

it('waiting for a stuck follower fails soon, with its name and position', async () => {
  const { kernel, state, close } = await openTestKernel([toyContext]);
  await kernel.store.ensureReaders([{ name: 'sleeper', begins: 'beginning', handle: async () => undefined }]);
  await settled(kernel);
  await state(['note-1', fact(Noted, {})]);
  await settled(kernel, 'somebody else');
  await expect(settled(kernel, 'sleeper', 1)).rejects.toThrow(
    'nobody has moved for 1 ms: [{"name":"sleeper","realm":1,"standsAt":0,"head":1}]',
  );
  await close();
});
